/* Types of elements, and nodes. */
#include "types.h"

#include "parts.h"

const uint8_t type_size[E_COUNT] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16};

/* -- narrow types -- */

#define NAME_OF(name, NAME, ...) [E_##NAME - E_NARROW] = #name,
#define SIZE_OF_FLOAT(name, NAME, storage, ...) [E_##NAME - E_NARROW] = storage / 8,
#define SIZE_OF_INTEGER(name, NAME, ...) [E_##NAME - E_NARROW] = 1,
static const char *const narrow_names[E_TYPES - E_NARROW] = {NARROW_FLOATS(NAME_OF) NARROW_INTEGERS(NAME_OF)};
static const uint8_t narrow_sizes[] = {NARROW_FLOATS(SIZE_OF_FLOAT) NARROW_INTEGERS(SIZE_OF_INTEGER)};

enum { NUMBERS_OF_TYPES = 64 };
static uint8_t
    by_number[NUMBERS_OF_TYPES]; /* the Type of a type number of another package, counted from NPY_USERDEF; 0: none */
static int numbers[E_TYPES - E_NARROW]; /* the reverse; NPY_NOTYPE where there is none */

NOINLINE Type narrow_type(int number) {
    if (number == NPY_HALF) return E_FLOAT16;
    int place = number - NPY_USERDEF;
    return place >= 0 && place < NUMBERS_OF_TYPES && by_number[place] ? (Type)by_number[place] : E_FOREIGN;
}
int number_of_narrow(Type type) { return numbers[type - E_NARROW]; }
npy_intp size_of_narrow(Type type) { return narrow_sizes[type - E_NARROW]; }

int types_ready(void) {
    PyObject *package = PyImport_ImportModule("ml_dtypes");
    if (package == NULL) return -1;
    for (int i = 0; i < E_TYPES - E_NARROW; i++) {
        PyObject *scalar = i + E_NARROW == E_FLOAT16 ? NULL : PyObject_GetAttrString(package, narrow_names[i]);
        PyArray_Descr *dtype = NULL;
        numbers[i] = i + E_NARROW == E_FLOAT16 ? NPY_HALF : NPY_NOTYPE;
        if (scalar == NULL) PyErr_Clear(); /* older versions lack some */
        else if (PyArray_DescrConverter(scalar, &dtype) != NPY_SUCCEED) {
            Py_DECREF(scalar);
            Py_DECREF(package);
            return -1;
        } else if (dtype->type_num >= NPY_USERDEF && dtype->type_num < NPY_USERDEF + NUMBERS_OF_TYPES) {
            numbers[i] = dtype->type_num;
            by_number[dtype->type_num - NPY_USERDEF] = (uint8_t)(i + E_NARROW);
        }
        Py_XDECREF((PyObject *)dtype);
        Py_XDECREF(scalar);
    }
    Py_DECREF(package);
    return 0;
}

/* -- nodes -- */

Node nodes[MAX_NODES];
int node_count;
enum { SLOTS = 512 };             /* more than twice MAX_NODES, and a power of two */
static int16_t by_address[SLOTS]; /* index + 1 of the node whose object has this address, or of one that was there
                                     first; 0: none */

static const Node *strong_nodes[E_COUNT]; /* by the type of their elements */

static unsigned slot_of(PyObject *object) { return (unsigned)(((uintptr_t)object >> 4) * 2654435761u) % SLOTS; }

const Node *node_of(PyObject *object) {
    for (unsigned slot = slot_of(object); by_address[slot]; slot = (slot + 1) % SLOTS)
        if (nodes[by_address[slot] - 1].object == object) return &nodes[by_address[slot] - 1];
    PyErr_Format(PyExc_TypeError, "%R is no node that arrays can have", object);
    return NULL;
}

Type type_of_dtype(PyArray_Descr *dtype) {
    enum { WIDEST = 8 };
    static const Type signed_types[] = {[1] = E_INT8, [2] = E_INT16, [4] = E_INT32, [WIDEST] = E_INT64};
    static const Type unsigned_types[] = {[1] = E_UINT8, [2] = E_UINT16, [4] = E_UINT32, [WIDEST] = E_UINT64};
    npy_intp size = PyDataType_ELSIZE(dtype);
    if (!PyArray_ISNBO(dtype->byteorder)) return E_FOREIGN;
    if (!is_of_numpy(dtype)) return narrow_type(dtype->type_num);
    switch (dtype->type_num) {
    case NPY_FLOAT: return E_FLOAT32;
    case NPY_DOUBLE: return E_FLOAT64;
    case NPY_CFLOAT: return E_COMPLEX64;
    case NPY_CDOUBLE: return E_COMPLEX128;
    case NPY_HALF: return E_FLOAT16;
    default: break;
    }
    if (dtype->kind == 'b') return E_BOOL;
    if (size < 1 || size > WIDEST || (size & (size - 1)) != 0) return E_FOREIGN;
    if (dtype->kind == 'i') return signed_types[size];
    if (dtype->kind == 'u') return unsigned_types[size];
    return E_FOREIGN;
}

const Node *node_of_dtype(PyArray_Descr *dtype) { return node_of_type(type_of_dtype(dtype)); }

const Node *node_of_type(Type type) { return is_native(type) ? strong_nodes[type] : NULL; }

/* Fill one entry from the attributes of a Python node; true on success. May run Python. */
static bool read_node(PyObject *object, Node *node) {
    PyObject *index = PyObject_GetAttrString(object, "index"), *weak = PyObject_GetAttrString(object, "weak");
    PyObject *dtype = PyObject_GetAttrString(object, "dtype"), *kind = PyObject_GetAttrString(object, "kind");
    PyObject *public = PyObject_GetAttrString(object, "public");
    bool good = index && weak && dtype && kind && public;
    if (good && !(PyArray_DescrCheck(dtype) && PyUnicode_Check(kind) && PyUnicode_GET_LENGTH(kind) == 1)) {
        PyErr_Format(PyExc_TypeError, "register: %R has no dtype or no kind", object);
        good = false;
    }
    /* Results have memory as it comes, and elements are copied as bytes. */
    if (good && (PyDataType_FLAGS((PyArray_Descr *)dtype) & (NPY_NEEDS_INIT | NPY_ITEM_REFCOUNT)) != 0) {
        PyErr_Format(PyExc_TypeError, "register: elements of %R are references or must be initialised", object);
        good = false;
    }
    if (good) {
        node->index = (int)PyLong_AsLong(index);
        node->weak = PyObject_IsTrue(weak) == 1;
        node->kind = (char)PyUnicode_READ_CHAR(kind, 0);
        good = !PyErr_Occurred();
    }
    if (good) {
        node->dtype = (PyArray_Descr *)Py_NewRef(dtype);
        node->type = type_of_dtype(node->dtype);
        node->object = Py_NewRef(object);
        node->public = Py_NewRef(public);
    }
    Py_XDECREF(index);
    Py_XDECREF(weak);
    Py_XDECREF(dtype);
    Py_XDECREF(kind);
    Py_XDECREF(public);
    return good;
}

static PyObject *register_nodes(PyObject *Py_UNUSED(module), PyObject *argument) {
    PyObject *sequence = PySequence_Fast(argument, "register: expected a sequence of nodes");
    if (sequence == NULL) return NULL;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence); i++) {
        PyObject *object = PySequence_Fast_GET_ITEM(sequence, i);
        Node node;
        if (node_count == MAX_NODES) {
            PyErr_Format(PyExc_ValueError, "register: there are more than %d nodes", MAX_NODES);
            break;
        }
        if (!read_node(object, &node)) break;
        if (node.index != node_count) {
            PyErr_Format(PyExc_ValueError, "register: %R has index %d, expected %d", object, node.index, node_count);
            Py_DECREF(node.object);
            Py_DECREF(node.dtype);
            Py_DECREF(node.public);
            break;
        }
        nodes[node_count++] = node;
        if (is_native(node.type) && !node.weak && strong_nodes[node.type] == NULL)
            strong_nodes[node.type] = &nodes[node_count - 1];
        unsigned slot = slot_of(object);
        while (by_address[slot]) slot = (slot + 1) % SLOTS;
        by_address[slot] = (int16_t)node_count;
    }
    Py_DECREF(sequence);
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

PyMethodDef type_functions[] = {
    {"register", register_nodes, METH_O, PyDoc_STR("Register nodes, in the order of their indices.")},
    {NULL, NULL, 0, NULL},
};
