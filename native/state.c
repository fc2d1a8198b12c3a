/* Nodes, states, scopes and operations: what decides which plan is used, and the tables that keep plans.
 *
 * A State is one combination of settings and owns the plans made under it. The process has one; a Scope in a context
 * variable overrides it for one context. While no Scope is alive anywhere, no call reads the context variable.
 */
#include "hooks.h"
#include "parts.h"
#include "plan.h"

PyTypeObject *StateType, *ScopeType, *OperationType;

/* -- states -- */

/* Change a number with the GIL, or by atomic operations without it. */
#if !defined(Py_GIL_DISABLED)
#define ADD(place, change) ((place) += (change))
#elif defined(_MSC_VER)
#define ADD(place, change) _InterlockedExchangeAdd64((volatile long long *)&(place), (change))
#else
#define ADD(place, change) __atomic_add_fetch(&(place), (change), __ATOMIC_SEQ_CST)
#endif

Py_ssize_t guests;

static Plan *empty_row[MAX_NODES];
static Table empty_table;

static PyObject *state_new(PyTypeObject *type, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwargs)) {
    State *self = (State *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    for (int i = 0; i < MAX_OPERATIONS; i++) self->tables[i] = &empty_table;
    self->remember = self->mutable = self->views = true;
#ifdef Py_GIL_DISABLED
    Py_INCREF(
        self); /* another thread may be reading its tables without a reference: states live as long as the process */
#endif
    return (PyObject *)self;
}

static int visit_rows(Plan **const *rows, int columns, visitproc visit, void *arg) {
    for (int i = 0; i < MAX_NODES; i++)
        for (int j = 0; rows[i] != empty_row && j < columns; j++) Py_VISIT(rows[i][j]);
    return 0;
}

/* Plans hold Python functions, which may refer to the state. */
static int state_traverse(PyObject *object, visitproc visit, void *arg) {
    State *self = (State *)object;
    int status = 0;
    for (int i = 0; i < MAX_OPERATIONS && status == 0; i++) {
        Table *table = self->tables[i];
        if (table == &empty_table) continue;
        status = visit_rows(table->pairs, MAX_NODES, visit, arg);
        for (int first = 0; first < 2 && status == 0; first++)
            status = visit_rows(table->scalars[first], S_COUNT, visit, arg);
    }
    if (status != 0) return status;
    Py_VISIT(self->watcher);
    Py_VISIT(self->outer);
    Py_VISIT(self->bare);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

static void free_rows(Plan ***rows, int columns) {
    for (int i = 0; i < MAX_NODES; i++) {
        if (rows[i] == empty_row) continue;
        for (int j = 0; j < columns; j++) Py_XDECREF(rows[i][j]);
        PyMem_Free(rows[i]);
    }
}

/* Drop all plans. The garbage collector calls it of states that cannot be reached, so no plan is in use. */
static int state_clear(PyObject *object) {
    State *self = (State *)object;
    for (int i = 0; i < MAX_OPERATIONS; i++) {
        Table *table = self->tables[i];
        if (table == &empty_table) continue;
        self->tables[i] = &empty_table; /* dropping a plan may run Python, which may come back here */
        free_rows(table->pairs, MAX_NODES);
        free_rows(table->scalars[0], S_COUNT);
        free_rows(table->scalars[1], S_COUNT);
        PyMem_Free(table);
    }
    Py_CLEAR(self->outer);
    Py_CLEAR(self->bare);
    return 0;
}

static void state_dealloc(PyObject *object) {
    State *self = (State *)object;
    PyObject_GC_UnTrack(object);
    if (self->ruled || self->watcher != NULL) ADD(guests, -1);
    state_clear(object);
    Py_CLEAR(self->watcher);
    free_object(object);
}

static PyMemberDef state_members[] = {
    {"remember", T_BOOL, offsetof(State, remember), 0,
     PyDoc_STR("Whether plans may be kept: not where more than nodes decides.")},
    {"mutable", T_BOOL, offsetof(State, mutable), 0, PyDoc_STR("Whether arrays can be written to.")},
    {"x64_off", T_BOOL, offsetof(State, x64_off), 0, PyDoc_STR("Whether 64-bit dtypes do not exist.")},
    {"x64_on", T_BOOL, offsetof(State, x64_on), 0, PyDoc_STR("Whether 64-bit dtypes are the defaults.")},
    {"partitionable", T_BOOL, offsetof(State, partitionable), 0,
     PyDoc_STR("Whether random bits depend on their positions alone.")},
    {"views", T_BOOL, offsetof(State, views), 0, PyDoc_STR("Whether watchers see items that are views.")},
    {"strict", T_BOOL, offsetof(State, strict), 0, PyDoc_STR("Whether operands are refused that others promote.")},
    {"ruled", T_BOOL, offsetof(State, ruled), READONLY,
     PyDoc_STR("Whether the rules of a system run before definitions.")},
    {"watcher", T_OBJECT, offsetof(State, watcher), READONLY,
     PyDoc_STR("What public functions call in their place, or None.")},
    {"outer", T_OBJECT, offsetof(State, outer), READONLY, PyDoc_STR("With a watcher, the Scope without it.")},
    {"bare", T_OBJECT, offsetof(State, bare), READONLY, PyDoc_STR("With a watcher, the Scope without any.")},
    {NULL, 0, 0, 0, NULL},
};
/* Read four nodes, for the kinds of Python scalars in order; false with an exception. */
static bool read_four(PyObject *sequence, const Node **four) {
    PyObject *fast = PySequence_Fast(sequence, "set_defaults: expected four nodes");
    bool good = fast != NULL && PySequence_Fast_GET_SIZE(fast) == 4;
    if (fast != NULL && !good) PyErr_SetString(PyExc_ValueError, "set_defaults: expected four nodes");
    for (int i = 0; good && i < 4; i++) good = (four[i] = node_of(PySequence_Fast_GET_ITEM(fast, i))) != NULL;
    Py_XDECREF(fast);
    return good;
}

static PyObject *state_set_defaults(PyObject *object, PyObject *args) {
    PyObject *defaults, *scalars;
    const Node *found[2][4];
    if (!PyArg_ParseTuple(args, "OO:set_defaults", &defaults, &scalars) || !read_four(defaults, found[0]) ||
        !read_four(scalars, found[1]))
        return NULL;
    memcpy(((State *)object)->defaults, found[0], sizeof found[0]);
    memcpy(((State *)object)->scalars, found[1], sizeof found[1]);
    Py_RETURN_NONE;
}

static PyObject *state_set_refusals(PyObject *object, PyObject *argument) {
    Py_buffer view;
    if (PyObject_GetBuffer(argument, &view, PyBUF_SIMPLE) < 0) return NULL;
    bool good = view.len <= MAX_NODES;
    if (good) memcpy(((State *)object)->refuses, view.buf, (size_t)view.len);
    else PyErr_Format(PyExc_ValueError, "set_refusals: expected a byte for each node, got %zd bytes", view.len);
    PyBuffer_Release(&view);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* Set once, before the state is in force. */
static PyObject *state_set_guests(PyObject *object, PyObject *args) {
    State *self = (State *)object;
    PyObject *watcher, *outer, *bare;
    int ruled;
    if (!PyArg_ParseTuple(args, "OOOp:set_guests", &watcher, &outer, &bare, &ruled)) return NULL;
    bool watched = watcher != Py_None;
    if (watched && !(PyObject_TypeCheck(outer, ScopeType) && PyObject_TypeCheck(bare, ScopeType)))
        return PyErr_Format(PyExc_TypeError, "set_guests: expected two Scopes, got %R and %R", outer, bare);
    if (self->ruled || self->watcher != NULL) {
        PyErr_SetString(PyExc_ValueError, "set_guests: the state has guests");
        return NULL;
    }
    self->ruled = ruled;
    if (watched) {
        self->outer = Py_NewRef(outer);
        self->bare = Py_NewRef(bare);
        self->watcher = Py_NewRef(watcher);
    }
    if (ruled || watched) ADD(guests, 1);
    Py_RETURN_NONE;
}

static PyMethodDef state_methods[] = {
    {"set_guests", state_set_guests, METH_VARARGS,
     PyDoc_STR("Set the watcher, the Scopes without it and without any, and whether the rules of a system run before "
               "definitions.")},
    {"set_defaults", state_set_defaults, METH_VARARGS,
     PyDoc_STR("Set the nodes of arrays of bools, ints, floats and complex numbers, and those of arrays made of one "
               "Python scalar.")},
    {"set_refusals", state_set_refusals, METH_O,
     PyDoc_STR("Set, for each node, what an array of it does not keep its node with: bits of bool, int, float, complex "
               "and the node itself.")},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot state_slots[] = {
    {Py_tp_doc, (void *)PyDoc_STR("One combination of settings; owns the plans made under it.")},
    {Py_tp_new, state_new},
    COLLECTED_SLOTS(state),
    {Py_tp_members, state_members},
    {Py_tp_methods, state_methods},
    {0, NULL},
};
PyType_Spec state_spec = {"supremum._native.State", sizeof(State), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, state_slots};

/* -- scopes -- */

typedef struct {
    PyObject_HEAD
    State *state;          /* owned; NULL until it is resolved */
    Py_ssize_t generation; /* of the process-wide state that it was resolved against */
} Scope;

State *process_state;
static Py_ssize_t generation;    /* grows when the process-wide state changes */
static PyObject *scope_variable; /* owned; the context variable */
Py_ssize_t live_scopes;
/* Changes with the first calls in contexts without a scope, while scopes are alive, after `marked` has grown. So a
 * scope that no call used can say that calls of other threads did not take it over. */
static Py_ssize_t strays, marked;

#ifdef Py_GIL_DISABLED
PyMutex writing;
#ifndef MS_WINDOWS
#include <pthread.h>
/* A child of `fork` lacks the thread that would unlock it. What it guards is whole at any moment, for others read it
 * without. */
static void unlock_in_child(void) { writing = (PyMutex){0}; }
#endif
#endif

static PyObject *scope_new(PyTypeObject *type, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwargs)) {
    PyObject *self = type->tp_alloc(type, 0);
    if (self != NULL) ADD(live_scopes, 1);
    return self;
}

#define SCOPE_MEMBERS(X) X(state)
COLLECTED(scope, Scope, SCOPE_MEMBERS, NONE, NONE, ADD(live_scopes, -1))

static PyObject *scope_used(PyObject *self, void *Py_UNUSED(closure)) {
    return PyBool_FromLong(LOAD(((Scope *)self)->state) != NULL);
}

static PyGetSetDef scope_members[] = {
    {"used", scope_used, NULL, PyDoc_STR("Whether a call was made in the scope."), NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot scope_slots[] = {
    {Py_tp_doc,
     (void *)PyDoc_STR(
         "An override of the state in one context; a subclass has a method `resolve` that returns the State.")},
    {Py_tp_new, scope_new},
    {Py_tp_getset, scope_members},
    COLLECTED_SLOTS(scope),
    {0, NULL},
};
PyType_Spec scope_spec = {"supremum._native.Scope", sizeof(Scope), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, scope_slots};

/* Compute the state of a scope, and remember it: 0, or -1 with an exception. May run Python. */
static int resolve(Scope *scope) {
    Py_ssize_t now = (Py_ssize_t)LOAD(generation);
    PyObject *state = PyObject_CallMethod((PyObject *)scope, "resolve", NULL);
    if (state != NULL && !PyObject_TypeCheck(state, StateType)) {
        PyErr_Format(PyExc_TypeError, "resolve() of a scope must return a State, got %R", state);
        Py_CLEAR(state);
    }
    if (state == NULL) return -1;
    LOCK();
    if (now >= scope->generation) { /* else another thread, or `resolve` itself, has resolved it later */
        State *old = scope->state;
        PUBLISH(scope->state, (State *)state);
        ADD(scope->generation, now - scope->generation);
        state = (PyObject *)old;
    }
    UNLOCK();
    Py_XDECREF(state);
    return 0;
}

/* The state is borrowed from the scope, and that from the context. So after a scope was resolved, which ran Python,
 * both are looked up again; a process-wide state that was set meanwhile counts from the next call on. */
State *state_in_context(void) {
    bool resolved = false;
    while (LOAD(live_scopes) != 0) {
        PyObject *scope;
        if (PyContextVar_Get(scope_variable, NULL, &scope) < 0) return NULL;
        if (scope == NULL || !PyObject_TypeCheck(scope, ScopeType)) {
            Py_XDECREF(scope);
            if ((Py_ssize_t)LOAD(strays) < (Py_ssize_t)LOAD(marked)) ADD(strays, 1);
            break;
        }
        bool current =
            LOAD(((Scope *)scope)->generation) == LOAD(generation); /* read first: the state is as new, or newer */
        State *state = LOAD(((Scope *)scope)->state);
        if (state != NULL && (resolved || current)) {
            Py_DECREF(scope); /* the context has it */
            return state;
        }
        int status = resolve((Scope *)scope);
        Py_DECREF(scope);
        if (status < 0) return NULL;
        resolved = true;
    }
    State *state = LOAD(process_state);
    if (state == NULL) PyErr_SetString(PyExc_RuntimeError, "no state is in force: call use(state) first");
    return state;
}

static PyObject *mark_strays(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(none)) {
    Py_ssize_t now = (Py_ssize_t)LOAD(strays), behind = now - (Py_ssize_t)LOAD(marked);
    ADD(marked, behind > 0 ? behind + 1 : 1); /* threads that count at once may have counted too far */
    return PyLong_FromSsize_t(now);
}

int state_has_guests(void) {
    State *state = current_state();
    return state == NULL ? -1 : state->ruled || state->watcher != NULL;
}

int state_is_watched(void) {
    State *state = current_state();
    return state == NULL ? -1 : state->watcher == NULL ? 0 : state->views ? 1 : 2;
}

PyObject *enter_scope(PyObject *scope) { return PyContextVar_Set(scope_variable, scope); }

int leave_scope(PyObject *token) {
    if (token == NULL) return 0;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    int status = PyContextVar_Reset(scope_variable, token);
    Py_DECREF(token); /* may run Python */
    if (status == 0) PyErr_Restore(type, value, traceback);
    else {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
    }
    return status;
}

int enter_bare(PyObject **token) {
    *token = NULL;
    if (LOAD(guests) == 0) return 0;
    State *state = current_state();
    if (state == NULL) return -1;
    if (state->watcher == NULL) return 0;
    PyObject *scope = Py_NewRef(state->bare);
    *token = enter_scope(scope);
    Py_DECREF(scope);
    return *token == NULL ? -1 : 0;
}

static PyObject *state_in_force(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused)) {
    return Py_XNewRef((PyObject *)current_state());
}

static PyObject *use_state(PyObject *Py_UNUSED(module), PyObject *state) {
    if (!PyObject_TypeCheck(state, StateType))
        return PyErr_Format(PyExc_TypeError, "use: expected a State, got %R", state);
    State *old = process_state;
    PUBLISH(process_state, (State *)Py_NewRef(state));
    ADD(generation, 1);
    Py_XDECREF(old);
    Py_RETURN_NONE;
}

/* -- operations and their plans -- */

static int operation_count;

static PyObject *operation_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *keywords[] = {"name", "operands", "make_plan", NULL};
    PyObject *name, *maker;
    int operands;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "UiO:Operation", keywords, &name, &operands, &maker)) return NULL;
    if (operands != 1 && operands != 2)
        return PyErr_Format(PyExc_ValueError, "Operation: operands must be 1 or 2, got %d", operands);
    LOCK();
    int id = operation_count < MAX_OPERATIONS ? operation_count++ : MAX_OPERATIONS;
    UNLOCK();
    if (id == MAX_OPERATIONS)
        return PyErr_Format(PyExc_ValueError, "Operation: there are more than %d", MAX_OPERATIONS);
    Operation *self = (Operation *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    self->id = id;
    self->operands = operands;
    self->name = Py_NewRef(name);
    self->maker = Py_NewRef(maker);
    return (PyObject *)self;
}

/* The id is not used again: states may still hold plans of the operation. */
#define OPERATION_MAKER(X) X(maker) X(factors) X(function)
#define OPERATION_NAME(X) X(name)
COLLECTED(operation, Operation, OPERATION_MAKER, NONE, OPERATION_NAME, )

static PyMemberDef operation_members[] = {
    {"name", T_OBJECT_EX, offsetof(Operation, name), READONLY, NULL},
    {"operands", T_INT, offsetof(Operation, operands), READONLY, NULL},
    {"make_plan", T_OBJECT, offsetof(Operation, maker), READONLY, NULL},
    {"factors", T_OBJECT, offsetof(Operation, factors), 0, PyDoc_STR("By which tangents are multiplied, or None.")},
    {"function", T_OBJECT, offsetof(Operation, function), 0, PyDoc_STR("The public function, if it is known.")},
    {NULL, 0, 0, 0, NULL},
};
static PyType_Slot operation_slots[] = {
    {Py_tp_doc, (void *)PyDoc_STR("What states keep plans for: a function of one or two operands, by nodes.")},
    {Py_tp_new, operation_new},
    COLLECTED_SLOTS(operation),
    {Py_tp_members, operation_members},
    {0, NULL},
};
PyType_Spec operation_spec = {"supremum._native.Operation", sizeof(Operation), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, operation_slots};

static Table *own_table(State *state, int id) {
    Table *table = state->tables[id];
    if (table != &empty_table) return table;
    table = zeroed(0, sizeof(Table));
    if (table == NULL) return NULL;
    memcpy(table, &empty_table, sizeof(Table));
    PUBLISH(state->tables[id], table);
    return table;
}

/* Keep a plan, which gets a reference of its own, unless another thread has kept one meanwhile; false with an
 * exception. */
static bool keep(State *state, int id, int first, Scalar kind, int second, bool scalar_first, Plan *plan) {
    bool good = false;
    LOCK();
    Table *table = own_table(state, id);
    if (table != NULL) {
        Plan ***place = kind == S_NONE ? &table->pairs[first] : &table->scalars[scalar_first][first];
        int columns = kind == S_NONE ? MAX_NODES : S_COUNT, column = kind == S_NONE ? second : (int)kind;
        if (*place == empty_row) {
            Plan **row = PyMem_Calloc(columns, sizeof(Plan *));
            if (row == NULL) PyErr_NoMemory();
            else PUBLISH(*place, row);
        }
        if (*place != empty_row) {
            good = true;
            if ((*place)[column] == NULL) {
                plan->kept = true;
                PUBLISH((*place)[column], (Plan *)Py_NewRef((PyObject *)plan));
            }
        }
    }
    UNLOCK();
    return good;
}

/* An operand that a plan is made for: a node, or the type of a Python scalar, which has no buffer. Nodes and these
 * types live as long as the process. */
typedef struct {
    PyObject *what;
    PyArrayObject *data;
} Wanted;

/* Have a plan made, which the caller owns, and keep it. May run Python. */
static Plan *make_plan(Operation *operation, State *state, int first, Scalar kind, int second, bool scalar_first,
                       const Wanted *operands) {
    if (operation->maker == NULL) /* by the garbage collector */
        return (Plan *)PyErr_Format(PyExc_RuntimeError, "%U: the operation has been freed", operation->name);
    int count = operation->operands;
    PyObject *arguments[5] = {Py_NewRef((PyObject *)state)}, *plan = NULL;
    for (int i = 0; i < count; i++) arguments[1 + i] = operands[i].what;
    bool good = true;
    for (int i = 0; good && i < count; i++) {
        arguments[1 + count + i] = operands[i].data == NULL ? PyTuple_New(0) : shape_of(&operands[i].data);
        good = arguments[1 + count + i] != NULL;
    }
    if (good) plan = PyObject_Vectorcall(operation->maker, arguments, 1 + 2 * count, NULL);
    if (good && plan == NULL) leave_out_frames();
    for (int i = 0; i < count; i++) Py_XDECREF(arguments[1 + count + i]);
    if (plan != NULL && !Py_IS_TYPE(plan, PlanType)) {
        PyErr_Format(PyExc_TypeError, "%U: the maker of plans must return a Plan, got %R", operation->name, plan);
        Py_CLEAR(plan);
    }
    if (plan != NULL && state->remember && !keep(state, operation->id, first, kind, second, scalar_first, (Plan *)plan))
        Py_CLEAR(plan);
    Py_DECREF(state);
    return (Plan *)plan;
}

Plan *made_plan_of_one(Operation *operation, State *state, Operand x) {
    if (state->watcher != NULL) return NULL;
    return make_plan(operation, state, 0, S_NONE, x.node->index, false, &(Wanted){x.node->object, x.data});
}

Plan *made_plan_of_two(Operation *operation, State *state, Operand x, Operand y) {
    if (state->watcher != NULL) return NULL;
    const Wanted operands[] = {{x.node->object, x.data}, {y.node->object, y.data}};
    return make_plan(operation, state, x.node->index, S_NONE, y.node->index, false, operands);
}

Plan *made_plan_of_scalar(Operation *operation, State *state, Operand x, Scalar kind, bool scalar_first) {
    if (state->watcher != NULL) return NULL;
    /* Not static, because Windows imports their addresses. */
    PyTypeObject *const types[] = {&PyBool_Type, &PyLong_Type, &PyFloat_Type, &PyComplex_Type};
    const Wanted array = {x.node->object, x.data}, scalar = {(PyObject *)types[kind], NULL};
    const Wanted operands[] = {scalar_first ? scalar : array, scalar_first ? array : scalar};
    return make_plan(operation, state, x.node->index, kind, 0, scalar_first, operands);
}

/* Return the plan for operands without computing; for tests and for Python functions that need the node of a result. */
static PyObject *find_plan(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count) {
    if (count < 2 || count > 3 || !Py_IS_TYPE(args[0], OperationType) ||
        ((Operation *)args[0])->operands != count - 1) {
        PyErr_SetString(PyExc_TypeError, "plan: expected an Operation and its operands");
        return NULL;
    }
    Operation *operation = (Operation *)args[0];
    PyObject *x = args[1], *y = args[count - 1], *token;
    Call call;
    bool good = false;
    if (enter_bare(&token) < 0) return NULL;
    if (count == 2 && IS_ARRAY(x)) good = begin_one(&call, operation, x);
    else if (IS_ARRAY(x) && IS_ARRAY(y)) good = begin_two(&call, operation, x, y);
    else if (IS_ARRAY(x) && scalar_kind(y) != S_NONE) good = begin_scalar(&call, operation, x, scalar_kind(y), false);
    else if (IS_ARRAY(y) && scalar_kind(x) != S_NONE) good = begin_scalar(&call, operation, y, scalar_kind(x), true);
    else
        PyErr_SetString(PyExc_TypeError,
                        "plan: an operand is neither an Array nor a Python scalar, or none is an Array");
    PyObject *plan = NULL;
    if (good) {
        plan = Py_NewRef((PyObject *)call.plan);
        end_call(&call);
    }
    if (leave_scope(token) < 0) Py_CLEAR(plan);
    return plan;
}

/* -- the module's part -- */

PyMethodDef state_functions[] = {
    {"use", use_state, METH_O, PyDoc_STR("Have a State rule where no scope overrides it.")},
    {"state", state_in_force, METH_NOARGS, PyDoc_STR("Return the State in force in this context.")},
    {"strays", mark_strays, METH_NOARGS,
     PyDoc_STR(
         "Return a number that has changed by the next call if one was made since without a Scope, while one lived.")},
    {"plan", FASTCALL(find_plan), PyDoc_STR("Return the plan of an Operation for operands.")},
    {NULL, NULL, 0, NULL},
};

int state_ready(PyObject *module) {
    for (int i = 0; i < MAX_NODES; i++)
        empty_table.pairs[i] = empty_table.scalars[0][i] = empty_table.scalars[1][i] = empty_row;
#if defined(Py_GIL_DISABLED) && !defined(MS_WINDOWS)
    if (pthread_atfork(NULL, NULL, unlock_in_child) != 0) {
        PyErr_NoMemory();
        return -1;
    }
#endif
    scope_variable = PyContextVar_New("supremum_scope", NULL);
    if (scope_variable == NULL) return -1;
    return PyModule_AddObjectRef(module, "scope", scope_variable);
}
