/* Batches: operands of functions that `vmap` maps, each of which holds the values of all positions along the first
 * axis.
 *
 * The package derives its own classes from both types. Their operators are those of arrays, and an elementwise
 * operation on batches of one axis is one on their values. Everything else is Python's, by `__supremum_function__`.
 */
#include "batches.h"

#include "args.h"
#include "hooks.h"
#include "parts.h"
#include "paths.h"
#include "run.h"

PyTypeObject *AxisType;

/* -- the types -- */

/* Make an axis; NULL with an exception. May run Python. */
static Axis *new_axis(PyTypeObject *type, PyObject *name, PyObject *size, long long level) {
    Axis *self = (Axis *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    self->name = Py_NewRef(name);
    self->size = Py_NewRef(size);
    self->position = Py_NewRef(Py_None);
    self->level = level;
    return self;
}

static PyObject *axis_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *keywords[] = {"name", "size", "level", NULL};
    PyObject *name, *size;
    long long level;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOL:BatchAxis", keywords, &name, &size, &level)) return NULL;
    return (PyObject *)new_axis(type, name, size, level);
}

#define AXIS_MEMBERS(X) X(name) X(size) X(position)
COLLECTED(axis, Axis, AXIS_MEMBERS, NONE, NONE, )

static PyObject *batch_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *axis, *value;
    if (kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0)
        return PyErr_Format(PyExc_TypeError, "Batch: takes no arguments by name");
    if (!PyArg_ParseTuple(args, "O!O:Batch", AxisType, &axis, &value)) return NULL;
    return new_batch(type, (Axis *)axis, value);
}

#define BATCH_MEMBERS(X) X(axis) X(value)
COLLECTED(batch, Batch, BATCH_MEMBERS, NONE, NONE, )

static PyObject *get_level(PyObject *object, void *Py_UNUSED(closure)) {
    Axis *axis = ((Batch *)object)->axis;
    return PyLong_FromLongLong(axis == NULL ? 0 : axis->level); /* of one that the garbage collector cleared */
}

/* What is known of one position. They may run Python. */
static PyObject *get_node(PyObject *object, void *Py_UNUSED(closure)) {
    PyObject *value = Py_XNewRef(((Batch *)object)->value);
    PyObject *found = value == NULL ? NULL : PyObject_GetAttr(value, names._node);
    Py_XDECREF(value);
    return found != NULL || PyErr_Occurred() ? found : PyErr_Format(PyExc_RuntimeError, "the batch has been freed");
}
static PyObject *get_shape(PyObject *object, void *Py_UNUSED(closure)) {
    PyObject *value = Py_XNewRef(((Batch *)object)->value);
    PyObject *shape = value == NULL ? NULL : PyObject_GetAttr(value, names.shape);
    PyObject *found = shape == NULL ? NULL : PySequence_GetSlice(shape, 1, PY_SSIZE_T_MAX);
    Py_XDECREF(value);
    Py_XDECREF(shape);
    return found != NULL || PyErr_Occurred() ? found : PyErr_Format(PyExc_RuntimeError, "the batch has been freed");
}

static PyMemberDef axis_members[] = {
    {"name", T_OBJECT, offsetof(Axis, name), READONLY, NULL},
    {"size", T_OBJECT, offsetof(Axis, size), READONLY, NULL},
    {"position", T_OBJECT, offsetof(Axis, position), 0, NULL},
    {"level", T_LONGLONG, offsetof(Axis, level), READONLY, NULL},
    {"in_rule", T_BOOL, offsetof(Axis, in_rule), 0, NULL},
    {"one_by_one", T_BOOL, offsetof(Axis, one_by_one), 0, NULL},
    {"examples", T_INT, offsetof(Axis, examples), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};
static PyMemberDef batch_members[] = {
    {"axis", T_OBJECT, offsetof(Batch, axis), READONLY, NULL},
    {"value", T_OBJECT, offsetof(Batch, value), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};
static PyGetSetDef batch_getset[] = {
    {"__supremum_level__", get_level, NULL, NULL, NULL},
    {"_node", get_node, NULL, NULL, NULL},
    {"node", get_node, NULL, PyDoc_STR("The dtype and whether it is weak."), NULL},
    {"shape", get_shape, NULL, PyDoc_STR("The lengths of the axes of one position."), NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot axis_slots[] = {
    {Py_tp_new, axis_new}, COLLECTED_SLOTS(axis), {Py_tp_members, axis_members}, {0, NULL}};
static PyType_Slot batch_slots[] = {
    {Py_tp_new, batch_new},       COLLECTED_SLOTS(batch), {Py_tp_members, batch_members},
    {Py_tp_getset, batch_getset}, OPERAND_SLOTS,          {0, NULL},
};
enum { FLAGS = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC };
PyType_Spec axis_spec = {"supremum._native.BatchAxis", sizeof(Axis), 0, FLAGS, axis_slots};
PyType_Spec batch_spec = {"supremum._native.Batch", sizeof(Batch), 0, FLAGS, batch_slots};

/* -- arguments that are arrays -- */

/* Return the length that Arrays have along the first axis, those that `axes`, one for all or a tuple, maps; -1 where it
 * differs, or there are other arguments or axes. */
static npy_intp mapped_length(PyObject *axes, PyObject *args) {
    npy_intp length = -1;
    Py_ssize_t count = PyTuple_GET_SIZE(args);
    if (PyTuple_Check(axes) && PyTuple_GET_SIZE(axes) != count) return -1;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *x = PyTuple_GET_ITEM(args, i), *axis = PyTuple_Check(axes) ? PyTuple_GET_ITEM(axes, i) : axes;
        if (!IS_ARRAY(x)) return -1;
        if (axis == Py_None) continue;
        PyArrayObject *data = ((Array *)x)->data;
        npy_intp number;
        if (!read_length(axis, &number) || number != 0 || PyArray_NDIM(data) == 0) return -1;
        if (length >= 0 && PyArray_DIM(data, 0) != length) return -1;
        length = PyArray_DIM(data, 0);
    }
    return length;
}

/* Make batches of the arguments of a mapped function: a tuple of the axis and the operands; None where the arguments
 * are not Arrays that are mapped over the first axis, or not mapped. May run Python. */
static PyObject *map_arrays(PyObject *Py_UNUSED(module), PyObject *const *given, Py_ssize_t count) {
    if (count != 6 || !PyType_Check(given[0]) || !PyType_Check(given[1]) || !PyTuple_Check(given[5]))
        return PyErr_Format(PyExc_TypeError, "map_arrays: expected two classes, a name, a level, axes and arguments");
    PyTypeObject *axis_type = (PyTypeObject *)given[0], *batch_type = (PyTypeObject *)given[1];
    PyObject *name = given[2], *axes = given[4], *args = given[5];
    long long level = PyLong_AsLongLong(given[3]);
    if (level == -1 && PyErr_Occurred()) return NULL;
    if (!PyType_IsSubtype(axis_type, AxisType) || !PyType_IsSubtype(batch_type, BatchType))
        return PyErr_Format(PyExc_TypeError, "map_arrays: expected classes of axes and batches");
    npy_intp length = mapped_length(axes, args);
    if (length < 0) Py_RETURN_NONE;
    PyObject *size = PyLong_FromSsize_t(length);
    Axis *axis = size == NULL ? NULL : new_axis(axis_type, name, size, level);
    PyObject *operands = axis == NULL ? NULL : PyTuple_New(PyTuple_GET_SIZE(args));
    for (Py_ssize_t i = 0; operands != NULL && i < PyTuple_GET_SIZE(args); i++) {
        PyObject *x = PyTuple_GET_ITEM(args, i), *number = PyTuple_Check(axes) ? PyTuple_GET_ITEM(axes, i) : axes;
        PyObject *operand = number == Py_None ? Py_NewRef(x) : new_batch(batch_type, axis, x);
        if (operand == NULL) Py_CLEAR(operands);
        else PyTuple_SET_ITEM(operands, i, operand);
    }
    PyObject *result = operands == NULL ? NULL : PyTuple_Pack(2, axis, operands);
    Py_XDECREF(size);
    Py_XDECREF((PyObject *)axis);
    Py_XDECREF(operands);
    return result;
}

/* Return the values of a batch that are a result of the mapped function: an Array that owns its memory and is none of
 * the arguments, or any where arrays are immutable; None of what else the function returned. */
static PyObject *own_values(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count) {
    if (count != 3 || !PyObject_TypeCheck(args[1], AxisType) || !PyTuple_Check(args[2]))
        return PyErr_Format(PyExc_TypeError, "own_values: expected a result, an axis and the arguments");
    const State *state = current_state();
    if (state == NULL) return NULL;
    const Batch *batch = (const Batch *)args[0];
    if (!PyObject_TypeCheck(args[0], BatchType) || (PyObject *)batch->axis != args[1] || !IS_ARRAY(batch->value))
        Py_RETURN_NONE;
    PyArrayObject *data = ((Array *)batch->value)->data;
    bool own = !state->mutable || PyArray_BASE(data) == NULL;
    for (Py_ssize_t i = 0; own && state->mutable && i < PyTuple_GET_SIZE(args[2]); i++) {
        PyObject *x = PyTuple_GET_ITEM(args[2], i);
        own = IS_ARRAY(x) && ((Array *)x)->data != data;
    }
    return Py_NewRef(own ? batch->value : Py_None);
}

PyMethodDef batch_functions[] = {
    {"own_values", FASTCALL(own_values),
     PyDoc_STR("Return the values of a batch that share no memory with the arguments.")},
    {"map_arrays", FASTCALL(map_arrays), PyDoc_STR("Make batches of Arrays.")},
    {NULL, NULL, 0, NULL},
};
