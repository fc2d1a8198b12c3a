/* The loops of maximum, minimum and clip of floats, of which there is a file for each width; extremes.c makes ufuncs of
 * them. */
#ifndef SUPREMUM_EXTREMES_H
#define SUPREMUM_EXTREMES_H

#include "loops.h"

#include <numpy/dtype_api.h>

/* Kernels of contiguous elements. They get at least one element, may write where they read, and need no other memory.
 */
typedef void Pairs(const void *a, const void *b, void *to, npy_intp count);
typedef void Folds(void *into, const void *from, npy_intp count);
typedef void Clips(const void *x, const void *low, const void *high, void *to, npy_intp count);
typedef struct {
    Pairs *pairs;
    Pairs *one_and; /* the first operand is one element */
    Pairs *and_one; /* the second is */
    Folds *fold;
    bool greatest;
} Two;
typedef struct {
    Clips *clip, *to_one;
} Clip; /* bounds: as many as elements, one each */
typedef struct {
    Two maximum, minimum;
    Clip clip;
} Kernels;

enum { MAXIMUM, MINIMUM, METHODS, CLIP = METHODS, UFUNCS };
/* The loops of one type, by NumPy's number. */
typedef struct {
    int type;
    PyUFuncGenericFunction loops[UFUNCS];
    PyArrayMethod_StridedLoop *methods[METHODS], *indexed[METHODS];
} Extremes;
extern const Extremes extremes_16, extremes_32, extremes_64;

#endif
