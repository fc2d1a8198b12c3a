/* Operands that take over: who of the arguments of a call gets it, and in which order. */
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

/* Keep an operand that takes over, once for each type: subclasses before the classes they derive from, and the others
 * in order; false with an exception. */
static bool keep_taker(PyObject **takers, PyObject *x) {
    if (!takes_over(x)) return true;
    if (*takers == NULL && (*takers = PyList_New(0)) == NULL) return false;
    Py_ssize_t count = PyList_GET_SIZE(*takers), place = count;
    for (Py_ssize_t i = count; i-- > 0;) {
        PyTypeObject *other = Py_TYPE(PyList_GET_ITEM(*takers, i));
        if (other == Py_TYPE(x)) return true;
        if (PyType_IsSubtype(Py_TYPE(x), other)) place = i;
    }
    return PyList_Insert(*takers, place, x) == 0;
}

/* Keep what takes over of an argument: itself, or the elements of a tuple or list. */
static bool keep_takers(PyObject **takers, PyObject *x) {
    if (!PyList_CheckExact(x) && !PyTuple_CheckExact(x)) return keep_taker(takers, x);
    bool good = true;
    for (Py_ssize_t i = 0; good && i < PySequence_Fast_GET_SIZE(x); i++) {
#ifdef Py_GIL_DISABLED /* another thread may change the list */
        PyObject *element = PySequence_GetItem(x, i);
        if (element == NULL) PyErr_Clear();
#else
        PyObject *element = Py_NewRef(PySequence_Fast_GET_ITEM(x, i));
#endif
        good = element == NULL || keep_taker(takers, element);
        Py_XDECREF(element);
    }
    return good;
}

PyObject *offer(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *keywords) {
    PyObject *takers = NULL, *positional = NULL, *named = NULL, *result = NULL;
    Py_ssize_t total = count + (keywords == NULL ? 0 : PyTuple_GET_SIZE(keywords));
    bool good = true;
    for (Py_ssize_t i = 0; good && i < total; i++) good = keep_takers(&takers, args[i]);
    if (takers == NULL) return NULL;
    if (good && pack_arguments(args, count, keywords, &positional, &named)) result = Py_NewRef(Py_NotImplemented);
    for (Py_ssize_t i = 0; result == Py_NotImplemented && i < PyList_GET_SIZE(takers); i++) {
        PyObject *method = PyObject_GetAttr(PyList_GET_ITEM(takers, i), names.__supremum_function__);
        PyObject *given[] = {self, positional, named};
        Py_SETREF(result, method == NULL ? NULL : call_guest(method, given, 3));
        Py_XDECREF(method);
    }
    Py_DECREF(takers);
    Py_XDECREF(positional);
    Py_XDECREF(named);
    return result;
}
