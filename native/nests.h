/* Nests of loops: broadcast and strided operands, whose axes are merged where they lie behind one another. */
#ifndef SUPREMUM_NESTS_H
#define SUPREMUM_NESTS_H

#include "large.h"

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

#endif
