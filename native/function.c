/* Function: a public function. A call takes the fast path of the function, else its plain call (see plain.c), else its
 * Python definition.
 *
 * To people it is the definition: its name, docstring, signature and module. Whatever a fast path does not know,
 * arguments by unexpected keywords among it, goes to the definition as it was given, so errors are worded there. While
 * the definition runs, floating-point errors are ignored; of an error, a handler makes another one.
 *
 * Guests come before the definition of a public function (one with a name), in this order: operands that take over,
 * the watcher of the state, the rules of its system. Fast paths see none of the first, and have no plans in states with
 * the second; those without plans test for guests.
 */
#include "args.h"
#include "hooks.h"
#include "parts.h"
#include "paths.h"
#include "run.h"

PyTypeObject *FunctionType, *UfuncType;
static PyObject *named_errors; /* owned; a tuple of the classes that handlers get */

/* A function of the package. */
typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    Operation *operation;  /* owned, or NULL; of elementwise functions what they compute, of others what their fast path
                              needs */
    FastPath *fast;        /* NULL where there is none, and of elementwise functions, whose vectorcall knows */
    const char *fast_name; /* static, or NULL */
    Plain *plain;          /* owned, or NULL */
    PyObject *definition;  /* owned */
    PyObject
        *handler; /* owned; makes of (error, args, kwargs) the exception to raise. NULL where errors pass as they are */
    PyObject *name;       /* owned; in messages and for rules; NULL of what is no public function, and has no guests */
    PyObject *kind;       /* owned; what guests know of it, a str */
    PyObject *dict;       /* owned, or NULL; __name__, __doc__ and the like */
    PyObject *parameters; /* owned, or NULL; found when arguments are bound first */
    PyObject *weakrefs;
    bool silent;   /* whether floating-point errors are ignored while the definition runs */
    bool composed; /* whether the definition is written in public functions, so that guests can look through it */
} Function;

/* -- the definition -- */

/* Return a new reference to the definition; NULL with an exception after the garbage collector cleared the function,
 * which a callback of a weak reference may call. */
static PyObject *definition_of(Function *self) {
    if (self->definition == NULL) PyErr_SetString(PyExc_RuntimeError, "the function has been freed");
    return Py_XNewRef(self->definition);
}

/* Have the rules of the system call the definition. May run Python. */
static PyObject *call_by_rules(Function *self, PyObject *definition, PyObject *const *args, Py_ssize_t count,
                               PyObject *keywords) {
    PyObject *positional, *named;
    if (!pack_arguments(args, count, keywords, &positional, &named)) return NULL;
    PyObject *given[] = {(PyObject *)self, definition, positional, named};
    PyObject *result = PyObject_Vectorcall(hook_of(HOOK_rules), given, 4, NULL);
    Py_DECREF(positional);
    Py_DECREF(named);
    return result;
}

/* Return the error to raise in place of the one that is set. May run Python. */
static void handle(Function *self, PyObject *const *args, Py_ssize_t count, PyObject *keywords) {
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
    if (changed != NULL && !PyExceptionInstance_Check(changed)) Py_SETREF(changed, Py_NewRef(error));
    if (changed != NULL) /* an error of the handler's own is raised as it is */
        PyErr_Restore(Py_NewRef(Py_TYPE(changed)), changed, PyException_GetTraceback(changed));
    Py_DECREF(type);
    Py_DECREF(error);
    Py_XDECREF(traceback);
}

/* Whether the rules of a system run before the definition; -1 with an exception. */
static int is_ruled(const Function *self) {
    if (self->name == NULL || LOAD(guests) == 0 || hook_of(HOOK_rules) == NULL) return 0;
    State *state = current_state();
    return state == NULL ? -1 : state->ruled;
}

/* Call the definition as described above, past the guests; it runs without watchers unless it is composed. May run
 * Python. */
static PyObject *run_definition(PyObject *object, PyObject *const *args, size_t flags, PyObject *keywords) {
    Function *self = (Function *)object;
    PyObject *definition = definition_of(self), *result = NULL, *token = NULL;
    if (definition == NULL) return NULL;
    Silence silence;
    if (self->name != NULL && !self->composed && enter_bare(&token) < 0) {
        Py_DECREF(definition);
        return NULL;
    }
    if (!self->silent || enter_silence(&silence) == 0) {
        int ruled = is_ruled(self);
        if (ruled > 0) result = call_by_rules(self, definition, args, PyVectorcall_NARGS(flags), keywords);
        else if (ruled == 0) result = PyObject_Vectorcall(definition, args, flags, keywords);
        if (self->silent && leave_silence(&silence) < 0) Py_CLEAR(result);
        if (result == NULL && self->handler != NULL) {
            if (PyErr_ExceptionMatches(named_errors) && !PyErr_ExceptionMatches(PyExc_RecursionError))
                handle(self, args, PyVectorcall_NARGS(flags), keywords);
            else leave_out_frames();
        }
    }
    if (leave_scope(token) < 0) Py_CLEAR(result);
    Py_DECREF(definition);
    return result;
}

/* -- guests -- */

/* Call the watcher of a state, in the scope without it. May run Python. */
static PyObject *call_watcher(Function *self, State *state, PyObject *const *args, Py_ssize_t count,
                              PyObject *keywords) {
    PyObject *positional, *named, *result = NULL;
    PyObject *watcher = Py_NewRef(state->watcher), *scope = Py_NewRef(state->outer);
    if (pack_arguments(args, count, keywords, &positional, &named)) {
        PyObject *given[] = {(PyObject *)self, positional, named}, *token = enter_scope(scope);
        if (token != NULL) result = call_guest(watcher, given, 3);
        if (leave_scope(token) < 0) Py_CLEAR(result);
        Py_DECREF(positional);
        Py_DECREF(named);
    }
    Py_DECREF(watcher);
    Py_DECREF(scope);
    return result;
}

/* Let guests have the call, else run the definition. May run Python. */
static PyObject *call_definition(PyObject *object, PyObject *const *args, size_t flags, PyObject *keywords) {
    Function *self = (Function *)object;
    if (self->name == NULL) return run_definition(object, args, flags, keywords);
    Py_ssize_t count = PyVectorcall_NARGS(flags);
    PyObject *result = offer(object, args, count, keywords);
    if (result == Py_NotImplemented) { /* of a composed function, they may take over the parts */
        Py_DECREF(result);
        if (!self->composed)
            return PyErr_Format(PyExc_TypeError,
                                "%U: no operand takes over: every __supremum_function__ returned "
                                "NotImplemented",
                                self->name);
    } else if (result != NULL || PyErr_Occurred()) {
        return result;
    }
    if (LOAD(guests) != 0) {
        State *state = current_state();
        if (state == NULL) return NULL;
        if (state->watcher != NULL) return call_watcher(self, state, args, count, keywords);
    }
    return run_definition(object, args, flags, keywords);
}

static PyObject *function_definition(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *keywords) {
    return run_definition(self, args, (size_t)count, keywords);
}

static PyObject *function_offer(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *keywords) {
    PyObject *result = offer(self, args, count, keywords);
    return result != NULL || PyErr_Occurred() ? result : Py_NewRef(Py_NotImplemented);
}

/* Return the arguments of a call by name. May run Python. */
static PyObject *function_bound(PyObject *object, PyObject *const *args, Py_ssize_t count) {
    Function *self = (Function *)object;
    if (count != 2 || !PyTuple_Check(args[0]) || !PyDict_Check(args[1]))
        return PyErr_Format(PyExc_TypeError, "bound: expected the arguments of a call, a tuple and a dict");
    PyObject *parameters = Py_XNewRef(LOAD(self->parameters));
    if (parameters == NULL) {
        parameters = call_hook(HOOK_parameters, object, NULL);
        if (parameters == NULL) return NULL;
        if (LOAD(self->parameters) == NULL) PUBLISH(self->parameters, Py_NewRef(parameters));
    }
    PyObject *found = bind_arguments(parameters, self->name == NULL ? object : self->name, args[0], args[1]);
    Py_DECREF(parameters);
    return found;
}

/* -- what comes before the definition -- */

static PyObject *call_one(PyObject *self, PyObject *const *args, size_t flags, PyObject *keywords) {
    if (PyVectorcall_NARGS(flags) == 1 && keywords == NULL) {
        PyObject *result = quick_unary(((Function *)self)->operation, args[0]);
        if (result != NULL || PyErr_Occurred()) return result;
    }
    return call_definition(self, args, flags, keywords);
}

static PyObject *call_two(PyObject *self, PyObject *const *args, size_t flags, PyObject *keywords) {
    if (PyVectorcall_NARGS(flags) == 2 && keywords == NULL) {
        PyObject *result = quick_binary(((Function *)self)->operation, args[0], args[1]);
        if (result != NULL || PyErr_Occurred()) return result;
    }
    return call_definition(self, args, flags, keywords);
}

/* Take the fast path. Where the result is NULL without an exception, the call goes on: of a shape that no array has,
 * NumPy's error names no function. */
static PyObject *take_fast_path(Function *self, const Arguments *arguments) {
    PyObject *result = self->fast(self->operation, arguments);
    if (result == NULL && PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_ValueError)) PyErr_Clear();
    return result;
}

/* Call a function whose fast path finds plans, which watched states do not have. */
static PyObject *call_by_plans(PyObject *object, PyObject *const *args, size_t flags, PyObject *keywords) {
    Arguments arguments = {args, PyVectorcall_NARGS(flags), keywords};
    PyObject *result = take_fast_path((Function *)object, &arguments);
    return result != NULL || PyErr_Occurred() ? result : call_definition(object, args, flags, keywords);
}

/* Call a function whose fast path finds no plans, or one with a plain call. */
static PyObject *call_unwatched(PyObject *object, PyObject *const *args, size_t flags, PyObject *keywords) {
    Function *self = (Function *)object;
    Arguments arguments = {args, PyVectorcall_NARGS(flags), keywords};
    int guested = has_guests();
    if (guested < 0) return NULL;
    if (guested) return call_definition(object, args, flags, keywords);
    PyObject *result = self->fast == NULL ? NULL : take_fast_path(self, &arguments);
    if (result == NULL && self->plain != NULL && !PyErr_Occurred()) result = call_plain(self->plain, &arguments);
    return result != NULL || PyErr_Occurred() ? result : call_definition(object, args, flags, keywords);
}

/* -- construction -- */

/* Take name, docstring and the like from the definition. May run Python. */
static int take_names(Function *self, PyObject *definition) {
    static const char *const copied[] = {"__module__", "__name__", "__qualname__", "__doc__", "__annotations__"};
    self->dict = PyDict_New();
    if (self->dict == NULL || PyDict_SetItemString(self->dict, "__wrapped__", definition) < 0) return -1;
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++) {
        PyObject *value = PyObject_GetAttrString(definition, copied[i]);
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

static const NamedPath *const *path_tables; /* static */

void register_paths(const NamedPath *const *tables) { path_tables = tables; }

static bool find_fast_path(const char *name, NamedPath *found) {
    for (const NamedPath *const *table = path_tables; *table != NULL; table++)
        for (const NamedPath *each = *table; each->name != NULL; each++)
            if (strcmp(each->name, name) == 0) {
                *found = *each;
                return true;
            }
    return false;
}

/* Return the vectorcall of a function, or NULL with an exception. */
static vectorcallfunc find_call(const char *fast, PyObject *operation, PyObject *plain, NamedPath *row) {
    if (operation != Py_None && !Py_IS_TYPE(operation, OperationType)) {
        PyErr_Format(PyExc_TypeError, "Function: %R is no Operation", operation);
        return NULL;
    }
    if (plain != Py_None && !Py_IS_TYPE(plain, PlainType)) {
        PyErr_Format(PyExc_TypeError, "Function: %R is no Plain", plain);
        return NULL;
    }
    if (fast == NULL) return plain == Py_None ? call_definition : call_unwatched;
    if (strcmp(fast, "elementwise") == 0 && operation != Py_None) {
        row->name = "elementwise";
        return ((Operation *)operation)->operands == 1 ? call_one : call_two;
    }
    if (!find_fast_path(fast, row) || (row->plans && (operation == Py_None || plain != Py_None))) {
        PyErr_Format(PyExc_ValueError, "Function: there is no fast path '%s' of such arguments", fast);
        return NULL;
    }
    return row->plans ? call_by_plans : call_unwatched;
}

static PyObject *function_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *keywords[] = {"definition", "fast", "operation", "plain", "handler", "name", "kind", "silent", NULL};
    PyObject *definition, *operation = Py_None, *plain = Py_None, *handler = Py_None, *name = Py_None, *kind = NULL;
    const char *fast = NULL;
    int silent = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|zOO$OOUp:Function", keywords, &definition, &fast, &operation,
                                     &plain, &handler, &name, &kind, &silent))
        return NULL;
    if (name != Py_None && !PyUnicode_Check(name))
        return PyErr_Format(PyExc_TypeError, "Function: expected a name or None, got %R", name);
    if (!PyCallable_Check(definition))
        return PyErr_Format(PyExc_TypeError, "Function: expected a Python function, got %R", definition);
    NamedPath row = {NULL, NULL, false};
    vectorcallfunc call = find_call(fast, operation, plain, &row);
    Function *self = call == NULL ? NULL : (Function *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    self->vectorcall = call;
    self->fast = row.fast;
    self->fast_name = row.name;
    self->definition = Py_NewRef(definition);
    self->operation = operation == Py_None ? NULL : (Operation *)Py_NewRef(operation);
    self->plain = plain == Py_None ? NULL : (Plain *)Py_NewRef(plain);
    self->handler = handler == Py_None ? NULL : Py_NewRef(handler);
    self->name = name == Py_None ? NULL : Py_NewRef(name);
    self->silent = silent;
    self->composed = kind != NULL && PyUnicode_CompareWithASCIIString(kind, "composed") == 0;
    self->kind = kind != NULL ? Py_NewRef(kind) : PyUnicode_FromString("opaque");
    if (self->kind == NULL) Py_CLEAR(self);
    if (self != NULL && take_names(self, definition) < 0) Py_CLEAR(self);
    return (PyObject *)self;
}

#define FUNCTION_WRITTEN(X) X(definition) X(dict) X(parameters)
#define FUNCTION_USED(X) X(operation) X(plain) X(handler)
#define FUNCTION_OTHERS(X) X(name) X(kind)
COLLECTED(function, Function, FUNCTION_WRITTEN, FUNCTION_USED, FUNCTION_OTHERS,
          if (self->weakrefs != NULL) PyObject_ClearWeakRefs(object))

/* -- attributes -- */

static PyObject *function_repr(PyObject *object) {
    PyObject *name = PyObject_GetAttrString(object, "__qualname__");
    if (name == NULL) return NULL;
    PyObject *text = PyUnicode_FromFormat("<function %S>", name); /* users may set it to any object */
    Py_DECREF(name);
    return text;
}

static PyObject *function_reduce(PyObject *object, PyObject *Py_UNUSED(unused)) {
    return PyObject_GetAttrString(object, "__qualname__");
}

/* Return an entry of an instance's dictionary, or None. May run Python, which compares keys of the user's and may
 * replace the dictionary. */
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

/* The docstring of an instance is in its dictionary, which a type's own docstring would hide. */
static PyObject *get_doc(PyObject *self, void *Py_UNUSED(closure)) { return entry_of(self, "__doc__"); }
static int set_doc(PyObject *self, PyObject *doc, void *Py_UNUSED(closure)) {
    PyObject *dict = doc == NULL ? NULL : PyObject_GenericGetDict(self, NULL);
    int status = dict == NULL ? -1 : PyDict_SetItemString(dict, "__doc__", doc);
    if (doc == NULL) PyErr_SetString(PyExc_AttributeError, "the docstring cannot be deleted");
    Py_XDECREF(dict);
    return status;
}

/* Set an attribute. The dictionary is kept meanwhile: Python only borrows it, and a key of the user's that is compared
 * may replace it. */
static int set_attribute(PyObject *self, PyObject *name, PyObject *value) {
    PyObject *dict = PyObject_GenericGetDict(self, NULL);
    int status = dict == NULL ? -1 : PyObject_GenericSetAttr(self, name, value);
    Py_XDECREF(dict);
    return status;
}

static PyObject *bind_function(PyObject *self, PyObject *object, PyObject *Py_UNUSED(type)) {
    return object == NULL || object == Py_None ? Py_NewRef(self) : PyMethod_New(self, object);
}

static PyMethodDef function_methods[] = {
    {"definition", (PyCFunction)(void (*)(void))function_definition, METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("Call the definition past the guests, which see the parts of a composed function.")},
    {"offer", (PyCFunction)(void (*)(void))function_offer, METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("Offer a call to the operands that take over: the result, or NotImplemented.")},
    {"bound", FASTCALL(function_bound),
     PyDoc_STR("Return the arguments of a call by name, in the order of the parameters, defaults among them.")},
    {"__reduce__", function_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef function_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {"__doc__", get_doc, set_doc, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyMemberDef function_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Function, vectorcall), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Function, weakrefs), READONLY, NULL},
    {"__dictoffset__", T_PYSSIZET, offsetof(Function, dict), READONLY, NULL},
    {"operation", T_OBJECT, offsetof(Function, operation), READONLY, NULL},
    {"plain", T_OBJECT, offsetof(Function, plain), READONLY, NULL},
    {"name", T_OBJECT, offsetof(Function, name), READONLY, NULL},
    {"kind", T_OBJECT, offsetof(Function, kind), READONLY, NULL},
    {"fast", T_STRING, offsetof(Function, fast_name), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};
enum { FUNCTION_FLAGS = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL };

static PyType_Slot function_slots[] = {{Py_tp_new, function_new},        {Py_tp_call, PyVectorcall_Call},
                                       {Py_tp_descr_get, bind_function}, {Py_tp_repr, function_repr},
                                       {Py_tp_setattro, set_attribute},  {Py_tp_methods, function_methods},
                                       {Py_tp_getset, function_getset},  {Py_tp_members, function_members},
                                       COLLECTED_SLOTS(function),        {0, NULL}};
PyType_Spec function_spec = {"supremum._native.Function", sizeof(Function), 0,
                             FUNCTION_FLAGS | Py_TPFLAGS_METHOD_DESCRIPTOR | Py_TPFLAGS_BASETYPE, function_slots};

/* A function that the package attaches the methods of ufuncs to. Like NumPy's, it is no method of classes that it is an
 * attribute of, and its name is read-only. */
static PyObject *get_name(PyObject *self, void *Py_UNUSED(closure)) {
    PyObject *name = entry_of(self, "__name__"), *text = name == NULL ? NULL : PyObject_Str(name);
    Py_XDECREF(name);
    return text;
}
static PyObject *stay_unbound(PyObject *self, PyObject *Py_UNUSED(object), PyObject *Py_UNUSED(type)) {
    return Py_NewRef(self);
}
static PyGetSetDef ufunc_getset[] = {{"__name__", get_name, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot ufunc_slots[] = {{Py_tp_getset, ufunc_getset},    {Py_tp_descr_get, stay_unbound},
                                    {Py_tp_setattro, set_attribute}, {Py_tp_call, PyVectorcall_Call},
                                    COLLECTED_SLOTS(function),       {0, NULL}};
PyType_Spec ufunc_spec = {"supremum._native.Ufunc", sizeof(Function), 0, FUNCTION_FLAGS, ufunc_slots};

int functions_ready(void) {
    static PyObject *const *const kinds[] = {&PyExc_TypeError,     &PyExc_ValueError,   &PyExc_IndexError,
                                             &PyExc_OverflowError, &PyExc_RuntimeError, &PyExc_ImportError,
                                             &PyExc_SystemError};
    enum { COUNT = sizeof kinds / sizeof *kinds };
    named_errors = PyTuple_New(COUNT);
    for (int i = 0; named_errors != NULL && i < COUNT; i++) PyTuple_SET_ITEM(named_errors, i, Py_NewRef(*kinds[i]));
    if (named_errors == NULL) return -1;
    return 0;
}
