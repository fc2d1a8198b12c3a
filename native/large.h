/* What large arrays need: memory that was used before (pool.c) and several threads (threads.c). */
#ifndef SUPREMUM_LARGE_H
#define SUPREMUM_LARGE_H

#include "engine.h"

/* -- memory -- */

/* Seconds after which unused memory is returned. */
enum { IDLE = 10 };

/* Bytes from which results come from the pool. */
enum { POOLED = 1 << 20 };
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

/* -- threads -- */

/* What is done to the units from `first` up to `last`, by one of several threads, of which none holds the GIL. The
 * number of the thread is for scratch memory. */
typedef void Work(void *context, int thread, npy_intp first, npy_intp last);
/* More threads than ever compute at the same time. */
enum { MOST_THREADS = 256 };
/* Elements that a thread computes at least, for less of which it is not worth waking it. */
enum { THREAD_ELEMENTS = 1 << 17, SHARED = 2 * THREAD_ELEMENTS };
/* Elements by multiples of which work is divided, so that every thread's loop runs through the same vectors and tails
 * as one thread's. */
enum { GRAIN = 1 << 12 };
/* Have work done on `count` units of `weight` elements each, by so many threads at most, whose numbers are below that,
 * and wait for its end. No thread holds the GIL. What is computed may not depend on how the units are divided. */
void divide_work(int threads, Work *work, void *context, npy_intp count, npy_intp weight);
/* Return by how many threads work would be divided. */
int threads_of(npy_intp count, npy_intp weight);

/* The same where there may be so few elements that one thread computes them; it may hold the GIL then. */
static inline void share_among(int threads, Work *work, void *context, npy_intp count, npy_intp weight) {
    if (size_product(count, weight) < SHARED) work(context, 0, 0, count);
    else divide_work(threads, work, context, count, weight);
}
static inline void share_work(Work *work, void *context, npy_intp count, npy_intp weight) {
    share_among(MOST_THREADS, work, context, count, weight);
}
static inline int threads_for(npy_intp count, npy_intp weight) {
    return size_product(count, weight) < SHARED ? 1 : threads_of(count, weight);
}

/* Have a plan's loop called on SHARED elements or more that lie `steps` bytes apart; the same of a conversion. */
void share_loop(const Plan *plan, int operands, char *const *pointers, const npy_intp *steps, npy_intp count);
void share_conversion(const Conversion *how, const char *from, char *to, npy_intp count);

int add_large(PyObject *module), add_pool(void);
extern PyMethodDef thread_functions[], pool_functions[];

#endif
