/* Threads that compute parts of large operations.
 *
 * They are started when there is work for them, sleep until there is more, and end with the process. There is one job
 * at a time: a thread of Python's that comes while they work computes alone, and so does everybody where no thread can
 * be started. Whoever has work takes part in it, and returns when all of it is done.
 *
 * Results do not depend on the number of threads: work is divided into parts that do not depend on each other, and
 * those who share it see to it that each element is computed as by one thread. The threads have the floating-point
 * environment of the one whose work they do, and no signals.
 */
#include "threads.h"

#include "locks.h"
#include "pool.h"

#include <fenv.h>

#ifdef _WIN32
#include <process.h>
#else
#include <signal.h>
#endif

enum {
    PARTS = 4, /* of the work, for each thread: those that got fewer cycles do fewer */
};

static struct {
    Mutex mutex;
    Condition wake, done;
    int limit;           /* threads that compute at the same time, with the one whose work it is */
    int started;         /* threads that wait for work, or do it */
    bool busy;           /* whether somebody's work is done */
    int wanted, working; /* threads that may still begin, and that did and have not ended */
    Work *work;
    void *context;
    npy_intp next, count, part;
    int numbers;
    fenv_t environment;
} crew = {.mutex = NEW_MUTEX, .wake = NEW_CONDITION, .done = NEW_CONDITION, .limit = 1};

/* What is read without the lock, only to find out whether it is worth taking. */
#if defined(__GNUC__)
#define PEEK(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#define POKE(place, value) __atomic_store_n(&(place), (value), __ATOMIC_RELAXED)
#else
#define PEEK(place) (*(volatile int *)&(place))
#define POKE(place, value) (*(volatile int *)&(place) = (value))
#endif
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define PAUSE() __builtin_ia32_pause()
#else
#define PAUSE() ((void)0)
#endif

/* Wait some microseconds for a number to become zero, or not; sleep and waking take longer than that. */
static void spin(const int *number, bool zero) {
    enum { TURNS = 1000 };
    for (int i = 0; i < TURNS && (PEEK(*number) == 0) != zero; i++) PAUSE();
}

/* Do parts of the job until there are none left; with the lock, which is released meanwhile. */
static void do_parts(int thread) {
    Work *work = crew.work;
    void *context = crew.context;
    while (crew.next < crew.count) {
        npy_intp first = crew.next, rest = crew.count - first, now = rest < crew.part ? rest : crew.part;
        crew.next = first + now;
        unlock_mutex(&crew.mutex);
        work(context, thread, first, first + now);
        lock_mutex(&crew.mutex);
    }
}

/* Wait for work, and do it. */
static void work_forever(void) {
    lock_mutex(&crew.mutex);
    for (;;) {
        if (crew.wanted == 0) {
            unlock_mutex(&crew.mutex);
            spin(&crew.wanted, false);
            lock_mutex(&crew.mutex);
        }
        while (crew.wanted == 0 && wait_seconds(&crew.wake, &crew.mutex, IDLE + 2)) continue;
        if (crew.wanted == 0) trim_pool(); /* there was no work for a while */
        while (crew.wanted == 0) wait_for(&crew.wake, &crew.mutex);
        POKE(crew.wanted, crew.wanted - 1);
        POKE(crew.working, crew.working + 1);
        int thread = ++crew.numbers;
        fesetenv(&crew.environment);
        do_parts(thread);
        POKE(crew.working, crew.working - 1);
        if (crew.working == 0) wake_all(&crew.done);
    }
}

#ifdef _WIN32
static unsigned __stdcall run_thread(void *Py_UNUSED(nothing)) {
    work_forever();
    return 0;
}
#else
static void *run_thread(void *Py_UNUSED(nothing)) {
    work_forever();
    return NULL;
}
#endif

/* Start a thread; false where the system has none. */
static bool start_thread(void) {
    enum { STACK = 1 << 20 };
#ifdef _WIN32
    HANDLE thread = (HANDLE)_beginthreadex(NULL, STACK, run_thread, NULL, 0, NULL);
    return thread != 0 && CloseHandle(thread);
#else
    sigset_t all, before;
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* which the new thread has too: signals are for others */
    bool started = pthread_create(&thread, &attributes, run_thread, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
#endif
}

/* Return by how many threads so many elements are worth computing. */
static int worth(npy_intp count, npy_intp weight, int limit) {
    npy_intp most = size_product(count, weight) / THREAD_ELEMENTS;
    if (most > count) most = count;
    return most < 2 ? 1 : most < limit ? (int)most : limit;
}

int threads_of(npy_intp count, npy_intp weight) {
    lock_mutex(&crew.mutex);
    int limit = crew.limit;
    unlock_mutex(&crew.mutex);
    return worth(count, weight, limit);
}

void divide_work(int most, Work *work, void *context, npy_intp count, npy_intp weight) {
    lock_mutex(&crew.mutex);
    int threads = worth(count, weight, crew.limit < most ? crew.limit : most);
    while (!crew.busy && crew.started < threads - 1 && start_thread()) crew.started++;
    if (threads > crew.started + 1) threads = crew.started + 1;
    if (crew.busy || threads == 1) {
        unlock_mutex(&crew.mutex);
        work(context, 0, 0, count);
        return;
    }
    npy_intp part = count / ((npy_intp)threads * PARTS), grain = weight < GRAIN ? GRAIN / weight : 1;
    crew.busy = true;
    crew.work = work;
    crew.context = context;
    crew.next = 0;
    crew.count = count;
    crew.part = part < grain ? grain : part / grain * grain;
    crew.numbers = 0;
    POKE(crew.wanted, threads - 1);
    fegetenv(&crew.environment);
    wake_all(&crew.wake);
    do_parts(0);
    POKE(crew.wanted, 0); /* who has not begun by now need not */
    if (crew.working > 0) {
        unlock_mutex(&crew.mutex);
        spin(&crew.working, true);
        lock_mutex(&crew.mutex);
    }
    while (crew.working > 0) wait_for(&crew.done, &crew.mutex);
    crew.busy = false;
    unlock_mutex(&crew.mutex);
}

/* -- forks -- */

#ifndef _WIN32
static void before_fork(void) {
    lock_mutex(&crew.mutex);
    lock_pool();
}

static void after_fork_in_parent(void) {
    unlock_pool();
    unlock_mutex(&crew.mutex);
}

/* The child has none of the threads, and no work. */
static void after_fork_in_child(void) {
    renew_pool();
    crew.mutex = (Mutex)NEW_MUTEX;
    crew.wake = crew.done = (Condition)NEW_CONDITION;
    crew.started = crew.wanted = crew.working = 0;
    crew.busy = false;
}
#endif

/* -- functions of the module -- */

static PyObject *set_threads_function(PyObject *Py_UNUSED(module), PyObject *limit) {
    long threads = PyLong_AsLong(limit);
    if (threads == -1 && PyErr_Occurred()) return NULL;
    lock_mutex(&crew.mutex);
    crew.limit = threads < 1 ? 1 : threads < MOST_THREADS ? (int)threads : MOST_THREADS;
    unlock_mutex(&crew.mutex);
    Py_RETURN_NONE;
}

static PyObject *threads_started_function(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored)) {
    lock_mutex(&crew.mutex);
    int started = crew.started;
    unlock_mutex(&crew.mutex);
    return PyLong_FromLong(started);
}

PyMethodDef thread_functions[] = {
    {"set_threads", set_threads_function, METH_O,
     PyDoc_STR("set_threads(threads)\n--\n\nSet how many threads compute one operation at most.")},
    {"threads_started", threads_started_function, METH_NOARGS,
     PyDoc_STR("threads_started()\n--\n\nReturn how many threads wait for work, or do it.")},
    {NULL, NULL, 0, NULL},
};

int threads_ready(void) {
#ifndef _WIN32
    if (pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) != 0) {
        PyErr_NoMemory();
        return -1;
    }
#endif
    return 0;
}
