/* What the engine relies on of NumPy: see numpy.c. */
#ifndef SUPREMUM_NUMPYS_H
#define SUPREMUM_NUMPYS_H

#include "types.h"

/* A loop of a ufunc, and what it gets as its last argument. */
typedef struct {
    PyUFuncGenericFunction function;
    void *data;
} UfuncLoop;
/* Find the loop of a ufunc, of NumPy's or ours, from native inputs of one type to another; false where there is none
 * that is sure to raise no exception. */
bool find_ufunc_loop(const PyUFuncObject *ufunc, Type input, Type output, UfuncLoop *found);
/* The same of a function of NumPy's, from and to elements of one type. May run Python. */
bool find_numpy_loop(const char *name, Type type, UfuncLoop *found);
/* Return NumPy's sort of a buffer's numbers, equal ones in any order; NULL where there is none. */
PyArray_SortFunc *sort_of(PyArrayObject *data);
extern bool use_loops;

/* Try all of it: 0, or -1 with an ImportError. */
int try_numpy(void);
extern PyMethodDef numpy_functions[];

#endif
