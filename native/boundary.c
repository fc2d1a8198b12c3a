/* Boundary: what every public function does around its work. Floating-point errors are ignored meanwhile, and of an error a handler makes another.
 * In states that are watched, a hook calls the function. */
#include "callable.h"

PyTypeObject *BoundaryType;
PyObject *around;
static PyObject *named_errors; /* owned; a tuple of the classes that the handler is asked about */

typedef struct {
    Callable callable;
    PyObject *handler; /* owned; makes of (error, args, kwargs) the exception to raise. NULL where errors pass as they are */
    PyObject *name;    /* owned; what the hook is told of the function. NULL where it is not called */
    bool silent;       /* whether floating-point errors are ignored meanwhile */
} Boundary;

int state_is_watched(void) {
    State *state = current_state();
    return state == NULL ? -1 : state->watched;
}

/* Return new references to the arguments of a call as a tuple and a dict; false with an exception. */
static bool pack_arguments(PyObject *const *args, Py_ssize_t count, PyObject *keywords, PyObject **positional, PyObject **named) {
    Py_ssize_t i = 0, given = keywords == NULL ? 0 : PyTuple_GET_SIZE(keywords);
    *positional = PyTuple_New(count);
    *named = *positional == NULL ? NULL : PyDict_New();
    if (*named == NULL) { Py_CLEAR(*positional); return false; }
    for (; i < count; i++) PyTuple_SET_ITEM(*positional, i, Py_NewRef(args[i]));
    for (i = 0; i < given && PyDict_SetItem(*named, PyTuple_GET_ITEM(keywords, i), args[count + i]) == 0; i++) {}
    if (i == given) return true;
    Py_CLEAR(*positional);
    Py_CLEAR(*named);
    return false;
}

/* Have the hook call the function. May run Python. */
static PyObject *call_around(Boundary *self, PyObject *const *args, Py_ssize_t count, PyObject *keywords) {
    PyObject *positional, *named, *function = Py_XNewRef(self->callable.function), *result = NULL;
    if (function == NULL) { /* as in `ask_definition` */
        PyErr_SetString(PyExc_RuntimeError, "the function has been freed");
        return NULL;
    }
    if (pack_arguments(args, count, keywords, &positional, &named)) {
        PyObject *given[] = {function, self->name, positional, named};
        result = PyObject_Vectorcall(LOAD(around), given, 4, NULL); /* which stays */
        Py_DECREF(positional);
        Py_DECREF(named);
    }
    Py_DECREF(function);
    return result;
}

/* Return the error to raise in place of the one that is set. May run Python. */
static void handle(Boundary *self, PyObject *const *args, Py_ssize_t count, PyObject *keywords) {
    PyObject *type, *error, *traceback, *positional, *named, *changed = NULL;
    PyErr_Fetch(&type, &error, &traceback);
    PyErr_NormalizeException(&type, &error, &traceback);
    if (traceback != NULL) PyException_SetTraceback(error, traceback);
    if (pack_arguments(args, count, keywords, &positional, &named)) {
        PyObject *arguments[] = {error, positional, named};
        changed = PyObject_Vectorcall(self->handler, arguments, 3, NULL);
        Py_DECREF(positional);
        Py_DECREF(named);
    }
    if (changed == NULL || changed == error || !PyExceptionInstance_Check(changed)) { /* an error of the handler's own is raised as it is */
        if (changed != NULL) PyErr_Restore(Py_NewRef(type), Py_NewRef(error), Py_XNewRef(traceback));
        Py_XDECREF(changed);
    } else {
        PyException_SetCause(changed, Py_NewRef(error));
        PyException_SetContext(changed, Py_NewRef(error));
        PyErr_SetObject((PyObject *)Py_TYPE(changed), changed);
        Py_DECREF(changed);
    }
    Py_DECREF(type);
    Py_DECREF(error);
    Py_XDECREF(traceback);
}

static PyObject *call_inside(PyObject *object, PyObject *const *args, size_t flags, PyObject *keywords) {
    Boundary *self = (Boundary *)object;
    Silence silence;
    if (self->silent && enter_silence(&silence) < 0) return NULL;
    int hooked = self->name != NULL ? is_watched() : 0;
    PyObject *result = NULL;
    if (hooked > 0) result = call_around(self, args, PyVectorcall_NARGS(flags), keywords);
    else if (hooked == 0) result = ask_definition(object, args, flags, keywords);
    if (self->silent && leave_silence(&silence) < 0) Py_CLEAR(result);
    if (result == NULL && self->handler != NULL && PyErr_ExceptionMatches(named_errors) && !PyErr_ExceptionMatches(PyExc_RecursionError))
        handle(self, args, PyVectorcall_NARGS(flags), keywords);
    return result;
}

static PyObject *boundary_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *keywords[] = {"function", "handler", "silent", "name", NULL};
    PyObject *function, *handler = Py_None, *name = NULL;
    int silent = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OpU:Boundary", keywords, &function, &handler, &silent, &name)) return NULL;
    PyObject *self = (PyObject *)new_callable(type, function, call_inside);
    if (self == NULL) return NULL;
    ((Boundary *)self)->handler = handler == Py_None ? NULL : Py_NewRef(handler);
    ((Boundary *)self)->name = Py_XNewRef(name);
    ((Boundary *)self)->silent = silent;
    return self;
}

static int boundary_traverse(PyObject *object, visitproc visit, void *arg) {
    Py_VISIT(((Boundary *)object)->handler);
    return callable_traverse(object, visit, arg);
}
static void boundary_dealloc(PyObject *object) {
    PyObject_GC_UnTrack(object);
    Py_CLEAR(((Boundary *)object)->handler);
    Py_CLEAR(((Boundary *)object)->name);
    callable_dealloc(object);
}

static PyType_Slot boundary_slots[] = {
    {Py_tp_new, boundary_new}, {Py_tp_descr_get, bind_callable}, SHARED_SLOTS(callable_getset), {Py_tp_dealloc, boundary_dealloc},
    {Py_tp_traverse, boundary_traverse}, {0, NULL}};
PyType_Spec boundary_spec = {"supremum._native.Boundary", sizeof(Boundary), 0, CALLABLE_FLAGS | Py_TPFLAGS_METHOD_DESCRIPTOR, boundary_slots};

/* The hook stays for the life of the process: other threads may be calling it. */
static PyObject *use_around(PyObject *Py_UNUSED(module), PyObject *hook) {
    if (!PyCallable_Check(hook)) return PyErr_Format(PyExc_TypeError, "use_around: expected a function, got %R", hook);
    PUBLISH(around, Py_NewRef(hook));
    Py_RETURN_NONE;
}

PyMethodDef boundary_functions[] = {
    {"use_around", use_around, METH_O, PyDoc_STR("Set what calls public functions, with (function, name, args, kwargs), in states that are watched.")},
    {NULL, NULL, 0, NULL},
};

int boundary_ready(void) {
    static PyObject *const *const kinds[] = {&PyExc_TypeError, &PyExc_ValueError, &PyExc_IndexError, &PyExc_OverflowError, &PyExc_RuntimeError,
                                             &PyExc_ImportError, &PyExc_SystemError};
    enum { COUNT = sizeof kinds / sizeof *kinds };
    named_errors = PyTuple_New(COUNT);
    for (int i = 0; named_errors != NULL && i < COUNT; i++) PyTuple_SET_ITEM(named_errors, i, Py_NewRef(*kinds[i]));
    return named_errors == NULL ? -1 : 0;
}
