/* Batches: see batches.c; elementwise operations on them are in elementwise.c. */
#ifndef SUPREMUM_BATCHES_H
#define SUPREMUM_BATCHES_H

#include "base.h"

/* The axis that is mapped, while the mapped function runs. */
typedef struct {
    PyObject_HEAD
    PyObject *name;     /* owned */
    PyObject *size;     /* owned */
    PyObject *position; /* owned; the one whose values all batches have; None if they have those of all */
    long long level;
    char in_rule, one_by_one;
    int examples;
} Axis;

typedef struct {
    PyObject_HEAD
    Axis *axis;      /* owned; both are set once */
    PyObject *value; /* owned */
} Batch;

extern PyTypeObject *AxisType, *BatchType;

/* Make a batch; NULL with an exception. May run Python. */
PyObject *new_batch(PyTypeObject *type, Axis *axis, PyObject *value);

#endif
