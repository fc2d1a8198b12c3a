/* Python scalars as elements, and elements as Python scalars. */
#ifndef SUPREMUM_SCALARS_H
#define SUPREMUM_SCALARS_H

#include "plan.h"

/* Read the element at `place` as a Python scalar; `type` is not E_FOREIGN. */
PyObject *scalar_from(Type type, const char *place);
/* Whether a node's elements can be made of a kind of Python scalars without loss of a part or a fraction. */
static inline bool holds(const Node *node, Scalar kind) {
    static const char most[] = {['b'] = S_BOOL, ['u'] = S_INT, ['i'] = S_INT, ['f'] = S_FLOAT, ['c'] = S_COMPLEX};
    return is_native(node->type) && (int)kind <= most[(int)node->kind];
}
/* Write a Python scalar of a kind as an element of the plan's input: 1, or 0 where `convert` must do it, or -1 with an
 * exception. */
int write_scalar(const Plan *plan, PyObject *scalar, Scalar kind, char *place);
/* Write a Python scalar that a type holds without a change of kind or range: 1, or 0 where it does not. */
int store_scalar(Type type, PyObject *scalar, Scalar kind, char *place);

/* The same of a narrow float that rounds what it does not hold, and integers that float32 holds. */
int store_narrow(Type type, PyObject *scalar, Scalar kind, char *place);

#endif
