/* What large arrays need: memory that was used before (pool.c) and several threads (threads.c). */
#ifndef SUPREMUM_LARGE_H
#define SUPREMUM_LARGE_H

#include "engine.h"

/* -- locks: POSIX's or those of Windows -- */

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
typedef SRWLOCK Mutex;
typedef CONDITION_VARIABLE Condition;
#define NEW_MUTEX SRWLOCK_INIT
#define NEW_CONDITION CONDITION_VARIABLE_INIT
#define lock_mutex(mutex) AcquireSRWLockExclusive(mutex)
#define unlock_mutex(mutex) ReleaseSRWLockExclusive(mutex)
#define wait_for(condition, mutex) ((void)SleepConditionVariableSRW(condition, mutex, INFINITE, 0))
#define wait_seconds(condition, mutex, seconds) (SleepConditionVariableSRW(condition, mutex, (seconds) * 1000, 0) != 0)
#define wake_all(condition) WakeAllConditionVariable(condition)
#else
#include <pthread.h>
#include <time.h>
typedef pthread_mutex_t Mutex;
typedef pthread_cond_t Condition;
#define NEW_MUTEX PTHREAD_MUTEX_INITIALIZER
#define NEW_CONDITION PTHREAD_COND_INITIALIZER
#define lock_mutex(mutex) ((void)pthread_mutex_lock(mutex))
#define unlock_mutex(mutex) ((void)pthread_mutex_unlock(mutex))
#define wait_for(condition, mutex) ((void)pthread_cond_wait(condition, mutex))
#define wait_seconds(condition, mutex, seconds) wait_until(condition, mutex, time(NULL) + (seconds))
#define wake_all(condition) ((void)pthread_cond_broadcast(condition))
#endif

#ifndef _WIN32
/* Wait for a condition, but no longer than to a time; whether it was woken. */
static inline bool wait_until(Condition *condition, Mutex *mutex, time_t end) {
    return pthread_cond_timedwait(condition, mutex, &(struct timespec){.tv_sec = end}) == 0;
}
#endif

/* -- memory -- */

/* Seconds after which memory that nobody used is returned. */
enum { IDLE = 10 };

/* Bytes from which results come from the pool. */
enum { POOLED = 1 << 20 };
/* Make an ndarray of memory of the pool, in the order of `strides` or, without them, in C's or Fortran's; NULL without
 * an exception where the pool is off or has none. It owns its memory as others do, and returns it to the pool. */
PyArrayObject *new_pooled(PyArray_Descr *dtype, int ndim, const npy_intp *shape, const npy_intp *strides, bool fortran);
/* Return all memory that the pool holds to the operating system; false where it held none. */
bool empty_pool(void);
/* Return what nobody used for a while. */
void trim_pool(void);
/* What the pool does before and after a fork: see threads.c. */
void lock_pool(void), unlock_pool(void), renew_pool(void);

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
 * and wait for its end. Nobody holds the GIL. What is computed may not depend on how the units are divided. */
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
