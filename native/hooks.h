/* Calls of Python: the hooks for what is not plain, and callables in silence. */
#ifndef SUPREMUM_HOOKS_H
#define SUPREMUM_HOOKS_H

#include "base.h"

#define HOOKS(X) \
    X(getitem) \
    X(setitem) \
    X(delitem) \
    X(foreign) \
    X(mismatch) \
    X(in_place) \
    X(matmul) \
    X(divmod) \
    X(contains) X(to_bool) X(to_int) X(to_float) X(to_complex) X(to_index) X(iterate) X(frames) X(rules) X(parameters)
enum {
#define X(name) HOOK_##name,
    HOOKS(X)
#undef X
        HOOK_COUNT
};
/* Call a hook with up to four arguments, ended by NULL. May run Python. */
PyObject *call_hook(int hook, ...);
/* Set a hook by its name: 0, or -1 with an exception. */
int set_hook(PyObject *name, PyObject *function);
/* Return a hook, borrowed, or NULL; hooks stay for the life of the process. */
PyObject *hook_of(int hook);
/* Leave the package's own frames out of the traceback of the error that is set, if one is. May run Python. */
void leave_out_frames(void);
/* Call a watcher, or the method of an operand that takes over, in the error state of the user's code. */
PyObject *call_guest(PyObject *guest, PyObject *const *arguments, Py_ssize_t count);

/* -- silence -- */

/* Call a Python callable with NumPy's error state set to ignore everything. May run Python. */
PyObject *call_silently(PyObject *callable, PyObject *const *arguments, Py_ssize_t count);

/* What `enter_silence` changed: NumPy's error state, a context variable, and the one that keeps the caller's. */
typedef struct {
    PyObject *errors, *callers;
} Silence;
/* Let NumPy ignore floating-point errors until `leave_silence`, which every successful call is followed by: 0, or -1
 * with an exception. */
extern PyObject *silent_state;
int enter_silence(Silence *silence);
/* The same for another error state of NumPy's. */
int enter_errors(Silence *silence, PyObject *state);
/* Undo it; an exception that is set stays set. */
int leave_silence(Silence *silence);

/* Drop the exception, if one is set, so that the Python definition raises its own; but not what is no fault of the
 * arguments: an interruption, a lack of memory or of stack. May run Python. */
void drop_error(void);

#endif
