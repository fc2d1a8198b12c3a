/* Boundary: what every public function does around its work. Floating-point errors are ignored meanwhile, and of an error a handler makes another. */
#include "callable.h"

PyTypeObject *BoundaryType;
static PyObject *named_errors; /* owned; a tuple of the classes that the handler is asked about */

typedef struct {
    Callable callable;
    PyObject *handler; /* owned; makes of (error, args, kwargs) the exception to raise. NULL where errors pass as they are */
    bool silent;       /* whether floating-point errors are ignored meanwhile */
} Boundary;

/* Return the error to raise in place of the one that is set. May run Python. */
static void handle(Boundary *self, PyObject *const *args, Py_ssize_t count, PyObject *keywords) {
    PyObject *type, *error, *traceback, *positional = PyTuple_New(count), *named = PyDict_New(), *changed = NULL;
    PyErr_Fetch(&type, &error, &traceback);
    PyErr_NormalizeException(&type, &error, &traceback);
    if (traceback != NULL) PyException_SetTraceback(error, traceback);
    if (positional != NULL && named != NULL) {
        Py_ssize_t i = 0, given = keywords == NULL ? 0 : PyTuple_GET_SIZE(keywords);
        for (; i < count; i++) PyTuple_SET_ITEM(positional, i, Py_NewRef(args[i]));
        for (i = 0; i < given && PyDict_SetItem(named, PyTuple_GET_ITEM(keywords, i), args[count + i]) == 0; i++) {}
        PyObject *arguments[] = {error, positional, named};
        if (i == given) changed = PyObject_Vectorcall(self->handler, arguments, 3, NULL);
    }
    Py_XDECREF(positional);
    Py_XDECREF(named);
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
    PyObject *result = ask_definition(object, args, flags, keywords);
    if (self->silent && leave_silence(&silence) < 0) Py_CLEAR(result);
    if (result == NULL && self->handler != NULL && PyErr_ExceptionMatches(named_errors)) handle(self, args, PyVectorcall_NARGS(flags), keywords);
    return result;
}

static PyObject *boundary_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *keywords[] = {"function", "handler", "silent", NULL};
    PyObject *function, *handler = Py_None;
    int silent = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|Op:Boundary", keywords, &function, &handler, &silent)) return NULL;
    PyObject *self = (PyObject *)new_callable(type, function, call_inside);
    if (self == NULL) return NULL;
    ((Boundary *)self)->handler = handler == Py_None ? NULL : Py_NewRef(handler);
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
    callable_dealloc(object);
}

static PyType_Slot boundary_slots[] = {
    {Py_tp_new, boundary_new}, {Py_tp_descr_get, bind_callable}, SHARED_SLOTS(callable_getset), {Py_tp_dealloc, boundary_dealloc},
    {Py_tp_traverse, boundary_traverse}, {0, NULL}};
PyType_Spec boundary_spec = {"supremum._native.Boundary", sizeof(Boundary), 0, CALLABLE_FLAGS | Py_TPFLAGS_METHOD_DESCRIPTOR, boundary_slots};

int boundary_ready(void) {
    static PyObject *const *const kinds[] = {&PyExc_TypeError, &PyExc_ValueError, &PyExc_IndexError, &PyExc_OverflowError, &PyExc_RuntimeError};
    enum { COUNT = sizeof kinds / sizeof *kinds };
    named_errors = PyTuple_New(COUNT);
    for (int i = 0; named_errors != NULL && i < COUNT; i++) PyTuple_SET_ITEM(named_errors, i, Py_NewRef(*kinds[i]));
    return named_errors == NULL ? -1 : 0;
}
