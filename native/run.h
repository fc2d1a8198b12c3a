/* What computes: elementwise operations, nests of loops, indices and products. */
#ifndef SUPREMUM_RUN_H
#define SUPREMUM_RUN_H

#include "cast.h"
#include "plan.h"

/* -- elementwise operations -- */

/* Apply an operation. NULL without an exception: an operand is neither an Array nor a plain one. */
PyObject *quick_binary(Operation *operation, PyObject *x, PyObject *y);
PyObject *quick_unary(Operation *operation, PyObject *x);
/* Return an ndarray or a Python scalar as an Array (a new reference); NULL without an exception where that is Python's
 * to do. */
PyObject *plain_operand(PyObject *x);
/* Apply it to operands that are differentiated: set by tapes.c. NULL without an exception where it is not plain. */
extern PyObject *(*quick_duals)(Operation *operation, PyObject *const *operands);
/* Apply in place, likewise. */
PyObject *quick_in_place(Operation *operation, PyObject *x, PyObject *y);

/* Whether two arrays have one shape. */
static inline bool same_shape(PyArrayObject *a, PyArrayObject *b) {
    int ndim = PyArray_NDIM(a);
    if (PyArray_NDIM(b) != ndim) return false;
    for (int i = 0; i < ndim; i++)
        if (PyArray_DIM(a, i) != PyArray_DIM(b, i)) return false;
    return true;
}

/* Where a loop reads an operand: elements of some type, `step` bytes apart (0: the same one again and again). */
typedef struct {
    const char *start;
    npy_intp step;
    Type type;
} Source;

/* Find the conversion of an operand; it is NumPy's, which rounds to narrow floats through float32 (but float64 to
 * float16 at once). */
bool find_operand_conversion(Type from, Type to, Conversion *found);
/* Convert blocks and call the loop on them. Each source is contiguous or one element; of another type than the loop's,
 * it has a conversion. Needs no lock. */
void compute_blocks(const Plan *plan, const Source *sources, const Conversion *conversions, int count, char *out,
                    npy_intp size);
/* Have a plan's loop called on SHARED elements or more that lie `steps` bytes apart. */
void share_loop(const Plan *plan, int operands, char *const *pointers, const npy_intp *steps, npy_intp count);
/* Broadcast shapes: the number of dimensions of the result, or -1 (no exception) where they do not fit. */
int broadcast(int count, PyArrayObject *const *arrays, npy_intp *shape);
/* Fill contiguous elements with one. */
void fill_elements(char *place, const char *element, Py_ssize_t itemsize, npy_intp count);

/* -- nests of loops: broadcast and strided operands, whose axes are merged where they lie behind one another -- */

/* A nest of loops over two operands and a result. */
typedef struct {
    int ndim;
    npy_intp shape[NPY_MAXDIMS], strides[3][NPY_MAXDIMS];
} Nest;

/* Merge axes that lie behind one another in every operand, and drop those of length 1. */
void coalesce(Nest *nest);
/* Have a plan's loop called on all rows; threads share the outer axis of many elements. */
void share_nest(const Plan *plan, const Nest *nest, char *const *starts, npy_intp size);
/* Make a result whose axes lie in the order of the operands', as NumPy's iterator does, so that later sums have the
 * same order. */
PyArrayObject *new_like_operands(const Plan *plan, const Nest *nest);

/* -- choices -- */

/* Elements of an operand of `where`, or one for all; and a choice by a mask, of the elements from `first` up to `last`.
 */
typedef struct {
    const char *start;
    bool many;
} Choice;
typedef struct {
    char *to;
    Choice mask, a, b;
    Py_ssize_t itemsize;
} Choosing;
void choose_elements(void *choosing, int thread, npy_intp first, npy_intp last);

/* -- indices -- */

/* Read by an index array or a mask; NULL without an exception where it is not plain or out of range. */
PyObject *read_by_array(const Operand *x, const Operand *key);
/* Write elements, or rows, of the dtype of `data` where an index array says; false where it is not plain or out of
 * range, and nothing is written. */
bool write_by_indices(PyArrayObject *data, const Operand *key, PyArrayObject *source);
/* Write into a view that a key made; 1, or 0 where the value is not plain, or -1 with an exception. */
int store_at(PyArrayObject *data, const Node *node, PyObject *key, PyObject *value);

/* -- products -- */

/* Multiply matrices or vectors; NULL without an exception where it is not plain. */
PyObject *quick_matmul(Operation *operation, PyObject *x, PyObject *y);

#endif
