/* Arrays, and their memory. */
#ifndef SUPREMUM_MEMORY_H
#define SUPREMUM_MEMORY_H

#include "types.h"

typedef struct {
    PyObject_HEAD
    PyArrayObject *data; /* owned; an exact ndarray; NULL only while the array is being freed */
    const Node *node;
    PyObject *weakrefs;
} Array;

extern PyTypeObject *ArrayType, *DeletedType;
#define IS_ARRAY(x) Py_IS_TYPE((x), ArrayType)

/* Hears that memory is given to others, who may write to it, or is written to in place; NULL before there is a lens. */
typedef void (*HandOut)(PyArrayObject *data);
extern HandOut hand_out;
#define HAND_OUT(data) (hand_out == NULL ? (void)0 : hand_out(data))

/* Make an Array; takes over `data`, which may be NULL with an exception set. */
PyObject *wrap(PyArrayObject *data, const Node *node);
/* The same of an ndarray that may have another dtype than the node, which is a TypeError. */
PyObject *wrap_checked(PyArrayObject *data, const Node *node);
void array_dealloc(PyObject *object);
/* Return the shape of the buffer at a place as a tuple. May run Python, after which the place is read again. */
PyObject *shape_of(PyArrayObject *const *place);
/* Make an empty C-contiguous (or Fortran-contiguous) ndarray. */
PyArrayObject *new_data(const Node *node, int ndim, const npy_intp *shape, bool fortran);
/* The same of a dtype (which is not taken over), and perhaps strides; of large ones, the memory is the pool's. */
PyArrayObject *new_buffer(PyArray_Descr *dtype, int ndim, const npy_intp *shape, const npy_intp *strides, bool fortran);
/* Make a C-contiguous ndarray of zeros. */
PyArrayObject *new_zeros(const Node *node, int ndim, const npy_intp *shape);
/* An operand: what an Array was when the call began. The buffer is owned: an Array that is deleted gets another one. */
typedef struct {
    PyArrayObject *data;
    const Node *node;
} Operand;
static inline Operand operand_of(PyObject *x) {
    return (Operand){(PyArrayObject *)Py_NewRef((PyObject *)((Array *)x)->data), ((Array *)x)->node};
}
/* Make a view of `data` that begins at `start`. */
PyArrayObject *new_view(PyArrayObject *data, int ndim, const npy_intp *shape, const npy_intp *strides, char *start);
/* Whether a buffer has the dtype of a node, though its dtype is another object. Runs no Python, of keys neither. */
bool is_equivalent(PyArrayObject *data, const Node *node);
/* Whether a buffer has the dtype of its Array's node. The ndarray may be shared with the user, who can set its `dtype`;
 * so this is checked before C code reads or writes elements by the node's type. */
static inline bool is_of(PyArrayObject *data, const Node *node) {
    return PyArray_DESCR(data) == node->dtype || is_equivalent(data, node);
}
/* Whether loops can read the buffer of an Array or of an Operand as it lies. */
#define aligned_native(x) (PyArray_ISALIGNED((x)->data) && is_of((x)->data, (x)->node))

#endif
