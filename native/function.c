/* Callables with a fast path in C and a Python definition behind it: Elementwise, Fold and Function.
 *
 * To people they are the Python definition: its name, docstring, signature and module. Whatever a fast path does not know, arguments by
 * unexpected keywords among it, goes to the definition as it was given, so errors are worded there.
 */
#include "callable.h"

PyTypeObject *ElementwiseType, *UfuncType, *FoldType, *FunctionType;
Names names;

/* -- what all callables share ------------------------------------------------------------------------------------------------------------ */

/* Take name, docstring and the like from the definition. May run Python. */
static int callable_init(Callable *self, PyObject *function) {
    static const char *const copied[] = {"__module__", "__name__", "__qualname__", "__doc__", "__annotations__"};
    if (!PyCallable_Check(function)) { PyErr_Format(PyExc_TypeError, "expected a Python function, got %R", function); return -1; }
    self->function = Py_NewRef(function);
    self->dict = PyDict_New();
    if (self->dict == NULL || PyDict_SetItemString(self->dict, "__wrapped__", function) < 0) return -1;
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++) {
        PyObject *value = PyObject_GetAttrString(function, copied[i]);
        if (value == NULL) {
            if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return -1;
            PyErr_Clear();
            continue;
        }
        int status = PyDict_SetItemString(self->dict, copied[i], value);
        Py_DECREF(value);
        if (status < 0) return -1;
    }
    return 0;
}

int callable_traverse(PyObject *object, visitproc visit, void *arg) {
    Py_VISIT(((Callable *)object)->function);
    Py_VISIT(((Callable *)object)->dict);
    Py_VISIT(((Callable *)object)->operation);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

int callable_clear(PyObject *object) {
    Py_CLEAR(((Callable *)object)->function);
    Py_CLEAR(((Callable *)object)->dict);
    return 0;
}

void callable_dealloc(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    if (((Callable *)object)->weakrefs != NULL) PyObject_ClearWeakRefs(object);
    Py_CLEAR(((Callable *)object)->operation);
    callable_clear(object);
    type->tp_free(object);
    Py_DECREF(type);
}

PyObject *callable_repr(PyObject *object) {
    PyObject *name = PyObject_GetAttrString(object, "__qualname__");
    if (name == NULL) return NULL;
    PyObject *text = PyUnicode_FromFormat("<function %S>", name); /* users may set it to any object */
    Py_DECREF(name);
    return text;
}

static PyObject *callable_reduce(PyObject *object, PyObject *Py_UNUSED(unused)) {
    return PyObject_GetAttrString(object, "__qualname__");
}

/* Ask the Python definition. May run Python. */
PyObject *ask_definition(PyObject *self, PyObject *const *args, size_t flags, PyObject *keywords) {
    PyObject *function = Py_XNewRef(((Callable *)self)->function);
    if (function == NULL) { /* cleared by the garbage collector, and called by a weak reference's callback */
        PyErr_SetString(PyExc_RuntimeError, "the function has been freed");
        return NULL;
    }
    PyObject *result = PyObject_Vectorcall(function, args, flags, keywords);
    Py_DECREF(function);
    return result;
}

PyMethodDef callable_methods[] = {
    {"__reduce__", callable_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
/* Return an entry of an instance's dictionary, or None. May run Python, which compares keys of the user's and may replace the dictionary. */
static PyObject *entry_of(PyObject *self, const char *name) {
    PyObject *dict = PyObject_GenericGetDict(self, NULL), *key = PyUnicode_InternFromString(name), *entry = NULL;
    if (dict != NULL && key != NULL) {
#ifdef Py_GIL_DISABLED
        (void)PyDict_GetItemRef(dict, key, &entry); /* another thread may replace the entry */
#else
        entry = Py_XNewRef(PyDict_GetItemWithError(dict, key));
#endif
    }
    Py_XDECREF(dict);
    Py_XDECREF(key);
    return entry != NULL || PyErr_Occurred() ? entry : Py_NewRef(Py_None);
}

/* The docstring of an instance stands in its dictionary, which a type's own docstring would hide. */
static PyObject *get_doc(PyObject *self, void *Py_UNUSED(closure)) { return entry_of(self, "__doc__"); }
static int set_doc(PyObject *self, PyObject *doc, void *Py_UNUSED(closure)) {
    PyObject *dict = doc == NULL ? NULL : PyObject_GenericGetDict(self, NULL);
    int status = dict == NULL ? -1 : PyDict_SetItemString(dict, "__doc__", doc);
    if (doc == NULL) PyErr_SetString(PyExc_AttributeError, "the docstring cannot be deleted");
    Py_XDECREF(dict);
    return status;
}

PyGetSetDef callable_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {"__doc__", get_doc, set_doc, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
PyMemberDef callable_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Callable, vectorcall), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Callable, weakrefs), READONLY, NULL},
    {"__dictoffset__", T_PYSSIZET, offsetof(Callable, dict), READONLY, NULL},
    {"operation", T_OBJECT, offsetof(Callable, operation), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

bool arguments_by_name(const Arguments *arguments, PyObject *const *parameters, int positional, int count, PyObject **found) {
    if (arguments->count > positional) return false;
    for (int i = 0; i < count; i++) found[i] = i < arguments->count ? arguments->values[i] : NULL;
    Py_ssize_t keywords = arguments->names == NULL ? 0 : PyTuple_GET_SIZE(arguments->names);
    for (Py_ssize_t i = 0; i < keywords; i++) {
        PyObject *keyword = PyTuple_GET_ITEM(arguments->names, i);
        int place = 0;
        while (place < count && parameters[place] != keyword) place++; /* keywords in source code are interned, others need not be quick */
        if (place == count || found[place] != NULL) return false;
        found[place] = arguments->values[arguments->count + i];
    }
    return true;
}

/* -- Elementwise ------------------------------------------------------------------------------------------------------------------------------ */

static PyObject *call_one(PyObject *self, PyObject *const *args, size_t flags, PyObject *keywords) {
    if (PyVectorcall_NARGS(flags) == 1 && keywords == NULL) {
        PyObject *result = quick_unary(((Callable *)self)->operation, args[0]);
        if (result != NULL || PyErr_Occurred()) return result;
    }
    return ask_definition(self, args, flags, keywords);
}

static PyObject *call_two(PyObject *self, PyObject *const *args, size_t flags, PyObject *keywords) {
    if (PyVectorcall_NARGS(flags) == 2 && keywords == NULL) {
        PyObject *result = quick_binary(((Callable *)self)->operation, args[0], args[1]);
        if (result != NULL || PyErr_Occurred()) return result;
    }
    return ask_definition(self, args, flags, keywords);
}

Callable *new_callable(PyTypeObject *type, PyObject *function, vectorcallfunc call) {
    Callable *self = (Callable *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    self->vectorcall = call;
    if (callable_init(self, function) < 0) { Py_DECREF(self); return NULL; }
    return self;
}

static PyObject *callable_new(PyTypeObject *type, PyObject *operation, PyObject *function, vectorcallfunc call, Quick *quick) {
    Callable *self = new_callable(type, function, call);
    if (self == NULL) return NULL;
    self->operation = (Operation *)Py_XNewRef(operation);
    self->quick = quick;
    return (PyObject *)self;
}

static PyObject *elementwise_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *keywords[] = {"operation", "function", NULL};
    PyObject *operation, *function;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!O:Elementwise", keywords, OperationType, &operation, &function)) return NULL;
    return callable_new(type, operation, function, ((Operation *)operation)->operands == 1 ? call_one : call_two, NULL);
}

static PyType_Slot elementwise_slots[] = {{Py_tp_new, elementwise_new}, CALLABLE_SLOTS(callable_getset), {0, NULL}};
PyType_Spec elementwise_spec = {"supremum._native.Elementwise", sizeof(Callable), 0, CALLABLE_FLAGS, elementwise_slots};
/* The same under another name, which the package attaches the methods of ufuncs to. Its instances' names are read-only, as NumPy's are. */
static PyObject *get_name(PyObject *self, void *Py_UNUSED(closure)) {
    PyObject *name = entry_of(self, "__name__"), *text = name == NULL ? NULL : PyObject_Str(name);
    Py_XDECREF(name);
    return text;
}
static PyGetSetDef ufunc_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {"__doc__", get_doc, set_doc, NULL, NULL},
    {"__name__", get_name, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyType_Slot ufunc_slots[] = {{Py_tp_new, elementwise_new}, CALLABLE_SLOTS(ufunc_getset), {0, NULL}};
PyType_Spec ufunc_spec = {"supremum._native.Ufunc", sizeof(Callable), 0, CALLABLE_FLAGS, ufunc_slots};

/* -- Fold ----------------------------------------------------------------------------------------------------------------------------------------- */

/* Try the fast path, then ask the definition. */
static PyObject *call_quick(PyObject *self, PyObject *const *args, size_t flags, PyObject *keywords) {
    Arguments arguments = {args, PyVectorcall_NARGS(flags), keywords};
    PyObject *result = ((Callable *)self)->quick(((Callable *)self)->operation, &arguments);
    if (result != NULL) return result;
    if (PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_ValueError)) return NULL;
        PyErr_Clear(); /* of a shape that no array has, NumPy's names no function */
    }
    return ask_definition(self, args, flags, keywords);
}

PyObject *bind_callable(PyObject *self, PyObject *object, PyObject *Py_UNUSED(type)) {
    return object == NULL || object == Py_None ? Py_NewRef(self) : PyMethod_New(self, object);
}

static PyObject *fold_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static const QuickWay ways[] = {{"reduce", quick_reduce}, {"total", quick_total}, {"mean", quick_mean}, {"accumulate", quick_accumulate}};
    static char *keywords[] = {"operation", "function", "how", NULL};
    PyObject *operation, *function;
    const char *how = ways[0].name;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!O|s:Fold", keywords, OperationType, &operation, &function, &how)) return NULL;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(how, ways[i].name) == 0) return callable_new(type, operation, function, call_quick, ways[i].quick);
    return PyErr_Format(PyExc_ValueError, "Fold: how is 'reduce', 'total', 'mean' or 'accumulate', got '%s'", how);
}

static PyType_Slot fold_slots[] = {
    {Py_tp_new, fold_new}, {Py_tp_descr_get, bind_callable}, CALLABLE_SLOTS(callable_getset), {0, NULL}};
PyType_Spec fold_spec = {"supremum._native.Fold", sizeof(Callable), 0, CALLABLE_FLAGS | Py_TPFLAGS_METHOD_DESCRIPTOR, fold_slots};

/* -- Function ---------------------------------------------------------------------------------------------------------------------------------------- */

static PyObject *call_function(PyObject *self, PyObject *const *args, size_t flags, PyObject *keywords) {
    int watched = is_watched();
    if (watched != 0) return watched < 0 ? NULL : ask_definition(self, args, flags, keywords);
    return call_quick(self, args, flags, keywords);
}

static PyObject *function_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static const QuickWay *const tables[] = {shape_ways, join_ways, product_ways, creation_ways, conversion_ways, at_ways, random_ways,
                                            comparing_ways, ordering_ways};
    static char *keywords[] = {"way", "function", "operation", NULL};
    const char *way;
    PyObject *function, *operation = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "sO|O:Function", keywords, &way, &function, &operation)) return NULL;
    if (operation != Py_None && !Py_IS_TYPE(operation, OperationType)) return PyErr_Format(PyExc_TypeError, "Function: %R is no Operation", operation);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const QuickWay *row = tables[i]; row->name != NULL; row++)
            if (strcmp(row->name, way) == 0)
                return callable_new(type, operation == Py_None ? NULL : operation, function, call_function, row->quick);
    return PyErr_Format(PyExc_ValueError, "Function: there is no fast path '%s'", way);
}

static PyType_Slot function_slots[] = {
    {Py_tp_new, function_new}, {Py_tp_descr_get, bind_callable}, CALLABLE_SLOTS(callable_getset), {0, NULL}};
PyType_Spec function_spec = {"supremum._native.Function", sizeof(Callable), 0, CALLABLE_FLAGS | Py_TPFLAGS_METHOD_DESCRIPTOR, function_slots};

int functions_ready(void) {
#define X(name) if ((names.name = PyUnicode_InternFromString(#name)) == NULL) return -1;
    PARAMETERS(X)
#undef X
    return 0;
}
