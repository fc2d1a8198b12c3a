/* The pool: memory of large results that was used before. */
#ifndef SUPREMUM_POOL_H
#define SUPREMUM_POOL_H

#include "base.h"

/* Seconds after which unused memory is returned, and bytes from which results come from the pool: those of which the C
 * library maps memory, or returns to the system what is free. */
enum { IDLE = 10, POOLED = 1 << 17 };
/* Make an ndarray of memory of the pool, in the order of `strides` or, without them, in C's or Fortran's; NULL without
 * an exception where the pool is off or has none. It owns its memory as others do, and returns it to the pool. */
PyArrayObject *new_pooled(PyArray_Descr *dtype, int ndim, const npy_intp *shape, const npy_intp *strides, bool fortran);
/* Return all memory that the pool holds to the operating system; false where it held none. */
bool empty_pool(void);
/* Return memory that was not used for a while. */
void trim_pool(void);
/* The domain of tracemalloc in which NumPy counts the memory of ndarrays. */
enum { TRACE_DOMAIN = 389047 };
/* Whether the memory of an ndarray of the pool comes back to it; called once, before there are others. */
bool pool_is_returned_to(void);
/* What the pool does before and after a fork: see threads.c. */
void lock_pool(void), unlock_pool(void), renew_pool(void);

/* Return the time of a clock that is never set, in steps of milliseconds. */
double monotonic_seconds(void);
int pool_ready(void);
extern PyMethodDef pool_functions[];

#endif
