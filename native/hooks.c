/* Calls of Python: the hooks for what is not plain, and callables in silence. */
#include "engine.h"

/* -- hooks ------------------------------------------------------------------------------------------------------------------------- */

static const char *const hook_names[HOOK_COUNT] = {
#define X(name) #name,
    HOOKS(X)
#undef X
};
static PyObject *hooks[HOOK_COUNT]; /* owned, or NULL */

PyObject *call_hook(int hook, ...) {
    PyObject *arguments[4];
    Py_ssize_t count = 0;
    va_list list;
    va_start(list, hook);
    for (PyObject *argument; count < 4 && (argument = va_arg(list, PyObject *)) != NULL;) arguments[count++] = argument;
    va_end(list);
    if (hooks[hook] == NULL) return PyErr_Format(PyExc_NotImplementedError, "the engine has no hook %s", hook_names[hook]);
    PyObject *function = Py_NewRef(hooks[hook]);
    PyObject *result = PyObject_Vectorcall(function, arguments, count, NULL);
    Py_DECREF(function);
    return result;
}

static PyObject *set_hooks(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count, PyObject *keywords) {
    for (Py_ssize_t i = 0; keywords != NULL && i < PyTuple_GET_SIZE(keywords); i++) {
        int hook = 0;
        PyObject *keyword = PyTuple_GET_ITEM(keywords, i);
        while (hook < HOOK_COUNT && PyUnicode_CompareWithASCIIString(keyword, hook_names[hook]) != 0) hook++;
        if (hook == HOOK_COUNT) return PyErr_Format(PyExc_TypeError, "set_hooks: there is no hook %R", keyword);
        Py_XSETREF(hooks[hook], Py_NewRef(args[count + i]));
    }
    Py_RETURN_NONE;
}

/* -- silence ----------------------------------------------------------------------------------------------------------------------- */

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
    Py_XDECREF(numpy); Py_XDECREF(seterr); Py_XDECREF(word); Py_XDECREF(keywords); Py_XDECREF(result);
    return good ? 0 : -1;
}

PyMethodDef hook_functions[] = {
    {"set_hooks", (PyCFunction)(void (*)(void))set_hooks, METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("Set the Python functions for what is not plain, by name.")},
    {NULL, NULL, 0, NULL},
};
