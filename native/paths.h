/* What functions and operators are made of: fast paths, plain calls, slots of types. */
#ifndef SUPREMUM_PATHS_H
#define SUPREMUM_PATHS_H

#include "args.h"

/* A fast path; the operation is what the Function has, or NULL. */
typedef PyObject *FastPath(Operation *operation, const Arguments *arguments);
typedef struct {
    const char *name;
    FastPath *fast;
    bool plans; /* whether it finds plans, which watched states do not have */
} NamedPath;
/* Define a fast path by what it returns, of `operation` and `arguments`. */
#define FAST_PATH(name, result) \
    static PyObject *quick_##name(Operation *operation, const Arguments *arguments) { \
        (void)operation; \
        return result; \
    }
/* Let functions find fast paths by name in tables, of which the last one is NULL. */
void register_paths(const NamedPath *const *tables);
/* A plain call, of functions that are one call on buffers where their arguments are plain. */
typedef struct Plain Plain;
/* Return the result of a plain call; NULL without an exception where the arguments are not plain. May run Python. */
PyObject *call_plain(const Plain *self, const Arguments *arguments);
extern const NamedPath shape_paths[], join_paths[], product_paths[], creation_paths[], conversion_paths[], at_paths[],
    random_paths[], comparing_paths[], ordering_paths[], fold_paths[];
/* Offer a call of a function to the operands that take over, one after the other: the result; NotImplemented if all
 * refuse; or NULL, without an exception where there is none. May run Python. */
PyObject *offer(PyObject *function, PyObject *const *args, Py_ssize_t count, PyObject *keywords);

/* -- slots of types -- */

/* The slots of Python's operators. */
#define OPERATOR_SLOTS(X) \
    X(add) X(subtract) X(multiply) X(true_divide) X(floor_divide) X(remainder) X(and) X(or) X(xor) X(lshift) X(rshift)
#define X(name) \
    PyObject *operator_##name(PyObject *, PyObject *); \
    PyObject *operator_inplace_##name(PyObject *, PyObject *);
OPERATOR_SLOTS(X)
#undef X
PyObject *operator_power(PyObject *, PyObject *, PyObject *);
PyObject *operator_inplace_power(PyObject *, PyObject *, PyObject *);
PyObject *operator_divmod(PyObject *, PyObject *);
PyObject *operator_matrix_multiply(PyObject *, PyObject *);
PyObject *operator_inplace_matrix_multiply(PyObject *, PyObject *);
PyObject *operator_negative(PyObject *);
PyObject *operator_positive(PyObject *);
PyObject *operator_absolute(PyObject *);
PyObject *operator_invert(PyObject *);
PyObject *operator_compare(PyObject *, PyObject *, int);
#define OPERATOR_SLOT(name) {Py_nb_##name, operator_##name},
/* Those of operands that take over, which are not hashable. */
#define OPERAND_SLOTS \
    OPERATOR_SLOTS(OPERATOR_SLOT){Py_nb_power, operator_power}, {Py_nb_negative, operator_negative}, \
        {Py_nb_positive, operator_positive}, {Py_nb_absolute, operator_absolute}, {Py_nb_invert, operator_invert}, \
        {Py_tp_hash, PyObject_HashNotImplemented}, { \
        Py_tp_richcompare, operator_compare \
    }
PyObject *array_subscript(PyObject *x, PyObject *key);
int array_assign_subscript(PyObject *x, PyObject *key, PyObject *value);
PyObject *array_item(PyObject *x, Py_ssize_t index);
/* Make what `x.at` is. */
PyObject *at_of(PyObject *x, void *closure);

#endif
