/* Locks and conditions: POSIX's or those of Windows, whose header only those files include that need it. */
#ifndef SUPREMUM_LOCKS_H
#define SUPREMUM_LOCKS_H

#include <stdbool.h>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#define NOGDI
#define NOUSER
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
/* Wait for a condition, but no longer than to a time; whether it was woken. */
static inline bool wait_until(Condition *condition, Mutex *mutex, time_t end) {
    return pthread_cond_timedwait(condition, mutex, &(struct timespec){.tv_sec = end}) == 0;
}
#endif

#endif
