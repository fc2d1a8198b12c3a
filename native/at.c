/* `x.at` and `x.at[key]`, to which the package attaches the updates, and the fast paths of `x.at[key].set(value)` and
 * of updates by arrays of indices. */
#include "args.h"
#include "cast.h"
#include "hooks.h"
#include "loops/loops.h"
#include "parts.h"
#include "paths.h"
#include "run.h"
#include "scalars.h"

PyTypeObject *AtType, *UpdateType;

/* What `x.at` and `x.at[key]` are. */
typedef struct {
    PyObject_HEAD
    PyObject *array; /* owned; an Array */
    PyObject *key;   /* owned; NULL in `x.at` */
} At;

static PyObject *make(PyTypeObject *type, PyObject *array, PyObject *key) {
    At *self = PyObject_GC_New(At, type);
    if (self == NULL) return NULL;
    self->array = Py_NewRef(array);
    self->key = Py_XNewRef(key);
    PyObject_GC_Track(self);
    return (PyObject *)self;
}

PyObject *at_of(PyObject *x, void *Py_UNUSED(closure)) { return make(AtType, x, NULL); }

static int at_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(((At *)self)->key);
    Py_VISIT(Py_TYPE(self));
    return 0;
}

static void at_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_TRASHCAN_BEGIN(self, at_dealloc) /* keys may be nested deeply: `x.at[x.at[...]]` */
        Py_CLEAR(((At *)self)->array);
    Py_CLEAR(((At *)self)->key);
    PyObject_GC_Del(self);
    Py_DECREF(type);
    Py_TRASHCAN_END
}

static PyObject *at_subscript(PyObject *self, PyObject *key) { return make(UpdateType, ((At *)self)->array, key); }

static PyObject *at_repr(PyObject *self) { return PyUnicode_FromFormat("At(%R)", ((At *)self)->array); }

/* -- updates by arrays of indices -- */

enum { BLOCK = 256, MOST_PARTS = 8 };

/* The parts of a key: arrays of integers of one shape, or single ones, for the first axes of an array. */
typedef struct {
    int count, ndim;              /* of parts; of the axes of the arrays, -1 where there are none */
    npy_intp shape[NPY_MAXDIMS];  /* of the arrays */
    npy_intp size, length, total; /* of the arrays; of the rows that the parts choose; of the whole array */
    struct {
        PyArrayObject *data; /* owned; NULL of a single integer */
        const char *start;
        Cast *cast;
        npy_intp itemsize, only, bound;
    } parts[MOST_PARTS];
} Places;

static void drop_places(Places *places) {
    for (int i = 0; i < places->count; i++) Py_XDECREF(places->parts[i].data);
}

/* Read one part; false where it is not plain. */
static bool read_part(PyObject *key, Places *places) {
    int i = places->count;
    Type type;
    PyArrayObject *data;
    places->parts[i].data = NULL;
    if (read_length(key, &places->parts[i].only)) {
        places->count++;
        return true;
    }
    if (IS_ARRAY(key)) {
        data = ((Array *)key)->data;
        type = ((Array *)key)->node->type;
    } else if (PyArray_CheckExact(key)) {
        data = (PyArrayObject *)key;
        type = type_of_dtype(PyArray_DESCR(data));
    } else return false;
    /* 64-bit indices without a sign are the Python function's to judge. */
    if (type < E_INT8 || type >= E_UINT64) return false;
    if (type_of_dtype(PyArray_DESCR(data)) != type || !PyArray_ISCARRAY_RO(data)) return false;
    int ndim = PyArray_NDIM(data);
    if (places->ndim < 0) {
        places->ndim = ndim;
        if (ndim > 0) memcpy(places->shape, PyArray_DIMS(data), ndim * sizeof(npy_intp));
        places->size = PyArray_SIZE(data);
    } else if (places->ndim != ndim || !PyArray_CompareLists(places->shape, PyArray_DIMS(data), ndim)) return false;
    places->parts[i].data = (PyArrayObject *)Py_NewRef((PyObject *)data);
    places->parts[i].start = PyArray_BYTES(data);
    places->parts[i].cast = cast_between(type, E_INT64);
    places->parts[i].itemsize = PyArray_ITEMSIZE(data);
    places->count++;
    return true;
}

/* Read a key for an array; false where it is not plain, and then nothing is owned. */
static bool read_places(PyObject *key, PyArrayObject *target, Places *places) {
    PyObject *const *parts = PyTuple_CheckExact(key) ? &PyTuple_GET_ITEM(key, 0) : &key;
    Py_ssize_t count = PyTuple_CheckExact(key) ? PyTuple_GET_SIZE(key) : 1;
    places->count = 0;
    places->ndim = -1;
    places->size = places->length = 1;
    places->total = PyArray_SIZE(target);
    bool good = count > 0 && count <= MOST_PARTS && count <= PyArray_NDIM(target);
    for (Py_ssize_t i = 0; good && i < count; i++) {
        good = read_part(parts[i], places);
        if (good) places->parts[i].bound = PyArray_DIM(target, (int)i);
    }
    for (int i = (int)count; good && i < PyArray_NDIM(target); i++)
        places->length = size_product(places->length, PyArray_DIM(target, i));
    good = good && places->total > 0; /* the errors of indices of an empty axis are the Python function's */
    if (!good) drop_places(places);
    return good;
}

/* Write the rows that a block of indices chooses: negative ones count from the end, -1 means none. */
static void find_rows(const Places *places, npy_intp done, npy_intp count, int64_t *rows) {
    int64_t scratch[BLOCK];
    for (int part = 0; part < places->count; part++) {
        int64_t bound = places->parts[part].bound, *indices = part == 0 ? rows : scratch;
        if (places->parts[part].data == NULL)
            for (npy_intp i = 0; i < count; i++) indices[i] = places->parts[part].only;
        else {
            npy_intp itemsize = places->parts[part].itemsize;
            places->parts[part].cast(places->parts[part].start + done * itemsize, (char *)indices, count);
        }
        indices_in_range(indices, count, bound);
        for (npy_intp i = 0; part > 0 && i < count; i++)
            rows[i] = rows[i] < 0 || scratch[i] < 0 ? -1 : rows[i] * bound + scratch[i];
    }
}

/* Whether values are one for each element that the key chooses (1) or one for all (0); -1 where they are broadcast in
 * another path. */
static int step_of_values(const Places *places, PyArrayObject *target, PyArrayObject *values) {
    int ndim = PyArray_NDIM(values), axes = places->ndim < 0 ? 0 : places->ndim;
    int rest = PyArray_NDIM(target) - places->count;
    if (ndim == 0) return 0;
    if (ndim != axes + rest || !PyArray_IS_C_CONTIGUOUS(values)) return -1;
    for (int i = 0; i < ndim; i++) {
        npy_intp length = i < axes ? places->shape[i] : PyArray_DIM(target, places->count + i - axes);
        if (PyArray_DIM(values, i) != length) return -1;
    }
    return 1;
}

/* Copy an array and combine what the key chooses; NULL without an exception where it is not plain. Without values
 * there is a scalar's element. Making the copy may run Python, so all is read of the buffers before, and the copy is
 * checked. */
static PyObject *scattered(const Operand *x, PyObject *key, const Operand *values, const char *element, Scatter *loop) {
    Places places;
    if (!aligned_native(x) || (values != NULL && !aligned_native(values)) || !read_places(key, x->data, &places))
        return NULL;
    int step = values == NULL ? 0 : step_of_values(&places, x->data, values->data);
    const char *from = values == NULL ? element : PyArray_BYTES(values->data);
    PyArrayObject *copy = step < 0 ? NULL : (PyArrayObject *)PyArray_NewCopy(x->data, NPY_CORDER);
    if (copy != NULL && (!is_of(copy, x->node) || PyArray_SIZE(copy) != places.total)) Py_CLEAR(copy);
    if (copy != NULL) {
        npy_intp size = type_size[x->node->type];
        char *target = PyArray_BYTES(copy);
        int64_t rows[BLOCK];
        UNLOCKED_DO(
            places.size, for (npy_intp done = 0; done < places.size; done += BLOCK) {
                npy_intp now = places.size - done < BLOCK ? places.size - done : BLOCK;
                find_rows(&places, done, now, rows);
                loop(target, rows, now, places.length, from + step * done * places.length * size, step);
            });
    }
    drop_places(&places);
    return wrap(copy, x->node);
}

/* Write a Python scalar as an element of an array's dtype; false, perhaps with an exception, where the operation has
 * another result, or, without an operation, where the dtype does not hold it. May run Python. */
static bool read_element(Operation *operation, PyObject *x, PyObject *scalar, Scalar kind, char *element) {
    Call call;
    if (kind == S_NONE) return false;
    if (operation == NULL) {
        const Node *node = ((Array *)x)->node;
        return holds(node, kind) && store_scalar(node->type, scalar, kind, element) == 1;
    }
    if (!begin_scalar(&call, operation, x, kind, false)) return false;
    const Plan *plan = call.plan;
    Type type = call.x.node->type;
    bool good = plan->type == type && plan->node->type == type && write_scalar(plan, scalar, kind, element) == 1;
    end_call(&call);
    return good;
}

/* `x.at[key].add(values)` and its kin: values of the array's dtype, or Python scalars that become such. The operation
 * is the operator, NULL of an assignment. */
static PyObject *update(int which, Operation *operation, const Arguments *arguments) {
    if ((operation == NULL) != (which == SCATTER_SET) || arguments->names != NULL || arguments->count != 2 ||
        !Py_IS_TYPE(arguments->values[0], UpdateType))
        return NULL;
    const At *self = (At *)arguments->values[0];
    PyObject *given = arguments->values[1], *result = NULL;
    State *state = current_state();
    if (state == NULL || !state->remember || !IS_ARRAY(self->array)) return NULL; /* the array may have been deleted */
    const Node *node = ((Array *)self->array)->node;
    Scatter *loop = keeps(state, node, S_NONE) ? scatter_loop(which, node->type) : NULL;
    if (loop == NULL) return NULL;
    Operand x = operand_of(self->array);
    _Alignas(16) char element[16];
    if (IS_ARRAY(given)) {
        Operand values = operand_of(given);
        if (values.node->type == x.node->type) result = scattered(&x, self->key, &values, NULL, loop);
        Py_DECREF(values.data);
    } else if (read_element(operation, self->array, given, scalar_kind(given), element)) {
        result = scattered(&x, self->key, NULL, element, loop);
    } else drop_error();
    Py_DECREF(x.data);
    return result;
}

/* `x.at[key].set(value)`, as a fast path of the attached method: a copy, and a plain
 * assignment, or one by several arrays of indices. */
static PyObject *quick_set(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    if (arguments->names != NULL || arguments->count != 2 || !Py_IS_TYPE(arguments->values[0], UpdateType)) return NULL;
    const At *self = (At *)arguments->values[0];
    const State *state = current_state();
    Scalar kind = IS_ARRAY(arguments->values[1]) ? S_NONE : scalar_kind(arguments->values[1]);
    if (state == NULL || !IS_ARRAY(self->array)) return NULL; /* the array may have been deleted */
    if (!keeps(state, ((Array *)self->array)->node, kind)) return NULL;
    if (PyTuple_CheckExact(self->key)) {
        PyObject *result = update(SCATTER_SET, NULL, arguments);
        if (result != NULL || PyErr_Occurred()) return result;
    }
    Operand x = operand_of(self->array);
    PyArrayObject *copy = (PyArrayObject *)PyArray_NewCopy(x.data, NPY_CORDER);
    Py_DECREF(x.data);
    if (copy == NULL) return NULL;
    int stored = store_at(copy, x.node, self->key, arguments->values[1]);
    if (stored == 1) return wrap(copy, x.node);
    Py_DECREF(copy);
    return NULL; /* with an exception, or without one: not plain */
}

#define UPDATES(X) \
    X(add, SCATTER_ADD) \
    X(subtract, SCATTER_SUBTRACT) \
    X(multiply, SCATTER_MULTIPLY) X(max, SCATTER_MAXIMUM) X(min, SCATTER_MINIMUM)
#define UPDATE(name, which) FAST_PATH(name, update(which, operation, arguments))
UPDATES(UPDATE)
#define ROW(name, which) {"at." #name, quick_##name, false},
const NamedPath at_paths[] = {{"set", quick_set, false}, UPDATES(ROW){NULL, NULL, false}};

static PyMemberDef update_members[] = {
    {"array", T_OBJECT_EX, offsetof(At, array), READONLY, NULL},
    {"index", T_OBJECT_EX, offsetof(At, key), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};
static PyType_Slot at_slots[] = {
    {Py_tp_doc, (void *)PyDoc_STR("What ``x.at`` is; index it.")},
    {Py_tp_dealloc, at_dealloc},
    {Py_tp_traverse, at_traverse},
    {Py_tp_repr, at_repr},
    {Py_mp_subscript, at_subscript},
    {0, NULL},
};
static PyType_Slot update_slots[] = {
    {Py_tp_doc, (void *)PyDoc_STR("What ``x.at[index]`` is: the updates and reads of these elements.")},
    {Py_tp_dealloc, at_dealloc},
    {Py_tp_traverse, at_traverse},
    {Py_tp_members, update_members},
    {0, NULL},
};
enum { FLAGS = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION };
PyType_Spec at_spec = {"supremum._native.At", sizeof(At), 0, FLAGS, at_slots};
PyType_Spec update_spec = {"supremum._native.IndexedUpdate", sizeof(At), 0, FLAGS, update_slots};
