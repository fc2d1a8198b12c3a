/* What a `dtype=` argument means: one look-up of names, dtypes, classes of scalars and Python's types. */
#include "args.h"
#include "parts.h"

enum { SLOTS = 1024 }; /* more than twice the registered objects, and a power of two */

/* What an object means: a node, or the default one of a kind of Python scalars. */
typedef struct {
    PyObject *object; /* kept alive by `registered`; NULL where the slot is free */
    const Node *node; /* NULL: of `kind` */
    Scalar kind;
} Meaning;

static PyObject *registered; /* owned */
static Meaning meanings[SLOTS];

/* Return the slot of an object, or the free one where it would be. Strings are compared, all others are known by their
 * address: so no Python runs. */
static Meaning *meaning_of(PyObject *object) {
    bool text = PyUnicode_CheckExact(object);
    uintptr_t hash = text ? (uintptr_t)PyObject_Hash(object) : (uintptr_t)object >> 4;
    for (unsigned slot = (unsigned)(hash * 2654435761u);; slot++) {
        Meaning *found = &meanings[slot % SLOTS];
        if (found->object == NULL || found->object == object) return found;
        if (text && PyUnicode_CheckExact(found->object) && PyUnicode_Compare(found->object, object) == 0) return found;
    }
}

/* Return the kind of a Python type, or S_NONE. */
static Scalar kind_of_type(PyObject *type) {
    PyTypeObject *const python[] = {&PyBool_Type, &PyLong_Type, &PyFloat_Type,
                                    &PyComplex_Type}; /* not static: Windows imports their addresses */
    for (int kind = 0; kind < S_COUNT; kind++)
        if (type == (PyObject *)python[kind]) return (Scalar)kind;
    return S_NONE;
}

static PyObject *register_dtypes(PyObject *Py_UNUSED(module), PyObject *pairs) {
    if (registered != NULL) return PyErr_Format(PyExc_ValueError, "register_dtypes: the dtypes are registered already");
    PyObject *sequence = PySequence_Tuple(pairs);
    if (sequence == NULL) return NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(sequence);
    if (count > SLOTS / 2) PyErr_Format(PyExc_ValueError, "register_dtypes: there are more than %d pairs", SLOTS / 2);
    for (Py_ssize_t i = 0; !PyErr_Occurred() && i < count; i++) {
        PyObject *pair = PyTuple_GET_ITEM(sequence, i);
        if (!PyTuple_CheckExact(pair) || PyTuple_GET_SIZE(pair) != 2)
            PyErr_Format(PyExc_TypeError, "register_dtypes: %R is no pair", pair);
        else if (kind_of_type(PyTuple_GET_ITEM(pair, 1)) == S_NONE) node_of(PyTuple_GET_ITEM(pair, 1));
    }
    if (PyErr_Occurred()) {
        Py_DECREF(sequence);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *pair = PyTuple_GET_ITEM(sequence, i), *object = PyTuple_GET_ITEM(pair, 0),
                 *value = PyTuple_GET_ITEM(pair, 1);
        Scalar kind = kind_of_type(value);
        *meaning_of(object) = (Meaning){object, kind == S_NONE ? node_of(value) : NULL, kind};
    }
    registered = sequence;
    Py_RETURN_NONE;
}

const Node *find_dtype(const State *state, PyObject *dtype) {
    const Meaning *found = meaning_of(dtype);
    const Node *node = NULL;
    if (found->object != NULL) node = found->node != NULL ? found->node : state->defaults[found->kind];
    else if (PyArray_DescrCheck(dtype) &&
             PyArray_ISNBO(((PyArray_Descr *)dtype)->byteorder)) /* another object of the same dtype */
        node = meaning_of((PyObject *)((PyArray_Descr *)dtype)->typeobj)->node;
    return node != NULL && allows(state, node) ? node : NULL;
}

const Node *node_of_argument(const State *state, PyObject *dtype) {
    const Node *node = find_dtype(state, dtype);
    return node == NULL || node->type == E_FOREIGN ? NULL : node;
}

/* The same for Python functions: the node, or None. */
static PyObject *find_dtype_function(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count) {
    if (count != 2 || !PyObject_TypeCheck(args[0], StateType)) {
        PyErr_SetString(PyExc_TypeError, "find_dtype: expected a State and a dtype");
        return NULL;
    }
    const Node *node = find_dtype((State *)args[0], args[1]);
    return Py_NewRef(node == NULL ? Py_None : node->object);
}

PyMethodDef dtype_functions[] = {
    {"register_dtypes", register_dtypes, METH_O,
     PyDoc_STR("Register what `dtype=` arguments may be, with the strong nodes that they mean, or types of Python "
               "scalars for defaults.")},
    {"find_dtype", FASTCALL(find_dtype_function),
     PyDoc_STR("Return the strong node that a `dtype=` argument means in a State, or None.")},
    {NULL, NULL, 0, NULL},
};
