/* Memory of Arrays and their ndarrays: what small results are made of, and where it goes when they die.
 *
 * Making and freeing an ndarray costs NumPy as much as the rest of an operation on a few elements. So ndarrays that die
 * with their Array, and are still as `new_data` made them, are kept for the next result of the same dtype and shape.
 * No program can see it: they are plain ndarrays that own their memory, to which nothing refers. The same is done with
 * the memory of Arrays. Both keep little (see LARGEST and MOST).
 *
 * Without the GIL nothing is kept. -DENGINE_REUSE=0 turns it off too, for tools that look for uses of freed memory.
 */
#include "memory.h"

#include "pool.h"

#ifdef Py_GIL_DISABLED
#undef ENGINE_REUSE
#define ENGINE_REUSE 0
#elif !defined(ENGINE_REUSE)
#define ENGINE_REUSE 1
#endif

/* -- ndarrays that are used again -- */

#if ENGINE_REUSE
enum {
    LARGEST = 1024,     /* bytes of elements of an ndarray that is kept */
    SHELF_SIZE = 64,    /* ndarrays of one dtype and shape, if they are small */
    SHELF_BYTES = 8192, /* elements' bytes on one shelf */
    SHELVES = 64,       /* a power of two */
};
/* Ndarrays of one dtype and shape, C-contiguous; owned, each by nothing else. Guarded by the GIL. */
typedef struct {
    int count;
    PyArrayObject *kept[SHELF_SIZE];
} Shelf;
static Shelf shelves[SHELVES];

static Shelf *shelf_of(const Node *node, int ndim, const npy_intp *shape) {
    size_t hash = (size_t)node->index;
    for (int i = 0; i < ndim; i++) hash = hash * 31 + (size_t)shape[i];
    return &shelves[hash & (SHELVES - 1)];
}

static bool is_like(PyArrayObject *data, const Node *node, int ndim, const npy_intp *shape) {
    if (PyArray_DESCR(data) != node->dtype || PyArray_NDIM(data) != ndim) return false;
    for (int i = 0; i < ndim; i++)
        if (PyArray_DIM(data, i) != shape[i]) return false;
    return true;
}

/* Take a kept ndarray; NULL without an exception where there is none. */
static inline PyArrayObject *take_kept(const Node *node, int ndim, const npy_intp *shape) {
    Shelf *shelf = shelf_of(node, ndim, shape);
    return shelf->count > 0 && is_like(shelf->kept[0], node, ndim, shape) ? shelf->kept[--shelf->count] : NULL;
}

/* Return the bytes of elements of an ndarray that is what `new_data` makes, small, and known only to its Array;
 * 0 of others. Users may have changed it by `x._data`. */
static inline npy_intp bytes_as_made(PyArrayObject *data, const Node *node) {
    enum { MADE = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE | NPY_ARRAY_OWNDATA };
    if (Py_REFCNT(data) != 1 || (PyArray_FLAGS(data) & ~NPY_ARRAY_F_CONTIGUOUS) != MADE) return 0;
    if (PyArray_DESCR(data) != node->dtype || PyArray_BASE(data) != NULL) return 0;
    if (*(PyObject **)((char *)data + PyArray_Type.tp_weaklistoffset) != NULL)
        return 0; /* its death must be reported */
    npy_intp step = PyArray_ITEMSIZE(data);
    for (int i = PyArray_NDIM(data) - 1; i >= 0; i--) { /* the strides of an axis of length 1 may be anything */
        if (PyArray_STRIDE(data, i) != step) return 0;
        step *= PyArray_DIM(data, i);
        if (step == 0 || step > LARGEST) return 0;
    }
    return step;
}

/* Drop an ndarray, or keep it; takes over `data`. May run Python. */
static void drop_data(PyArrayObject *data, const Node *node) {
    npy_intp bytes = bytes_as_made(data, node);
    if (bytes == 0) {
        Py_DECREF(data);
        return;
    }
    int ndim = PyArray_NDIM(data);
    Shelf *shelf = shelf_of(node, ndim, PyArray_DIMS(data));
    if (shelf->count > 0 && !is_like(shelf->kept[0], node, ndim, PyArray_DIMS(data)))
        while (shelf->count > 0)
            Py_DECREF(shelf->kept[--shelf->count]); /* the shelf is for what comes now; this runs no Python */
    if (shelf->count < SHELF_SIZE && shelf->count * bytes < SHELF_BYTES) shelf->kept[shelf->count++] = data;
    else Py_DECREF(data);
}
#else
#define take_kept(node, ndim, shape) NULL
#define drop_data(data, node) Py_DECREF(data)
#endif

static inline PyArrayObject *new_of_numpy(PyArray_Descr *dtype, int ndim, const npy_intp *shape,
                                          const npy_intp *strides, bool fortran) {
    Py_INCREF(dtype); /* which NumPy takes over, in failure too */
    return (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, dtype, ndim, (npy_intp *)shape, (npy_intp *)strides,
                                                 NULL, fortran ? NPY_ARRAY_F_CONTIGUOUS : 0, NULL);
}

PyArrayObject *new_buffer(PyArray_Descr *dtype, int ndim, const npy_intp *shape, const npy_intp *strides,
                          bool fortran) {
    npy_intp bytes = PyDataType_ELSIZE(dtype);
    for (int i = 0; i < ndim; i++) bytes = size_product(bytes, shape[i]);
    if (bytes >= POOLED) {
        PyArrayObject *pooled = new_pooled(dtype, ndim, shape, strides, fortran);
        if (pooled != NULL || PyErr_Occurred()) return pooled;
    }
    PyArrayObject *out = new_of_numpy(dtype, ndim, shape, strides, fortran);
    if (out != NULL || !PyErr_ExceptionMatches(PyExc_MemoryError) || !empty_pool()) return out;
    PyErr_Clear();
    return new_of_numpy(dtype, ndim, shape, strides, fortran);
}

PyArrayObject *new_data(const Node *node, int ndim, const npy_intp *shape, bool fortran) {
    PyArrayObject *kept = fortran && ndim > 1 ? NULL : take_kept(node, ndim, shape);
    return kept != NULL ? kept : new_buffer(node->dtype, ndim, shape, NULL, fortran);
}

PyArrayObject *new_zeros(const Node *node, int ndim, const npy_intp *shape) {
    PyArrayObject *kept = take_kept(node, ndim, shape);
    if (kept != NULL) {
        memset(PyArray_BYTES(kept), 0, PyArray_NBYTES(kept));
        return kept;
    }
    Py_INCREF(node->dtype); /* which NumPy takes over */
    return (PyArrayObject *)PyArray_Zeros(ndim, (npy_intp *)shape, node->dtype, 0);
}

PyArrayObject *new_view(PyArrayObject *data, int ndim, const npy_intp *shape, const npy_intp *strides, char *start) {
    PyArray_Descr *dtype = PyArray_DESCR(data);
    bool packed =
        ndim == 1 && strides[0] == PyArray_ITEMSIZE(data); /* then NumPy need not find out whether it is contiguous */
    Py_INCREF(dtype);                                      /* which NumPy takes over */
    PyArrayObject *view = (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, dtype, ndim, (npy_intp *)shape,
                                                                packed ? NULL : (npy_intp *)strides, start,
                                                                PyArray_FLAGS(data) & NPY_ARRAY_WRITEABLE, NULL);
    if (view == NULL) return NULL;
    Py_INCREF(data); /* which NumPy takes over, in failure too */
    if (PyArray_SetBaseObject(view, (PyObject *)data) < 0) {
        Py_DECREF(view);
        return NULL;
    }
    return view;
}

/* -- Arrays -- */

PyTypeObject *ArrayType;

#if ENGINE_REUSE
enum { SPARE = 64 };
static Array *spare[SPARE]; /* memory of freed Arrays, each with its reference to the type; guarded by the GIL */
static int spares;

/* Have an object live again that kept its type. */
#if defined(Py_REF_DEBUG) || defined(Py_TRACE_REFS)
#define REVIVE(object) _Py_NewReference((PyObject *)(object))
#else
#define REVIVE(object) Py_SET_REFCNT((PyObject *)(object), 1)
#endif
#endif

/* Arrays are not tracked by the garbage collector: an Array refers to an ndarray, which is not tracked either, and to a
 * node, which lives as long as the process. So no cycle goes through an Array that the collector could break, and
 * containers of Arrays cost it nothing. */
PyObject *wrap(PyArrayObject *data, const Node *node) {
    if (data == NULL) return NULL;
    Array *self;
#if ENGINE_REUSE
    if (spares > 0) {
        self = spare[--spares];
        REVIVE(self);
    } else
#endif
        self = PyObject_New(Array, ArrayType);
    if (self == NULL) {
        Py_DECREF(data);
        return NULL;
    }
    self->data = data;
    self->node = node;
    self->weakrefs = NULL;
    return (PyObject *)self;
}

bool is_equivalent(PyArrayObject *data, const Node *node) {
    return node->type == E_FOREIGN ? PyArray_EquivTypes(PyArray_DESCR(data), node->dtype)
                                   : type_of_dtype(PyArray_DESCR(data)) == node->type;
}

PyObject *wrap_checked(PyArrayObject *data, const Node *node) {
    if (data == NULL || is_of(data, node)) return wrap(data, node);
    PyErr_Format(PyExc_TypeError, "wrap: a buffer of dtype %S cannot be an array of node %S", PyArray_DESCR(data),
                 node->object);
    Py_DECREF(data);
    return NULL;
}

void array_dealloc(PyObject *object) {
    Array *self = (Array *)object;
    if (self->weakrefs != NULL) PyObject_ClearWeakRefs(object); /* may run Python */
    PyArrayObject *data = self->data;
    self->data = NULL;
    drop_data(data, self->node); /* may run Python, which may make arrays: the memory is given back only after it */
#if ENGINE_REUSE
    if (Py_IS_TYPE(object, ArrayType) && spares < SPARE) {
        spare[spares++] = self;
        return;
    }
#endif
    PyTypeObject *type = Py_TYPE(object);
    PyObject_Free(self);
    Py_DECREF(type);
}

PyObject *shape_of(PyArrayObject *const *place) {
    npy_intp copy[NPY_MAXDIMS];
    int ndim = PyArray_NDIM(*place);
    PyObject *shape = PyTuple_New(ndim); /* may run Python */
    const npy_intp *lengths = PyArray_DIMS(*place);
    if (PyArray_NDIM(*place) != ndim && shape != NULL) {
        ndim = PyArray_NDIM(*place);
        memcpy(copy, lengths, ndim * sizeof *copy);
        lengths = copy;
        Py_SETREF(shape, PyTuple_New(ndim)); /* again */
    }
    for (int i = 0; shape != NULL && i < ndim; i++) {
        PyObject *length = PyLong_FromSsize_t(lengths[i]);
        if (length == NULL) Py_CLEAR(shape);
        else PyTuple_SET_ITEM(shape, i, length);
    }
    return shape;
}
