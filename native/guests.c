/* Operands that take over: who of the arguments of a call gets it, in which order, and the arguments by name. */
#include "args.h"
#include "hooks.h"
#include "paths.h"

/* Whether an operand takes calls over. Of types, only their dictionaries are read: no Python runs. */
static bool takes_over(PyObject *x) {
    PyTypeObject *type = Py_TYPE(x);
    if (type == ArrayType || type == &PyArray_Type || type == &PyFloat_Type || type == &PyLong_Type || x == Py_None ||
        type == &PyBool_Type || type == &PyComplex_Type || type == &PyUnicode_Type || type == &PySlice_Type)
        return false;
    PyObject *method = _PyType_Lookup(type, names.__supremum_function__);
    return method != NULL && method != Py_None;
}

/* Operands that take over a call, in the order in which they get it. */
typedef struct {
    PyObject *operand; /* owned */
    long long level;
} Taker;
typedef struct {
    Taker *all; /* `few`, or owned memory */
    Py_ssize_t count, size;
    Taker few[4];
} Takers;

static void end_takers(Takers *takers) {
    for (Py_ssize_t i = 0; i < takers->count; i++) Py_DECREF(takers->all[i].operand);
    if (takers->all != takers->few) PyMem_Free(takers->all);
}

#if PY_VERSION_HEX < 0x030d0000
#define PyObject_GetOptionalAttr _PyObject_LookupAttr /* its name before Python 3.13 */
#endif

/* Find the level of an operand, an integer of the instance, 0 where it has none; false with an exception. May run
 * Python. */
static bool find_level(Taker *taker) {
    PyObject *found;
    taker->level = 0;
    int status = PyObject_GetOptionalAttr(taker->operand, names.__supremum_level__, &found);
    if (status <= 0) return status == 0;
    taker->level = PyLong_Check(found) ? PyLong_AsLongLong(found) : -1;
    bool good = PyLong_Check(found) && !PyErr_Occurred();
    if (!good) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "__supremum_level__ is an integer of 64 bits, got %R of %R", found,
                     (PyObject *)Py_TYPE(taker->operand));
    }
    Py_DECREF(found);
    return good;
}

/* Keep an operand that takes over, once for each type and level: greater levels first; of one level subclasses before
 * the classes they derive from, and the others in order. Where there is one operand, its level does not matter. False
 * with an exception. May run Python. */
static bool keep_taker(Takers *takers, PyObject *x) {
    if (!takes_over(x)) return true;
    Taker taker = {x, 0};
    Py_ssize_t count = takers->count, place = count;
    if (count > 0) {
        for (Py_ssize_t i = 0; i < count; i++)
            if (takers->all[i].operand == x) return true;
        if ((count == 1 && !find_level(takers->all)) || !find_level(&taker)) return false;
        for (Py_ssize_t i = count; i-- > 0 && takers->all[i].level <= taker.level;) {
            PyTypeObject *other = Py_TYPE(takers->all[i].operand);
            bool outer = takers->all[i].level < taker.level;
            if (!outer && other == Py_TYPE(x)) return true;
            if (outer || PyType_IsSubtype(Py_TYPE(x), other)) place = i;
        }
    }
    if (count == takers->size) {
        Taker *more = PyMem_New(Taker, 2 * count);
        if (more == NULL) {
            PyErr_NoMemory();
            return false;
        }
        memcpy(more, takers->all, count * sizeof *more);
        if (takers->all != takers->few) PyMem_Free(takers->all);
        takers->all = more;
        takers->size = 2 * count;
    }
    memmove(takers->all + place + 1, takers->all + place, (count - place) * sizeof taker);
    takers->all[place] = taker;
    Py_INCREF(x);
    takers->count++;
    return true;
}

/* A list or tuple that is searched, and the one that it is in. */
typedef struct Nest {
    PyObject *list; /* borrowed */
    const struct Nest *outer;
    int depth;
} Nest;
enum { DEEPEST = 64 }; /* as many axes as an array has */

/* Keep what takes over of an argument: itself, or the elements of lists and tuples, also of those within others. False
 * with an exception. May run Python, which may change the lists. */
static bool keep_takers(Takers *takers, PyObject *x, const Nest *outer) {
    if (!PyList_CheckExact(x) && !PyTuple_CheckExact(x)) return keep_taker(takers, x);
    Nest nest = {x, outer, outer == NULL ? 1 : outer->depth + 1};
    if (nest.depth > DEEPEST) return true;
    for (; outer != NULL; outer = outer->outer)
        if (outer->list == x) return true; /* a list that contains itself */
    bool good = true;
    for (Py_ssize_t i = 0; good && i < PySequence_Fast_GET_SIZE(x); i++) {
#ifdef Py_GIL_DISABLED /* another thread may change the list */
        PyObject *element = PySequence_GetItem(x, i);
        if (element == NULL) PyErr_Clear();
#else
        PyObject *element = Py_NewRef(PySequence_Fast_GET_ITEM(x, i));
#endif
        good = element == NULL || keep_takers(takers, element, &nest);
        Py_XDECREF(element);
    }
    return good;
}

/* Call the method of an operand that takes over. May run Python. */
static PyObject *call_taker(PyObject *x, PyObject *function, PyObject *positional, PyObject *named) {
    PyObject *method = Py_XNewRef(_PyType_Lookup(Py_TYPE(x), names.__supremum_function__)), *result;
    if (method != NULL && PyType_HasFeature(Py_TYPE(method), Py_TPFLAGS_METHOD_DESCRIPTOR)) {
        PyObject *given[] = {x, function, positional, named};
        result = call_guest(method, given, 4);
    } else {
        PyObject *given[] = {function, positional, named};
        Py_XSETREF(method, PyObject_GetAttr(x, names.__supremum_function__));
        result = method == NULL ? NULL : call_guest(method, given, 3);
    }
    Py_XDECREF(method);
    return result;
}

PyObject *offer(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *keywords) {
    PyObject *positional = NULL, *named = NULL, *result = NULL;
    Py_ssize_t total = count + (keywords == NULL ? 0 : PyTuple_GET_SIZE(keywords));
    Takers takers;
    takers.all = takers.few;
    takers.count = 0;
    takers.size = sizeof takers.few / sizeof *takers.few;
    bool good = true;
    for (Py_ssize_t i = 0; good && i < total; i++) good = keep_takers(&takers, args[i], NULL);
    if (takers.count == 0) return NULL;
    if (good && pack_arguments(args, count, keywords, &positional, &named)) result = Py_NewRef(Py_NotImplemented);
    for (Py_ssize_t i = 0; result == Py_NotImplemented && i < takers.count; i++)
        Py_SETREF(result, call_taker(takers.all[i].operand, self, positional, named));
    end_takers(&takers);
    Py_XDECREF(positional);
    Py_XDECREF(named);
    return result;
}
