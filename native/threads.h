/* Threads that compute parts of large operations. */
#ifndef SUPREMUM_THREADS_H
#define SUPREMUM_THREADS_H

#include "base.h"

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

int threads_ready(void);
extern PyMethodDef thread_functions[];

#endif
