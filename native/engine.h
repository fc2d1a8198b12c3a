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
#ifndef SUPREMUM_ENGINE_H
#define SUPREMUM_ENGINE_H

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

/* Elements from which a loop runs without the GIL. */
enum { UNLOCKED = 500 };

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
/* Return the bytes of an array as NumPy limits them: axes without elements do not count. */
static inline npy_intp bytes_of_shape(int ndim, const npy_intp *shape, npy_intp itemsize) {
    for (int i = 0; i < ndim; i++) itemsize = size_product(itemsize, shape[i] > 0 ? shape[i] : 1);
    return itemsize;
}

/* -- nodes -- */

/* The dtypes whose elements C knows: native ones up to E_COUNT, then foreign ones. Of those it knows the narrow ones
 * from E_NARROW on; they have loops and no other fast paths. */
typedef enum {
    E_BOOL,
    E_INT8,
    E_INT16,
    E_INT32,
    E_INT64,
    E_UINT8,
    E_UINT16,
    E_UINT32,
    E_UINT64,
    E_FLOAT32,
    E_FLOAT64,
    E_COMPLEX64,
    E_COMPLEX128,
    E_COUNT,
    E_FOREIGN = E_COUNT,
    E_NARROW,
    E_BFLOAT16 = E_NARROW,
    E_FLOAT16,
    E_FLOAT8_E3M4,
    E_FLOAT8_E4M3,
    E_FLOAT8_E4M3B11FNUZ,
    E_FLOAT8_E4M3FN,
    E_FLOAT8_E4M3FNUZ,
    E_FLOAT8_E5M2,
    E_FLOAT8_E5M2FNUZ,
    E_FLOAT8_E8M0FNU,
    E_FLOAT6_E2M3FN,
    E_FLOAT6_E3M2FN,
    E_FLOAT4_E2M1FN,
    E_INT1,
    E_INT2,
    E_INT4,
    E_UINT1,
    E_UINT2,
    E_UINT4,
    E_TYPES
} Type;

enum { MAX_NODES = 96 };

/* What C knows of a node. Nodes are registered once and live as long as the process. */
typedef struct {
    PyObject *object;     /* the Python node, owned */
    PyArray_Descr *dtype; /* of its buffers, owned */
    PyObject *public;     /* what `Array.dtype` is, owned */
    Type type;
    int index;
    bool weak;
    char kind;
} Node;

extern Node nodes[MAX_NODES];
extern int node_count;

/* Return the facts of a Python node, or NULL with a TypeError. */
const Node *node_of(PyObject *object);
/* Return the strong node of a native dtype of NumPy's, or NULL without an exception. */
const Node *node_of_dtype(PyArray_Descr *dtype);
/* Return the strong node of a native type, or NULL without an exception. */
const Node *node_of_type(Type type);
/* Whether a dtype is one of NumPy's numbers, texts and times; of those of other packages, the newer kind has the number
 * -1. */
static inline bool is_of_numpy(PyArray_Descr *dtype) {
    return dtype->type_num >= 0 && dtype->type_num < NPY_NTYPES_LEGACY;
}
/* Return the type of a dtype's elements. */
Type type_of_dtype(PyArray_Descr *dtype);
/* Whether NumPy itself has the dtype and computes in it. */
static inline bool is_native(Type type) { return type < E_FOREIGN; }
static inline bool is_narrow_float(Type type) { return type >= E_NARROW && type < E_INT1; }
/* Return the narrow type of NumPy's type number, or E_FOREIGN; and the reverse, or NPY_NOTYPE where the package
 * lacks it. */
Type narrow_type(int number);
int number_of_narrow(Type type);
npy_intp size_of_narrow(Type type);
/* Find the loop of a ufunc of a narrow type (see loops/narrow_loops.c): the name of its function, or NULL. */
const char *narrow_loop(PyObject *ufunc, Type type, PyUFuncGenericFunction *function, void **data);

/* -- arrays -- */

typedef struct {
    PyObject_HEAD
    PyArrayObject *data; /* owned; an exact ndarray; NULL only while the array is being freed */
    const Node *node;
    PyObject *weakrefs;
} Array;

extern PyTypeObject *ArrayType, *DeletedType;
#define IS_ARRAY(x) Py_IS_TYPE((x), ArrayType)

/* Make an Array; takes over `data`, which may be NULL with an exception set. */
PyObject *wrap(PyArrayObject *data, const Node *node);
/* The same of an ndarray that may have another dtype than the node, which is a TypeError. */
PyObject *wrap_checked(PyArrayObject *data, const Node *node);
void array_dealloc(PyObject *object);
/* Return the shape of the buffer at a place as a tuple. May run Python, after which the place is read again. */
PyObject *shape_of(PyArrayObject *const *place);
/* Make an empty C-contiguous (or Fortran-contiguous) ndarray. */
PyArrayObject *new_data(const Node *node, int ndim, const npy_intp *shape, bool fortran);
/* The same of a dtype (which is not taken over), and perhaps strides; of large ones, the memory is the pool's. */
PyArrayObject *new_buffer(PyArray_Descr *dtype, int ndim, const npy_intp *shape, const npy_intp *strides, bool fortran);
/* Make a C-contiguous ndarray of zeros. */
PyArrayObject *new_zeros(const Node *node, int ndim, const npy_intp *shape);
/* An operand: what an Array was when the call began. The buffer is owned: an Array that is deleted gets another one. */
typedef struct {
    PyArrayObject *data;
    const Node *node;
} Operand;
static inline Operand operand_of(PyObject *x) {
    return (Operand){(PyArrayObject *)Py_NewRef((PyObject *)((Array *)x)->data), ((Array *)x)->node};
}
/* Make a view of `data` that begins at `start`. */
PyArrayObject *new_view(PyArrayObject *data, int ndim, const npy_intp *shape, const npy_intp *strides, char *start);
/* Read the element at `place` as a Python scalar; `type` is not E_FOREIGN. */
PyObject *scalar_from(Type type, const char *place);

/* The kinds of Python scalars, by their exact type. */
typedef enum { S_BOOL, S_INT, S_FLOAT, S_COMPLEX, S_COUNT, S_NONE = S_COUNT } Scalar;
static inline Scalar scalar_kind(PyObject *x) {
    if (PyFloat_CheckExact(x)) return S_FLOAT;
    if (PyLong_CheckExact(x)) return S_INT;
    if (PyBool_Check(x)) return S_BOOL;
    return PyComplex_CheckExact(x) ? S_COMPLEX : S_NONE;
}

/* -- plans and their tables -- */

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
    PyObject *name;  /* owned */
    PyObject *maker; /* owned; makes a plan */
} Operation;

/* The guests of the context: watchers, and the rules of systems for functions without plans. */
extern Py_ssize_t guests; /* how many states that have some are alive */
/* Whether the state in force has guests; -1 with an exception. May run Python, as `current_state` does. */
int state_has_guests(void);
/* Whether fast paths without plans leave a call to what comes after them. Without guests, this is one test. */
static inline int has_guests(void) { return LOAD(guests) != 0 ? state_has_guests() : 0; }
/* The same of watchers alone. */
int state_is_watched(void);
static inline int is_watched(void) { return LOAD(guests) != 0 ? state_is_watched() : 0; }
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

/* -- hooks: Python functions for what is not plain -- */

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
/* Return a hook, borrowed, or NULL; hooks stay for the life of the process. */
PyObject *hook_of(int hook);
/* Set the operation behind an operator: 0, or -1 with an exception. */
int set_operator(PyObject *name, PyObject *operation);
/* Leave the package's own frames out of the traceback of the error that is set, if one is. May run Python. */
void leave_out_frames(void);
/* Call a watcher, or the method of an operand that takes over, in the error state of the user's code. */
PyObject *call_guest(PyObject *guest, PyObject *const *arguments, Py_ssize_t count);
/* Return new references to the arguments of a call as a tuple and a dict; false with an exception. */
bool pack_arguments(PyObject *const *args, Py_ssize_t count, PyObject *keywords, PyObject **positional,
                    PyObject **named);
/* Offer a call of a function to the operands that take over, one after the other: the result; NotImplemented if all
 * refuse; or NULL, without an exception where there is none. May run Python. */
PyObject *offer(PyObject *function, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
/* Return a new dict of the arguments of a call, a tuple and a dict, by name in the order of the parameters, defaults
 * among them; `parameters` is what the hook of that name returns of the function, which is named in errors. May run
 * Python. */
PyObject *bind_arguments(PyObject *parameters, PyObject *function, PyObject *args, PyObject *kwargs);

/* -- computing -- */

typedef void Cast(const char *from, char *to, npy_intp count);
/* Return what converts contiguous elements, or NULL where C's conversion is not what NumPy's is. */
Cast *cast_between(Type from, Type to);
/* How contiguous elements of one type become those of another: in one step, or in two through a third type. */
typedef struct {
    Cast *first, *second;
    npy_intp from_size, middle_size, to_size;
} Conversion;
/* Find the conversion between two types of which one may be narrow; a truth value is whether an element is not zero.
 * False where there is none, or the types are the same. */
bool find_conversion(Type from, Type to, Conversion *found);
void convert_elements(const Conversion *how, const char *from, char *to, npy_intp count);
/* Return what says which elements are not zero. */
Cast *truth_of(Type from);
extern const uint8_t type_size[E_COUNT];

/* Write a Python scalar of a kind as an element of the plan's input: 1, or 0 where `convert` must do it, or -1 with an
 * exception. */
int write_scalar(const Plan *plan, PyObject *scalar, Scalar kind, char *place);
/* Write a Python scalar that a type holds without a change of kind or range: 1, or 0 where it does not. */
int store_scalar(Type type, PyObject *scalar, Scalar kind, char *place);

/* The same of a narrow float that rounds what it does not hold, and integers that float32 holds. */
int store_narrow(Type type, PyObject *scalar, Scalar kind, char *place);

/* Apply an operation. NULL without an exception: an operand is neither an Array nor a plain one. */
PyObject *quick_binary(Operation *operation, PyObject *x, PyObject *y);
PyObject *quick_unary(Operation *operation, PyObject *x);
/* The same where an operand is no Array: one of `vmap`'s batches (see batches.c). */
PyObject *quick_batches(Operation *operation, PyObject *const *operands);
/* Return an ndarray or a Python scalar as an Array (a new reference); NULL without an exception where that is Python's
 * to do. */
PyObject *plain_operand(PyObject *x);
/* Apply in place; NULL without an exception where it is not plain. */
PyObject *quick_in_place(Operation *operation, PyObject *x, PyObject *y);

/* The slots of Python's operators. */
#define OPERATOR_SLOTS(X) \
    X(add) X(subtract) X(multiply) X(true_divide) X(floor_divide) X(remainder) X(and) X(or) X(xor) X(lshift) X(rshift)
#define X(name) \
    PyObject *operator_##name(PyObject *, PyObject *); \
    PyObject *operator_inplace_##name(PyObject *, PyObject *);
OPERATOR_SLOTS(X)
#undef X
PyObject *operator_power(PyObject *, PyObject *, PyObject *);
PyObject *operator_inplace_power(PyObject *, PyObject *, PyObject *);
PyObject *operator_divmod(PyObject *, PyObject *);
PyObject *operator_matrix_multiply(PyObject *, PyObject *);
PyObject *operator_inplace_matrix_multiply(PyObject *, PyObject *);
PyObject *operator_negative(PyObject *);
PyObject *operator_positive(PyObject *);
PyObject *operator_absolute(PyObject *);
PyObject *operator_invert(PyObject *);
PyObject *operator_compare(PyObject *, PyObject *, int);

/* Broadcast shapes: the number of dimensions of the result, or -1 (no exception) where they do not fit. */
int broadcast(int count, PyArrayObject *const *arrays, npy_intp *shape);

/* -- indexing -- */

PyObject *array_subscript(PyObject *x, PyObject *key);
int array_assign_subscript(PyObject *x, PyObject *key, PyObject *value);
PyObject *array_item(PyObject *x, Py_ssize_t index);
/* Read by an index array or a mask; NULL without an exception where it is not plain or out of range. */
PyObject *read_by_array(const Operand *x, const Operand *key);
/* Write elements, or rows, of the dtype of `data` where an index array says; false where it is not plain or out of
 * range, and nothing is written. */
bool write_by_indices(PyArrayObject *data, const Operand *key, PyArrayObject *source);
/* Write into a view that a key made; 1, or 0 where the value is not plain, or -1 with an exception. */
int store_at(PyArrayObject *data, const Node *node, PyObject *key, PyObject *value);

/* Make what `x.at` is. */
PyObject *at_of(PyObject *x, void *closure);

/* -- functions -- */

/* The arguments of a call, as vectorcall passes them. */
typedef struct {
    PyObject *const *values;
    Py_ssize_t count;
    PyObject *names;
} Arguments;
/* A fast path; the operation is what the Function has, or NULL. */
typedef PyObject *FastPath(Operation *operation, const Arguments *arguments);
typedef struct {
    const char *name;
    FastPath *fast;
} NamedPath;
/* A plain call, of functions that are one call on buffers where their arguments are plain. */
typedef struct Plain Plain;
/* Return the result of a plain call; NULL without an exception where the arguments are not plain. May run Python. */
PyObject *call_plain(const Plain *self, const Arguments *arguments);
extern const NamedPath shape_paths[], join_paths[], product_paths[], creation_paths[], conversion_paths[], at_paths[],
    random_paths[], comparing_paths[], ordering_paths[], fold_paths[];

/* Sort arguments by parameter names (interned strings), of which the first `positional` may come by position; false
 * where one is unknown, given twice or too many. Absent ones become NULL. */
bool arguments_by_name(const Arguments *arguments, PyObject *const *names, int positional, int count, PyObject **found);
/* Interned strings of parameters. */
#define PARAMETERS(X) \
    X(axis) \
    X(keepdims) \
    X(dtype) \
    X(copy) \
    X(shape) \
    X(fill_value) \
    X(min) \
    X(max) \
    X(a) \
    X(key) \
    X(num) \
    X(data) \
    X(minval) X(maxval) X(b) X(rtol) X(atol) X(equal_nan) X(a1) X(a2) X(__supremum_function__) X(__supremum_level__)
typedef struct {
#define X(name) PyObject *name;
    PARAMETERS(X)
#undef X
} Names;
extern Names names;

/* Whether a buffer has the dtype of a node, though its dtype is another object. Runs no Python, of keys neither. */
bool is_equivalent(PyArrayObject *data, const Node *node);
/* Whether a buffer has the dtype of its Array's node. The ndarray may be shared with the user, who can set its `dtype`;
 * so this is checked before C code reads or writes elements by the node's type. */
static inline bool is_of(PyArrayObject *data, const Node *node) {
    return PyArray_DESCR(data) == node->dtype || is_equivalent(data, node);
}
/* Whether loops can read the buffer of an Array or of an Operand as it lies. */
#define aligned_native(x) (PyArray_ISALIGNED((x)->data) && is_of((x)->data, (x)->node))
/* Read an exact Python int: 1, or 0 where `x` is none or does not fit. */
int read_length(PyObject *x, npy_intp *value);
/* Read a shape, a tuple of ints or an int, of which none is below `least`: the number of axes, or -1 without an
 * exception. */
int read_shape(PyObject *x, npy_intp least, npy_intp *shape);
/* Fill contiguous elements with one. */
void fill_elements(char *place, const char *element, Py_ssize_t itemsize, npy_intp count);
/* Return the strong node that a `dtype=` means in a state (see dtypes.c), or NULL without an exception: where it is
 * another spelling, no dtype, or one of 64 bits that the state does not allow. Runs no Python. */
const Node *find_dtype(const State *state, PyObject *dtype);
/* The same of nodes whose elements C knows. */
const Node *node_of_argument(const State *state, PyObject *dtype);

extern PyMethodDef cast_functions[], array_functions[], state_functions[], hook_functions[], operator_functions[],
    random_functions[], counting_functions[], dtype_functions[], batch_functions[];
extern PyType_Spec array_spec, deleted_spec, plan_spec, state_spec, scope_spec, operation_spec, function_spec,
    ufunc_spec, plain_spec, at_spec, update_spec, program_spec, chain_spec;
extern PyTypeObject *FunctionType, *UfuncType, *PlainType, *AtType, *UpdateType, *ProgramType, *ChainType;
int functions_ready(void);
int batches_ready(PyObject *module);
/* Make a type of the module, which has it as an attribute: 0, or -1 with an exception. */
int add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **place, const char *name, PyTypeObject *base);
int hooks_ready(void);
int state_ready(PyObject *module);
/* Multiply matrices or vectors; NULL without an exception where it is not plain. */
PyObject *quick_matmul(Operation *operation, PyObject *x, PyObject *y);

#endif
