/* The engine: arrays, plans and the fast paths of functions, on NumPy's loops.
 *
 * Conventions that every file keeps:
 *
 * - A function that returns `PyObject *` returns a new reference, or NULL with an exception set. The fast paths
 * (`quick_...`) have a third result: NULL without an exception means "not plain", and the caller calls the Python
 * function behind the fast path.
 * - Parameters are borrowed, except where a comment says "takes over".
 * - "May run Python" is written where a function may call back, or release the lock. On CPython 3.11 that is every
 *   function that makes a tuple, a list or a dict, for the garbage collector runs there, with its callbacks. To make an
 *   ndarray or a number runs no Python.
 * - A call owns what it uses from entry to exit: its operands, its plan, its state (`Operand`, `Call`). Nothing
 *   borrowed is used after what may run Python: the code that runs may delete Arrays, drop states with their plans, and
 *   set dtype, shape and strides of an ndarray that it shares. So a fast path takes its operands, then finds its plan,
 *   and then looks at dtypes, shapes and addresses. From there to the end of its loop only NumPy's functions run
 *   Python, after which it looks again. A loop that runs without the lock has what it found in variables.
 * - Loops never look at the floating-point flags of the processor, and never clear them: NumPy clears them before its
 * own loops.
 * - There is one interpreter (see module.c), so module state is static.
 */
#ifndef SUPREMUM_BASE_H
#define SUPREMUM_BASE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL supremum_array_api
#define PY_UFUNC_UNIQUE_SYMBOL supremum_ufunc_api
#ifndef ENGINE_MODULE
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#endif
#include <numpy/arrayobject.h>
#include <numpy/ufuncobject.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* -- publishing pointers -- */

/* Entries of plan tables are written once and read without a lock. With the GIL a plain access is enough. */
#ifndef Py_GIL_DISABLED
#define LOAD(place) (place)
#define PUBLISH(place, value) ((place) = (value))
#elif defined(_MSC_VER)
#define LOAD(place) (*(void *volatile *)&(place))
#define PUBLISH(place, value) ((void)_InterlockedExchangePointer((void *volatile *)&(place), (value)))
#else
#define LOAD(place) __atomic_load_n(&(place), __ATOMIC_ACQUIRE)
#define PUBLISH(place, value) __atomic_store_n(&(place), (value), __ATOMIC_RELEASE)
#endif

/* Held while something is written that other threads read without it: what scopes were resolved to, the tables of
 * plans, the list of narrow loops. No Python runs meanwhile. */
#ifdef Py_GIL_DISABLED
extern PyMutex writing;
#define LOCK() PyMutex_Lock(&writing)
#define UNLOCK() PyMutex_Unlock(&writing)
#else
#define LOCK() ((void)0)
#define UNLOCK() ((void)0)
#endif

/* Of a function next to which another one is to have all registers. */
#if defined(__GNUC__)
#define NOINLINE __attribute__((noinline))
#elif defined(_MSC_VER)
#define NOINLINE __declspec(noinline)
#else
#define NOINLINE
#endif

/* Free an instance of one of the module's types, when what it owned is dropped. */
static inline void free_object(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    type->tp_free(object);
    Py_DECREF(type);
}

#define VISIT(name) Py_VISIT(self->name);
#define CLEAR(name) Py_CLEAR(self->name);
#define NONE(X)
/* Define what the garbage collector needs of a type: lists of members that it visits and clears, that it only visits,
 * and of others that an instance owns; and what is done before they are dropped. */
#define COLLECTED(type, Type, CLEARED, VISITED, OTHERS, before) \
    static int type##_traverse(PyObject *object, visitproc visit, void *arg) { \
        Type *self = (Type *)object; \
        CLEARED(VISIT) VISITED(VISIT) Py_VISIT(Py_TYPE(self)); \
        return 0; \
    } \
    static int type##_clear(PyObject *object) { \
        Type *self = (Type *)object; \
        CLEARED(CLEAR) return self == NULL; \
    } \
    static void type##_dealloc(PyObject *object) { \
        Type *self = (Type *)object; \
        PyObject_GC_UnTrack(object); \
        before; \
        CLEARED(CLEAR) VISITED(CLEAR) OTHERS(CLEAR) free_object((PyObject *)self); \
    }
#define COLLECTED_SLOTS(type) \
    {Py_tp_dealloc, type##_dealloc}, {Py_tp_traverse, type##_traverse}, { Py_tp_clear, type##_clear }

/* Elements from which a loop runs without the GIL. */
enum { UNLOCKED = 500 };
/* Do something that takes as long as so many elements; without the GIL where they are many. */
#define UNLOCKED_DO(count, ...) \
    do { \
        NPY_BEGIN_THREADS_DEF; \
        NPY_BEGIN_THREADS_THRESHOLDED(count); \
        __VA_ARGS__; \
        NPY_END_THREADS; \
    } while (0)
/* Of a row of a table of methods: a function of a vector of arguments and their number. */
#define FASTCALL(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL

/* -- sizes -- */

/* A size that does not fit: no array has it, and no memory. */
#define TOO_LARGE NPY_MAX_INTP
/* Multiply or add sizes, which are not negative. Whatever has no memory behind it goes through these: strides of 0 make
 * arrays of any length. */
static inline npy_intp size_product(npy_intp a, npy_intp b) {
#if defined(__GNUC__)
    npy_intp product;
    return __builtin_mul_overflow(a, b, &product) ? TOO_LARGE : product;
#else
    return b != 0 && a > TOO_LARGE / b ? TOO_LARGE : a * b;
#endif
}
static inline npy_intp size_sum(npy_intp a, npy_intp b) { return a > TOO_LARGE - b ? TOO_LARGE : a + b; }
/* Return zeroed memory for so many elements and one more; NULL with an exception. */
static inline void *zeroed(npy_intp count, size_t size) {
    void *memory = PyMem_Calloc((size_t)count + 1, size);
    return memory == NULL ? PyErr_NoMemory() : memory;
}
/* Return the bytes of an array as NumPy limits them: axes without elements do not count. */
static inline npy_intp bytes_of_shape(int ndim, const npy_intp *shape, npy_intp itemsize) {
    for (int i = 0; i < ndim; i++) itemsize = size_product(itemsize, shape[i] > 0 ? shape[i] : 1);
    return itemsize;
}

#endif
