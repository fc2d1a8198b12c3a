/* Calls of Python: the hooks for what is not plain, and callables in silence. */
#include "hooks.h"

#include "parts.h"

/* Set by `use_silence`; owned. NumPy's variable, its value that ignores everything, the variable that keeps the
 * caller's value, and what calls the user's code under that. */
PyObject *silent_state;
static PyObject *errors_variable, *callers_variable, *user_caller;

/* -- hooks -- */

static const char *const hook_names[HOOK_COUNT] = {
#define X(name) #name,
    HOOKS(X)
#undef X
};
static PyObject *hooks[HOOK_COUNT]; /* owned, or NULL; one that is replaced stays, for calls may be using it */

PyObject *hook_of(int hook) { return LOAD(hooks[hook]); }

int set_hook(PyObject *name, PyObject *function) {
    int hook = 0;
    while (hook < HOOK_COUNT && PyUnicode_CompareWithASCIIString(name, hook_names[hook]) != 0) hook++;
    if (hook < HOOK_COUNT && PyCallable_Check(function)) {
        PUBLISH(hooks[hook], Py_NewRef(function));
        return 0;
    }
    PyErr_Format(PyExc_TypeError, "complete: there is no hook %R, or %R is no function", name, function);
    return -1;
}

void leave_out_frames(void) {
    PyObject *type, *error, *traceback, *kept = NULL;
    PyObject *function = hook_of(HOOK_frames);
    if (!PyErr_Occurred() || function == NULL || !PyErr_ExceptionMatches(PyExc_Exception)) return;
    PyErr_Fetch(&type, &error, &traceback);
    PyErr_NormalizeException(&type, &error, &traceback);
    if (traceback != NULL) PyException_SetTraceback(error, traceback);
    kept = PyObject_CallOneArg(function, error);
    Py_XDECREF(kept);
    if (kept != NULL) Py_XSETREF(traceback, PyException_GetTraceback(error));
    else PyErr_Clear(); /* the error itself is what counts */
    PyErr_Restore(type, error, traceback);
}

PyObject *call_hook(int hook, ...) {
    PyObject *arguments[4];
    Py_ssize_t count = 0;
    va_list list;
    va_start(list, hook);
    for (PyObject *argument; count < 4 && (argument = va_arg(list, PyObject *)) != NULL;) arguments[count++] = argument;
    va_end(list);
    PyObject *function = hook_of(hook);
    if (function == NULL) return PyErr_Format(PyExc_NotImplementedError, "the engine has no hook %s", hook_names[hook]);
    PyObject *result = PyObject_Vectorcall(function, arguments, count, NULL);
    if (result == NULL) leave_out_frames();
    return result;
}

void drop_error(void) {
    if (!PyErr_Occurred() || !PyErr_ExceptionMatches(PyExc_Exception)) return;
    if (!PyErr_ExceptionMatches(PyExc_MemoryError) && !PyErr_ExceptionMatches(PyExc_RecursionError)) PyErr_Clear();
}

PyObject *call_guest(PyObject *guest, PyObject *const *arguments, Py_ssize_t count) {
    PyObject *now, *given[5] = {guest};
    if (PyContextVar_Get(errors_variable, NULL, &now) < 0) return NULL;
    bool silent = now == silent_state && user_caller != NULL;
    Py_XDECREF(now);
    if (!silent) return PyObject_Vectorcall(guest, arguments, count, NULL);
    for (Py_ssize_t i = 0; i < count; i++) given[i + 1] = arguments[i];
    return PyObject_Vectorcall(user_caller, given, count + 1, NULL);
}

/* -- silence -- */

static PyObject *silent_context; /* owned; a context in which NumPy's error state ignores everything */

PyObject *call_silently(PyObject *callable, PyObject *const *arguments, Py_ssize_t count) {
    /* A context can be entered once at a time, so every call has a copy, which costs no more than an object. */
    PyObject *context = PyContext_Copy(silent_context);
    if (context == NULL) return NULL;
    PyObject *result = NULL;
    if (PyContext_Enter(context) == 0) {
        result = PyObject_Vectorcall(callable, arguments, count, NULL);
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        if (PyContext_Exit(context) < 0) Py_CLEAR(result);
        else PyErr_Restore(type, value, traceback);
    }
    Py_DECREF(context);
    return result;
}

int enter_silence(Silence *silence) { return enter_errors(silence, silent_state); }

int enter_errors(Silence *silence, PyObject *state) {
    *silence = (Silence){NULL, NULL};
    PyObject *now, *before = NULL;
    if (errors_variable == NULL || PyContextVar_Get(errors_variable, NULL, &now) < 0) return -1;
    if (now == state) {
        Py_DECREF(now);
        return 0;
    }
    /* The caller's state stays where it is kept after the first call; only where calls are nested in the user's code is
     * there another to go back to. */
    int status = now == silent_state ? 0 : PyContextVar_Get(callers_variable, NULL, &before);
    if (status == 0 && now != silent_state && before != now) {
        silence->callers = PyContextVar_Set(callers_variable, now);
        if (silence->callers == NULL) status = -1;
        if (before == NULL) Py_CLEAR(silence->callers);
    }
    Py_XDECREF(before);
    Py_DECREF(now);
    if (status == 0) silence->errors = PyContextVar_Set(errors_variable, state);
    if (silence->errors != NULL) return 0;
    leave_silence(silence);
    return -1;
}

static int reset(PyObject *variable, PyObject **token) {
    int status = *token == NULL ? 0 : PyContextVar_Reset(variable, *token);
    Py_CLEAR(*token);
    return status;
}

int leave_silence(Silence *silence) {
    if (silence->errors == NULL && silence->callers == NULL) return 0;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (reset(errors_variable, &silence->errors) < 0 || reset(callers_variable, &silence->callers) < 0) {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
        return -1;
    }
    PyErr_Restore(type, value, traceback);
    return 0;
}

static PyObject *use_silence(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count) {
    if (count != 4 || !PyContextVar_CheckExact(args[0]) || !PyContextVar_CheckExact(args[2]) ||
        !PyCallable_Check(args[3]))
        return PyErr_Format(PyExc_TypeError, "use_silence: expected NumPy's variable, its silent value, a variable for "
                                             "the caller's value, and what calls the user's code");
    Py_XSETREF(errors_variable, Py_NewRef(args[0]));
    Py_XSETREF(silent_state, Py_NewRef(args[1]));
    Py_XSETREF(callers_variable, Py_NewRef(args[2]));
    Py_XSETREF(user_caller, Py_NewRef(args[3]));
    Py_RETURN_NONE;
}

int hooks_ready(void) {
    PyObject *numpy = PyImport_ImportModule("numpy"), *seterr = numpy ? PyObject_GetAttrString(numpy, "seterr") : NULL;
    PyObject *word = PyUnicode_FromString("ignore"), *keywords = Py_BuildValue("(s)", "all");
    PyObject *result = NULL;
    silent_context = PyContext_New();
    if (seterr && word && keywords && silent_context && PyContext_Enter(silent_context) == 0) {
        result = PyObject_Vectorcall(seterr, &word, 0, keywords);
        if (PyContext_Exit(silent_context) < 0) Py_CLEAR(result);
    }
    bool good = result != NULL;
    Py_XDECREF(numpy);
    Py_XDECREF(seterr);
    Py_XDECREF(word);
    Py_XDECREF(keywords);
    Py_XDECREF(result);
    return good ? 0 : -1;
}

PyMethodDef hook_functions[] = {
    {"use_silence", FASTCALL(use_silence), PyDoc_STR("Set the context variables that silence is made of.")},
    {NULL, NULL, 0, NULL},
};
