/* Operands that take over: who of the arguments of a call gets it, in which order, and the arguments by name. */
#include "engine.h"

bool pack_arguments(PyObject *const *args, Py_ssize_t count, PyObject *keywords, PyObject **positional,
                    PyObject **named) {
    Py_ssize_t i = 0, given = keywords == NULL ? 0 : PyTuple_GET_SIZE(keywords);
    *positional = PyTuple_New(count);
    *named = *positional == NULL ? NULL : PyDict_New();
    if (*named == NULL) {
        Py_CLEAR(*positional);
        return false;
    }
    for (; i < count; i++) PyTuple_SET_ITEM(*positional, i, Py_NewRef(args[i]));
    for (i = 0; i < given && PyDict_SetItem(*named, PyTuple_GET_ITEM(keywords, i), args[count + i]) == 0; i++) {
    }
    if (i == given) return true;
    Py_CLEAR(*positional);
    Py_CLEAR(*named);
    return false;
}

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

/* -- arguments by name -- */

/* Find an entry of a dict: 1 with a new reference, 0 without, -1 with an exception. May run Python, which compares keys
 * of the user's. */
static int find_entry(PyObject *dict, PyObject *key, PyObject **found) {
#ifdef Py_GIL_DISABLED
    return PyDict_GetItemRef(dict, key, found);
#else
    *found = Py_XNewRef(PyDict_GetItemWithError(dict, key));
    return *found != NULL ? 1 : PyErr_Occurred() ? -1 : 0;
#endif
}

/* What `parameters_of` returns of a function; borrowed. */
typedef struct {
    PyObject *names, *defaults, *required; /* a tuple, a tuple, and what is in it where there is no default */
    Py_ssize_t count;
    Py_ssize_t unnamed;    /* how many are given by position alone */
    Py_ssize_t positional; /* how many may be given by position */
    bool several,
        named; /* whether it takes more by position, in the parameter after those; and by name, in the last one */
} Parameters;

static bool read_parameters(PyObject *given, Parameters *found) {
    int several, named;
    if (!PyTuple_Check(given) ||
        !PyArg_ParseTuple(given, "O!O!Onnpp", &PyTuple_Type, &found->names, &PyTuple_Type, &found->defaults,
                          &found->required, &found->unnamed, &found->positional, &several, &named))
        return false;
    found->several = several;
    found->named = named;
    found->count = PyTuple_GET_SIZE(found->names);
    return true;
}

/* Return a new reference to the value of a parameter; NULL with an exception. May run Python. */
static PyObject *value_of(const Parameters *known, Py_ssize_t i, PyObject *function, PyObject *args, PyObject *kwargs,
                          Py_ssize_t *taken) {
    PyObject *name = PyTuple_GET_ITEM(known->names, i), *value = NULL;
    if (i >= known->unnamed && PyDict_GET_SIZE(kwargs) > 0) {
        int status = find_entry(kwargs, name, &value);
        if (status < 0) return NULL;
        *taken += status;
    }
    if (i < known->positional && i < PyTuple_GET_SIZE(args)) {
        if (value == NULL) return Py_NewRef(PyTuple_GET_ITEM(args, i));
        Py_DECREF(value);
        return PyErr_Format(PyExc_TypeError, "%S: the argument %R is given twice", function, name);
    }
    if (value != NULL) return value;
    value = PyTuple_GET_ITEM(known->defaults, i);
    if (value != known->required) return Py_NewRef(value);
    return PyErr_Format(PyExc_TypeError, "%S: the argument %R is missing", function, name);
}

/* Return new reference to a dict of the arguments by name that have no parameter of their name. May run Python. */
static PyObject *rest_of(const Parameters *known, PyObject *kwargs) {
    PyObject *rest = PyDict_Copy(kwargs), *found;
    for (Py_ssize_t i = known->unnamed; rest != NULL && i < known->count; i++) {
        PyObject *name = PyTuple_GET_ITEM(known->names, i);
        bool own = !(known->several && i == known->positional) && !(known->named && i == known->count - 1);
        int status = own ? find_entry(rest, name, &found) : 0;
        if (status > 0) {
            Py_DECREF(found);
            status = PyDict_DelItem(rest, name);
        }
        if (status < 0) Py_CLEAR(rest);
    }
    return rest;
}

PyObject *bind_arguments(PyObject *parameters, PyObject *function, PyObject *args, PyObject *kwargs) {
    Parameters known;
    if (!read_parameters(parameters, &known)) return NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(args), taken = 0;
    if (count > known.positional && !known.several)
        return PyErr_Format(PyExc_TypeError, "%S: takes %zd arguments by position, got %zd", function, known.positional,
                            count);
    PyObject *bound = PyDict_New();
    for (Py_ssize_t i = 0; bound != NULL && i < known.count; i++) {
        PyObject *value;
        if (known.several && i == known.positional) value = PyTuple_GetSlice(args, Py_MIN(i, count), count);
        else if (known.named && i == known.count - 1) value = rest_of(&known, kwargs);
        else value = value_of(&known, i, function, args, kwargs, &taken);
        if (value == NULL || PyDict_SetItem(bound, PyTuple_GET_ITEM(known.names, i), value) < 0) Py_CLEAR(bound);
        Py_XDECREF(value);
    }
    if (bound == NULL || known.named || taken == PyDict_GET_SIZE(kwargs)) return bound;
    Py_DECREF(bound);
    PyObject *rest = rest_of(&known, kwargs), *names = rest == NULL ? NULL : PyDict_Keys(rest);
    if (names != NULL) PyErr_Format(PyExc_TypeError, "%S: there are no arguments %R", function, names);
    Py_XDECREF(rest);
    Py_XDECREF(names);
    return NULL;
}
