/* Tapes: the operands of functions that are differentiated, and the records of how results depend on them.
 *
 * The package derives its own classes from the types. The operators of operands are those of arrays. A result of an
 * elementwise operation is recorded here: its record has the factors that its operation has for each operand. So are
 * cotangents carried back. Everything else is Python's, by `__supremum_function__`.
 */
#include "args.h"
#include "batches.h"
#include "hooks.h"
#include "parts.h"
#include "paths.h"
#include "run.h"

PyTypeObject *LevelType, *RecordType, *DualType;

/* One derivative that is being computed. */
typedef struct {
    PyObject_HEAD
    long long number; /* its order among guests */
    PyObject *tape;   /* owned; a list of Records; None in forward mode */
    PyObject *kinds;  /* owned; a str of the kinds of results that are recorded */
    PyObject *copies; /* owned; what makes copies of arrays, where that is all that `memory` does, or None */
    PyObject *memory; /* owned; what takes the place of rules, or None */
    char tangents;    /* Python's alone */
} Level;

/* A value on a tape. */
typedef struct {
    PyObject_HEAD
    PyObject *parents;   /* owned; pairs of a Record and what carries a cotangent back to it */
    PyObject *shape;     /* owned; with the node what cotangents are fitted to, or None */
    PyObject *node;      /* owned */
    PyObject *cotangent; /* owned; None where there is none */
} Record;

/* An operand with a tangent or a Record; members are set once. */
typedef struct {
    PyObject_HEAD
    Level *level;      /* owned */
    PyObject *primal;  /* owned */
    PyObject *tangent; /* owned */
} Dual;

static Py_ssize_t held; /* how many contexts have other values take the place of operands */

static inline bool is_none(const PyObject *x) { return x == NULL || x == Py_None; }

/* -- the types -- */

#define LEVEL_MEMBERS(X) X(tape) X(kinds) X(copies) X(memory)
COLLECTED(level, Level, LEVEL_MEMBERS, NONE, NONE, )

static PyObject *new_record(PyObject *parents, PyObject *shape, PyObject *node) {
    Record *self = (Record *)RecordType->tp_alloc(RecordType, 0);
    if (self == NULL) return NULL;
    self->parents = Py_NewRef(parents);
    self->shape = Py_NewRef(shape);
    self->node = Py_NewRef(node);
    return (PyObject *)self;
}

static int record_init(PyObject *object, PyObject *args, PyObject *kwargs) {
    static char *keywords[] = {"parents", "shape", "node", NULL};
    Record *self = (Record *)object;
    PyObject *parents = NULL, *shape = Py_None, *node = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OOO:Record", keywords, &parents, &shape, &node)) return -1;
    PyObject *given = parents == NULL ? PyTuple_New(0) : Py_NewRef(parents);
    if (given == NULL) return -1;
    Py_XSETREF(self->parents, given);
    Py_XSETREF(self->shape, Py_NewRef(shape));
    Py_XSETREF(self->node, Py_NewRef(node));
    return 0;
}

/* Add to the cotangent. May run Python. */
static int add_cotangent(Record *self, PyObject *cotangent) {
    PyObject *before = is_none(self->cotangent) ? NULL : Py_NewRef(self->cotangent);
    PyObject *sum = before == NULL ? Py_NewRef(cotangent) : PyNumber_Add(before, cotangent);
    Py_XDECREF(before);
    if (sum == NULL) return -1;
    Py_XSETREF(self->cotangent, sum);
    return 0;
}

static PyObject *record_add(PyObject *self, PyObject *cotangent) {
    if (add_cotangent((Record *)self, cotangent) < 0) return NULL;
    Py_RETURN_NONE;
}

#define RECORD_MEMBERS(X) X(parents) X(cotangent) X(shape) X(node)
COLLECTED(record, Record, RECORD_MEMBERS, NONE, NONE, )

static PyObject *new_dual(PyTypeObject *type, Level *level, PyObject *primal, PyObject *tangent) {
    Dual *self = (Dual *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    self->level = (Level *)Py_NewRef((PyObject *)level);
    self->primal = Py_NewRef(primal);
    self->tangent = Py_NewRef(tangent);
    return (PyObject *)self;
}

static PyObject *dual_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *level, *primal, *tangent;
    if (kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0)
        return PyErr_Format(PyExc_TypeError, "Dual: takes no arguments by name");
    if (!PyArg_ParseTuple(args, "O!OO:Dual", LevelType, &level, &primal, &tangent)) return NULL;
    return new_dual(type, (Level *)level, primal, tangent);
}

#define DUAL_MEMBERS(X) X(level) X(primal) X(tangent)
COLLECTED(dual, Dual, DUAL_MEMBERS, NONE, NONE, )

static PyObject *get_level(PyObject *object, void *Py_UNUSED(closure)) {
    const Level *level = ((Dual *)object)->level;
    return PyLong_FromLongLong(level == NULL ? 0 : level->number); /* of one that the garbage collector cleared */
}

/* Return the node or the shape of an operand, which is no Array perhaps. May run Python. */
static PyObject *node_of_operand(PyObject *x) {
    return IS_ARRAY(x) ? Py_NewRef(((Array *)x)->node->object) : PyObject_GetAttr(x, names._node);
}
static PyObject *shape_of_operand(PyObject *x) {
    return IS_ARRAY(x) ? shape_of(&((Array *)x)->data) : PyObject_GetAttr(x, names.shape);
}
static PyObject *get_of_primal(PyObject *object, void *closure) {
    PyObject *primal = Py_XNewRef(((Dual *)object)->primal);
    if (primal == NULL) return PyErr_Format(PyExc_RuntimeError, "the operand has been freed");
    PyObject *found = closure == NULL ? node_of_operand(primal) : shape_of_operand(primal);
    Py_DECREF(primal);
    return found;
}

static PyObject *level_taped(PyObject *level, PyObject *const *args, Py_ssize_t count);
static PyMethodDef level_methods[] = {
    {"taped", FASTCALL(level_taped), PyDoc_STR("Return a result that is recorded, with its parents.")},
    {NULL, NULL, 0, NULL},
};
static PyMemberDef level_members[] = {
    {"number", T_LONGLONG, offsetof(Level, number), 0, NULL},
    {"tape", T_OBJECT, offsetof(Level, tape), 0, NULL},
    {"kinds", T_OBJECT, offsetof(Level, kinds), 0, NULL},
    {"copies", T_OBJECT, offsetof(Level, copies), 0, NULL},
    {"memory", T_OBJECT, offsetof(Level, memory), 0, NULL},
    {"tangents", T_BOOL, offsetof(Level, tangents), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};
static PyMemberDef record_members[] = {
    {"parents", T_OBJECT, offsetof(Record, parents), 0, NULL},
    {"shape", T_OBJECT, offsetof(Record, shape), 0, NULL},
    {"node", T_OBJECT, offsetof(Record, node), 0, NULL},
    {"cotangent", T_OBJECT, offsetof(Record, cotangent), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};
static PyMethodDef record_methods[] = {
    {"add", record_add, METH_O, PyDoc_STR("Add a cotangent.")},
    {NULL, NULL, 0, NULL},
};
static PyMemberDef dual_members[] = {
    {"level", T_OBJECT, offsetof(Dual, level), READONLY, NULL},
    {"primal", T_OBJECT, offsetof(Dual, primal), READONLY, NULL},
    {"tangent", T_OBJECT, offsetof(Dual, tangent), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};
static PyGetSetDef dual_getset[] = {{"__supremum_level__", get_level, NULL, NULL, NULL},
                                    {"_node", get_of_primal, NULL, NULL, NULL},
                                    {"node", get_of_primal, NULL, PyDoc_STR("The dtype and whether it is weak."), NULL},
                                    {"shape", get_of_primal, NULL, PyDoc_STR("The lengths of the axes."), "shape"},
                                    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot level_slots[] = {{Py_tp_new, PyType_GenericNew},
                                    COLLECTED_SLOTS(level),
                                    {Py_tp_members, level_members},
                                    {Py_tp_methods, level_methods},
                                    {0, NULL}};
static PyType_Slot record_slots[] = {{Py_tp_new, PyType_GenericNew},  {Py_tp_init, record_init},
                                     COLLECTED_SLOTS(record),         {Py_tp_members, record_members},
                                     {Py_tp_methods, record_methods}, {0, NULL}};
static PyType_Slot dual_slots[] = {{Py_tp_new, dual_new},       COLLECTED_SLOTS(dual), {Py_tp_members, dual_members},
                                   {Py_tp_getset, dual_getset}, OPERAND_SLOTS,         {0, NULL}};
enum { FLAGS = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC };
PyType_Spec level_spec = {"supremum._native.Level", sizeof(Level), 0, FLAGS, level_slots};
PyType_Spec record_spec = {"supremum._native.Record", sizeof(Record), 0, FLAGS, record_slots};
PyType_Spec dual_spec = {"supremum._native.Dual", sizeof(Dual), 0, FLAGS, dual_slots};

/* -- forward: elementwise operations -- */

/* Return the greatest level of the operands that are differentiated, borrowed, or NULL. */
static Level *level_of(PyObject *const *operands, int count) {
    Level *level = NULL;
    for (int i = 0; i < count; i++) {
        if (!PyObject_TypeCheck(operands[i], DualType)) continue;
        Level *one = ((Dual *)operands[i])->level;
        if (level == NULL || (one != NULL && one->number > level->number)) level = one; /* NULL of one that is freed */
    }
    return level;
}

static inline bool is_of_level(PyObject *x, const Level *level) {
    return PyObject_TypeCheck(x, DualType) && ((Dual *)x)->level == level;
}

/* Return what an operation and its factors take of an operand; NULL of what Python converts before: ndarrays, truth
 * values, zeros, by which factors may divide, and what other guests come first for. May run Python. */
static PyObject *value_of(PyObject *x, const Level *level) {
    if (PyObject_TypeCheck(x, DualType)) return Py_NewRef(((Dual *)x)->level == level ? ((Dual *)x)->primal : x);
    if (IS_ARRAY(x)) {
        if (((Array *)x)->node->kind == 'b') return NULL;
        return is_none(level->copies) ? Py_NewRef(x) : PyObject_CallOneArg(level->copies, x);
    }
    if (PyObject_TypeCheck(x, BatchType))
        return ((Batch *)x)->axis->level < level->number && is_none(level->copies) ? Py_NewRef(x) : NULL;
    Scalar kind = scalar_kind(x);
    return kind != S_NONE && kind != S_BOOL && PyObject_IsTrue(x) > 0 ? Py_NewRef(x) : NULL;
}

/* Return a pair of the record of an operand and its factor, a number or one of the result and the operands; NULL
 * without an exception where that is NotImplemented. May run Python. */
static PyObject *parent_of(PyObject *x, PyObject *factor, PyObject *const *given, int count) {
    PyObject *found =
        PyCallable_Check(factor) ? PyObject_Vectorcall(factor, given, count + 1, NULL) : Py_NewRef(factor);
    PyObject *pair = found == NULL || found == Py_NotImplemented ? NULL : PyTuple_Pack(2, ((Dual *)x)->tangent, found);
    Py_XDECREF(found);
    return pair;
}

/* Return a pair for each operand of the level; of a product of an operand and itself, one. May run Python. */
static PyObject *parents_of(PyObject *factors, PyObject *const *operands, const Level *level, PyObject *const *given,
                            int count) {
    bool square = count == 2 && operands[0] == operands[1] && PyTuple_GET_SIZE(factors) == 3;
    PyObject *parents = PyList_New(0);
    for (int i = 0; parents != NULL && i < (square ? 1 : count); i++) {
        if (!is_of_level(operands[i], level)) continue;
        PyObject *pair = parent_of(operands[i], PyTuple_GET_ITEM(factors, square ? 2 : i), given, count);
        if (pair == NULL || PyList_Append(parents, pair) < 0) Py_CLEAR(parents);
        Py_XDECREF(pair);
    }
    return parents;
}

/* Return the product of a tangent and a factor that is a number other than 0, or an Array of numbers; NULL of others.
 * May run Python. */
static PyObject *pushed(PyObject *tangent, PyObject *factor) {
    if (PyLong_CheckExact(factor)) {
        npy_intp number;
        if (read_length(factor, &number) && (number == 0 || number == 1)) return number ? Py_NewRef(tangent) : NULL;
    } else if (!PyFloat_CheckExact(factor) && (!IS_ARRAY(factor) || ((Array *)factor)->node->kind == 'b')) {
        return NULL;
    }
    return PyNumber_Multiply(tangent, factor);
}

/* Whether two attributes are one object, or equal; false with an exception. Takes over both; they may be NULL. */
static bool are_equal(PyObject *a, PyObject *b) {
    bool equal = a != NULL && b != NULL && PyObject_RichCompareBool(a, b, Py_EQ) > 0;
    Py_XDECREF(a);
    Py_XDECREF(b);
    return equal;
}

/* Whether a tangent has the node and the shape of a result; false, perhaps with an exception. May run Python. */
static bool is_like(PyObject *x, PyObject *y) {
    PyObject *node = node_of_operand(x), *shape;
    if (node == NULL || !are_equal(node, node_of_operand(y))) return false;
    shape = shape_of_operand(x);
    return shape != NULL && are_equal(shape, shape_of_operand(y));
}

/* Return the tangent of a result from pairs of a tangent and a factor; NULL where Python adds them, or casts or
 * broadcasts the sum. May run Python. */
static PyObject *tangent_of(PyObject *y, PyObject *pairs) {
    PyObject *total = NULL;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(pairs); i++) {
        PyObject *pair = PyList_GET_ITEM(pairs, i);
        PyObject *part = pushed(PyTuple_GET_ITEM(pair, 0), PyTuple_GET_ITEM(pair, 1));
        if (total == NULL || part == NULL) {
            Py_XSETREF(total, part);
            if (part == NULL) return NULL;
        } else {
            Py_SETREF(total, PyNumber_Add(total, part));
            Py_DECREF(part);
            if (total == NULL) return NULL;
        }
    }
    if (total != NULL && !is_like(total, y)) Py_CLEAR(total);
    return total;
}

/* Return a result as an operand with a record, which goes on the tape. May run Python. */
static PyObject *on_tape(PyTypeObject *type, Level *level, PyObject *y, PyObject *node, PyObject *parents) {
    PyObject *shape = shape_of_operand(y), *result = NULL;
    PyObject *record = shape == NULL ? NULL : new_record(parents, shape, node);
    if (record != NULL && (level->tape == NULL || !PyList_Check(level->tape)))
        PyErr_SetString(PyExc_TypeError, "a tape is a list");
    else if (record != NULL && PyList_Append(level->tape, record) == 0) result = new_dual(type, level, y, record);
    Py_XDECREF(shape);
    Py_XDECREF(record);
    return result;
}

static PyObject *level_taped(PyObject *level, PyObject *const *args, Py_ssize_t count) {
    if (count != 2) return PyErr_Format(PyExc_TypeError, "taped: expected a result and its parents");
    PyObject *type = PyObject_GetAttr(level, names.operand), *node, *result = NULL;
    node = type == NULL ? NULL : node_of_operand(args[0]);
    if (node != NULL && (!PyType_Check(type) || !PyType_IsSubtype((PyTypeObject *)type, DualType)))
        PyErr_Format(PyExc_TypeError, "taped: operands are of a class of Duals, not %R", type);
    else if (node != NULL) result = on_tape((PyTypeObject *)type, (Level *)level, args[0], node, args[1]);
    Py_XDECREF(type);
    Py_XDECREF(node);
    return result;
}

/* Return a result as an operand: with a tangent, or with a record. May run Python. */
static PyObject *moving(PyTypeObject *type, Level *level, PyObject *y, PyObject *node, PyObject *parents) {
    if (!is_none(level->tape)) return on_tape(type, level, y, node, parents);
    PyObject *tangent = tangent_of(y, parents), *result = NULL;
    if (tangent != NULL) result = new_dual(type, level, y, tangent);
    else drop_error();
    Py_XDECREF(tangent);
    if (result != NULL || PyErr_Occurred()) return result;
    return PyObject_CallMethodObjArgs((PyObject *)level, names.scaled, y, parents, NULL);
}

/* Return the result of an operation on values, `given[1]` and perhaps `given[2]`; the first place becomes the result
 * itself. May run Python. */
static PyObject *recorded(Operation *operation, PyObject *factors, PyObject *const *operands, Level *level,
                          PyObject **given) {
    int count = operation->operands;
    PyObject *y = count == 1 ? quick_unary(operation, given[1]) : quick_binary(operation, given[1], given[2]);
    PyObject *object = y == NULL ? NULL : node_of_operand(y), *kinds = level->kinds, *result = NULL;
    const Node *node = object == NULL ? NULL : node_of(object);
    given[0] = y;
    if (node != NULL && kinds != NULL && PyUnicode_Check(kinds)) {
        PyTypeObject *type = Py_TYPE(is_of_level(operands[0], level) ? operands[0] : operands[1]);
        Py_ssize_t place = PyUnicode_FindChar(kinds, (Py_UCS4)node->kind, 0, PyUnicode_GET_LENGTH(kinds), 1);
        PyObject *parents = place < 0 ? NULL : parents_of(factors, operands, level, given, count);
        if (place == -1) result = Py_NewRef(y);
        else if (parents != NULL) result = moving(type, level, y, object, parents);
        Py_XDECREF(parents);
    }
    Py_XDECREF(object);
    return result;
}

static PyObject *record_call(Operation *operation, PyObject *const *operands) {
    PyObject *factors = operation->factors, *given[3] = {NULL, NULL, NULL}, *result = NULL;
    if (held > 0 || factors == NULL || !PyTuple_Check(factors) || PyTuple_GET_SIZE(factors) < operation->operands)
        return NULL;
    Level *level = level_of(operands, operation->operands);
    if (level == NULL || (!is_none(level->memory) && is_none(level->copies))) return NULL;
    const State *state = current_state();
    if (state == NULL || state->strict) return NULL;
    Py_INCREF(factors); /* while Python runs */
    bool plain = true;
    for (int i = 0; plain && i < operation->operands; i++)
        plain = (given[i + 1] = value_of(operands[i], level)) != NULL;
    if (plain) result = recorded(operation, factors, operands, level, given);
    for (int i = 0; i < 3; i++) Py_XDECREF(given[i]);
    Py_DECREF(factors);
    if (result == NULL) drop_error(); /* Python's rule raises its own */
    return result;
}

void tapes_ready(void) { quick_duals = record_call; }

/* -- backward -- */

/* Carry a cotangent back by the factor or pull next to a parent; `times` multiplies by what is no plain factor. May run
 * Python. */
static PyObject *pulled(PyObject *pull, PyObject *cotangent, PyObject *times) {
    if (IS_ARRAY(pull) && ((Array *)pull)->node->kind != 'b') return PyNumber_Multiply(cotangent, pull);
    if (PyLong_CheckExact(pull) || PyFloat_CheckExact(pull)) {
        double factor = PyFloat_AsDouble(pull);
        if (factor == 1) return Py_NewRef(cotangent);
        if (factor == -1 && !PyErr_Occurred()) return PyNumber_Negative(cotangent);
        PyErr_Clear(); /* of an integer that no float is */
        if (factor != 0) return PyNumber_Multiply(cotangent, pull);
    } else if (!IS_ARRAY(pull) && PyCallable_Check(pull)) {
        return PyObject_CallOneArg(pull, cotangent);
    }
    return PyObject_CallFunctionObjArgs(times, cotangent, pull, NULL);
}

static bool has_shape(PyArrayObject *data, PyObject *shape) {
    if (!PyTuple_CheckExact(shape) || PyTuple_GET_SIZE(shape) != PyArray_NDIM(data)) return false;
    for (int i = 0; i < PyArray_NDIM(data); i++) {
        npy_intp length;
        if (!read_length(PyTuple_GET_ITEM(shape, i), &length) || length != PyArray_DIM(data, i)) return false;
    }
    return true;
}

/* Return a cotangent as a parent takes it; takes over `found`. May run Python. */
static PyObject *fitted(PyObject *found, Record *parent, PyObject *pull, Record *record, PyObject *cotangent,
                        PyObject *fit) {
    if (found == NULL || is_none(parent->node)) return found;
    if (IS_ARRAY(found)) {
        Array *array = (Array *)found;
        if (array->node->object == parent->node && has_shape(array->data, parent->shape)) return found;
    }
    PyObject *given[] = {found, (PyObject *)parent, pull, (PyObject *)record, cotangent};
    Py_SETREF(found, PyObject_Vectorcall(fit, given, 5, NULL));
    return found;
}

/* Carry the cotangent of a record, which has it no more afterwards, back to its parents. May run Python. */
static int carry(Record *record, PyObject *parents, PyObject *cotangent, PyObject *fit, PyObject *times) {
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(parents); i++) {
        PyObject *pair = PySequence_Fast_GET_ITEM(parents, i);
        if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2 ||
            !PyObject_TypeCheck(PyTuple_GET_ITEM(pair, 0), RecordType)) {
            PyErr_Format(PyExc_TypeError, "a parent is a pair of a Record and what carries back, got %R", pair);
            return -1;
        }
        Py_INCREF(pair); /* the list may change while Python runs */
        Record *parent = (Record *)PyTuple_GET_ITEM(pair, 0);
        PyObject *pull = PyTuple_GET_ITEM(pair, 1), *kept = NULL;
        PyObject *found = fitted(pulled(pull, cotangent, times), parent, pull, record, cotangent, fit);
        int status = found == NULL ? -1 : 0;
        if (status == 0 && (is_none(parent->cotangent) || Py_IS_TYPE(parent, RecordType))) {
            status = add_cotangent(parent, found);
        } else if (status == 0) {
            kept = PyObject_CallMethodObjArgs((PyObject *)parent, names.add, found, NULL);
            status = kept == NULL ? -1 : 0;
        }
        Py_XDECREF(kept);
        Py_XDECREF(found);
        Py_DECREF(pair);
        if (status < 0) return -1;
    }
    return 0;
}

/* Carry the cotangents of the records of a tape back, those of the last ones first. May run Python. */
static PyObject *backward(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count) {
    if (count != 3 || !PyList_Check(args[0]))
        return PyErr_Format(PyExc_TypeError,
                            "backward: expected a tape, what fits cotangents, and what multiplies them");
    for (Py_ssize_t i = PyList_GET_SIZE(args[0]); i-- > 0;) {
        if (i >= PyList_GET_SIZE(args[0])) continue;
        PyObject *object = PyList_GET_ITEM(args[0], i), *cotangent, *parents;
        if (!PyObject_TypeCheck(object, RecordType))
            return PyErr_Format(PyExc_TypeError, "a tape has Records, got %R", object);
        Record *record = (Record *)Py_NewRef(object);
        if (is_none(record->cotangent) || record->parents == NULL) {
            Py_DECREF(object);
            continue;
        }
        if (Py_IS_TYPE(object, RecordType)) cotangent = Py_NewRef(record->cotangent);
        else cotangent = PyObject_CallMethodNoArgs(object, names.cotangents); /* of several results */
        Py_CLEAR(record->cotangent);
        parents = cotangent == NULL ? NULL : PySequence_Fast(record->parents, "the parents of a Record are a sequence");
        int status = parents == NULL ? -1 : carry(record, parents, cotangent, args[1], args[2]);
        Py_XDECREF(parents);
        Py_XDECREF(cotangent);
        Py_DECREF(object);
        if (status < 0) return NULL;
    }
    Py_RETURN_NONE;
}

/* -- arguments -- */

static PyObject *strip(PyObject *x, const Level *level);

/* Replace the items of a new list, tuple or dictionary; takes over it. */
static PyObject *strip_items(PyObject *found, const Level *level) {
    Py_ssize_t place = 0;
    PyObject *key, *item;
    if (found == NULL || Py_EnterRecursiveCall(" in arguments")) {
        Py_XDECREF(found);
        return NULL;
    }
    bool is_dict = PyDict_CheckExact(found), is_list = PyList_CheckExact(found);
    while (found != NULL && (is_dict ? PyDict_Next(found, &place, &key, &item) : place < Py_SIZE(found))) {
        if (!is_dict) item = is_list ? PyList_GET_ITEM(found, place) : PyTuple_GET_ITEM(found, place);
        PyObject *value = strip(item, level);
        if (value == NULL) Py_CLEAR(found);
        else if (is_dict && value != item && PyDict_SetItem(found, key, value) < 0) Py_CLEAR(found);
        else if (is_list) PyList_SetItem(found, place, Py_NewRef(value));
        else if (!is_dict) PyTuple_SetItem(found, place, Py_NewRef(value));
        place += !is_dict;
        Py_XDECREF(value);
    }
    Py_LeaveRecursiveCall();
    return found;
}

/* Return a value without the operands of a level. */
static PyObject *strip(PyObject *x, const Level *level) {
    if (is_of_level(x, level) && ((Dual *)x)->primal != NULL) return Py_NewRef(((Dual *)x)->primal);
    if (PyDict_CheckExact(x)) return strip_items(PyDict_Copy(x), level);
    if (PyList_CheckExact(x)) return strip_items(PyList_GetSlice(x, 0, PyList_GET_SIZE(x)), level);
    if (!PyTuple_CheckExact(x) || PyTuple_GET_SIZE(x) == 0) return Py_NewRef(x);
    PyObject *copy = PyTuple_New(PyTuple_GET_SIZE(x));
    for (Py_ssize_t i = 0; copy != NULL && i < PyTuple_GET_SIZE(x); i++)
        PyTuple_SET_ITEM(copy, i, Py_NewRef(PyTuple_GET_ITEM(x, i)));
    return strip_items(copy, level);
}

static PyObject *stripped(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count) {
    if (count != 2 || !PyObject_TypeCheck(args[0], LevelType))
        return PyErr_Format(PyExc_TypeError, "stripped: expected a level and a value");
    return strip(args[1], (const Level *)args[0]);
}

/* Leave all calls to Python, or no longer: +1 where other values begin to take the place of operands, -1 where they
 * end. */
static PyObject *hold_tapes(PyObject *Py_UNUSED(module), PyObject *change) {
    long number = PyLong_AsLong(change);
    if (number == -1 && PyErr_Occurred()) return NULL;
    held += number;
    Py_RETURN_NONE;
}

PyMethodDef tape_functions[] = {
    {"backward", FASTCALL(backward), PyDoc_STR("Carry cotangents back along a tape.")},
    {"stripped", FASTCALL(stripped), PyDoc_STR("Replace the operands of a level by their values.")},
    {"hold_tapes", hold_tapes, METH_O, PyDoc_STR("Leave calls of operands to Python, or no longer.")},
    {NULL, NULL, 0, NULL},
};
