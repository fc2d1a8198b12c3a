/* Arguments of calls: sorted by name, bound to parameters, and read as lengths and shapes. */
#include "args.h"

#include "parts.h"

Names names;

bool arguments_by_name(const Arguments *arguments, PyObject *const *parameters, int positional, int count,
                       PyObject **found) {
    if (arguments->count > positional) return false;
    for (int i = 0; i < count; i++) found[i] = i < arguments->count ? arguments->values[i] : NULL;
    Py_ssize_t keywords = arguments->names == NULL ? 0 : PyTuple_GET_SIZE(arguments->names);
    for (Py_ssize_t i = 0; i < keywords; i++) {
        PyObject *keyword = PyTuple_GET_ITEM(arguments->names, i);
        int place = 0;
        while (place < count && parameters[place] != keyword)
            place++; /* keywords in source code are interned, others need not be quick */
        if (place == count || found[place] != NULL) return false;
        found[place] = arguments->values[arguments->count + i];
    }
    return true;
}

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

int find_entry(PyObject *dict, PyObject *key, PyObject **found) {
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

int args_ready(void) {
#define X(name) \
    if ((names.name = PyUnicode_InternFromString(#name)) == NULL) return -1;
    PARAMETERS(X)
#undef X
    return 0;
}
