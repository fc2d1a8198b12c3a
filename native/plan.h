/* Plans, the states that keep them, and calls, which own what they use. */
#ifndef SUPREMUM_PLAN_H
#define SUPREMUM_PLAN_H

#include "memory.h"

typedef struct {
    PyObject_HEAD
    const Node *node;            /* of the result */
    PyUFuncGenericFunction loop; /* NumPy's, or NULL: call `call` */
    void *auxiliary;             /* what the loop gets as its last argument */
    PyObject *ufunc;             /* owned; it owns `loop`. NULL where there is no loop */
    PyArray_Descr *input;        /* owned; the dtype of the loop's inputs. NULL where there is no loop */
    Type type;                   /* of the elements that it computes in, or E_FOREIGN */
    Py_ssize_t input_size;
    Py_ssize_t output_size;
    enum { ANY_FUNCTION, A_SUM, A_DIFFERENCE, A_PRODUCT, A_QUOTIENT, A_LEAST, A_GREATEST } what; /* by name */
    int identity;   /* 0 or 1; -1 where the ufunc has none */
    PyObject *call; /* owned; computes from ndarrays of the operands' own dtypes; NULL if there is none */
    PyObject
        *convert; /* owned; makes a 0-d ndarray of a Python scalar that C does not convert; NULL if there is none */
    long long low, high; /* the Python integers that C converts */
    bool floats;         /* whether C converts Python floats and complex numbers */
    bool kept;           /* whether a state keeps it */
} Plan;

extern PyTypeObject *PlanType;

/* The plans of one operation in one state. Rows and entries appear once and stay. */
typedef struct {
    Plan **pairs[MAX_NODES];      /* by two nodes; of an operation of one operand, `pairs[0]` is by its node */
    Plan **scalars[2][MAX_NODES]; /* by whether the scalar comes first, the array's node and the kind of the scalar */
} Table;

enum { MAX_OPERATIONS = 256 };

/* One combination of settings; Python derives its own class from it. */
typedef struct {
    PyObject_HEAD
    Table *tables[MAX_OPERATIONS]; /* owned; `empty_table` where there are no plans yet */
    bool remember;                 /* whether plans may be kept */
    bool mutable;                  /* whether arrays can be written to */
    bool x64_off;                  /* whether 64-bit dtypes do not exist */
    bool x64_on;                   /* whether they are the defaults */
    bool partitionable;            /* whether random bits depend on their positions alone */
    bool ruled;                    /* whether the rules of a system run before definitions */
    bool views;                    /* whether watchers see items that are views */
    bool strict;                   /* whether operands are refused that others promote */
    PyObject *watcher;             /* owned; what public functions call in their place, or NULL */
    PyObject *outer, *bare;        /* owned; with a watcher the scopes without it, and without any */
    uint8_t refuses[MAX_NODES];    /* by the index of a node: see `keeps` */
    const Node
        *defaults[4]; /* of arrays of bools, ints, floats and complex numbers, by Scalar; NULL where they are not set */
    const Node *scalars[4]; /* of arrays that are made of one Python scalar */
} State;

/* Whether an array of a node keeps the node where it promotes with a Python scalar of a kind; with another array of the
 * node for S_NONE. */
static inline bool keeps(const State *state, const Node *node, Scalar kind) {
    return !(state->refuses[node->index] >> kind & 1);
}

/* Whether a state has arrays of a node: not of 64 bits where those do not exist. */
static inline bool allows(const State *state, const Node *node) {
    return !state->x64_off || !is_native(node->type) || type_size[node->type] < 8 || node->type == E_COMPLEX64;
}

extern PyTypeObject *StateType, *ScopeType, *OperationType;

extern State *process_state;   /* owned; NULL until `use` is called */
extern Py_ssize_t live_scopes; /* how many overrides are alive anywhere */
/* Return the state where an override may be in force. */
State *state_in_context(void);
/* Return the state in force in this context, or NULL with an exception. It is borrowed, until something may run
 * Python. This does where an override is in force that has not been resolved yet. */
static inline State *current_state(void) {
    State *process = LOAD(process_state);
    return LOAD(live_scopes) == 0 && process != NULL ? process : state_in_context();
}

/* A row of rules whose plans are kept by states. */
typedef struct {
    PyObject_HEAD
    int id;
    int operands;
    PyObject *name;     /* owned */
    PyObject *maker;    /* owned; makes a plan */
    PyObject *factors;  /* owned; a tuple of those by which tangents of the operands are multiplied, or None */
    PyObject *function; /* owned; the public function, if it is known, or NULL */
} Operation;

/* The guests of the context: watchers, and the rules of systems for functions without plans. */
extern Py_ssize_t guests; /* how many states that have some are alive */
/* Whether the state in force has guests; -1 with an exception. May run Python, as `current_state` does. */
int state_has_guests(void);
/* Whether fast paths without plans leave a call to what comes after them. Without guests, this is one test. */
static inline int has_guests(void) { return LOAD(guests) != 0 ? state_has_guests() : 0; }
/* The same of watchers alone, for conversions and items of Arrays. */
int state_is_watched(void);
/* Enter a scope until `leave_scope`: a token, or NULL with an exception. */
PyObject *enter_scope(PyObject *scope);
/* Leave it, which takes over the token; an exception that is set stays set. Without a token, nothing is done. */
int leave_scope(PyObject *token);
/* Enter the scope without watchers where the state has one: 0, or -1 with an exception. */
int enter_bare(PyObject **token);

/* Calls own their plans. Without the GIL, states and the plans that they keep live as long as the process, and no
 * references are counted, for threads would wait for each other there. */
#ifdef Py_GIL_DISABLED
#define OWN_PLAN(plan) (plan)
#define PLAN_DONE(plan) \
    do { \
        if (!(plan)->kept) Py_DECREF(plan); \
    } while (0)
#else
#define OWN_PLAN(plan) ((Plan *)Py_NewRef((PyObject *)(plan)))
#define PLAN_DONE(plan) Py_DECREF(plan)
#endif
/* Have a plan made and kept by a state: a new reference, or NULL with an exception. They run Python. A state with a
 * watcher has no plans: NULL without an exception, so that what comes after the fast path calls the watcher. */
Plan *made_plan_of_one(Operation *operation, State *state, Operand x);
Plan *made_plan_of_two(Operation *operation, State *state, Operand x, Operand y);
Plan *made_plan_of_scalar(Operation *operation, State *state, Operand x, Scalar kind, bool scalar_first);
/* Return a plan, which the caller owns until PLAN_DONE, or NULL, with an exception if the state has no watchers. They
 * run Python where there is none yet. */
static inline Plan *plan_of_one(Operation *operation, Operand x) {
    State *state = current_state();
    if (state == NULL) return NULL;
    Plan *plan = LOAD(LOAD(LOAD(state->tables[operation->id])->pairs[0])[x.node->index]);
    return plan != NULL ? OWN_PLAN(plan) : made_plan_of_one(operation, state, x);
}
static inline Plan *plan_of_two(Operation *operation, Operand x, Operand y) {
    State *state = current_state();
    if (state == NULL) return NULL;
    Plan *plan = LOAD(LOAD(LOAD(state->tables[operation->id])->pairs[x.node->index])[y.node->index]);
    return plan != NULL ? OWN_PLAN(plan) : made_plan_of_two(operation, state, x, y);
}
static inline Plan *plan_of_scalar(Operation *operation, Operand x, Scalar kind, bool scalar_first) {
    State *state = current_state();
    if (state == NULL) return NULL;
    Plan *plan = LOAD(LOAD(LOAD(state->tables[operation->id])->scalars[scalar_first][x.node->index])[kind]);
    return plan != NULL ? OWN_PLAN(plan) : made_plan_of_scalar(operation, state, x, kind, scalar_first);
}

/* What a call of an operation owns: its operands, of which the second one may have no buffer, and its plan. */
typedef struct {
    Operand x, y;
    Plan *plan;
} Call;
static inline void end_call(Call *call) {
    PLAN_DONE(call->plan);
    Py_DECREF(call->x.data);
    Py_XDECREF(call->y.data);
}
/* Begin a call; false where there is no plan, and then nothing is owned. They run Python where there is none yet. */
static inline bool begun(Call *call) {
    if (call->plan != NULL) return true;
    Py_DECREF(call->x.data);
    Py_XDECREF(call->y.data);
    return false;
}
static inline bool begin_one(Call *call, Operation *operation, PyObject *x) {
    call->x = operand_of(x);
    call->y.data = NULL;
    call->plan = plan_of_one(operation, call->x);
    return begun(call);
}
static inline bool begin_two(Call *call, Operation *operation, PyObject *x, PyObject *y) {
    call->x = operand_of(x);
    call->y = operand_of(y);
    call->plan = plan_of_two(operation, call->x, call->y);
    return begun(call);
}
static inline bool begin_scalar(Call *call, Operation *operation, PyObject *x, Scalar kind, bool scalar_first) {
    call->x = operand_of(x);
    call->y.data = NULL;
    call->plan = plan_of_scalar(operation, call->x, kind, scalar_first);
    return begun(call);
}

#endif
