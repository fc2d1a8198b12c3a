/* `x.at` and `x.at[key]`, to which the package attaches the updates, and the fast path of `x.at[key].set(value)`. */
#include "engine.h"

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

/* `x.at[key].set(value)`, as a fast path of the attached method: a copy, and a plain assignment. */
static PyObject *quick_set(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    if (arguments->names != NULL || arguments->count != 2 || !Py_IS_TYPE(arguments->values[0], UpdateType)) return NULL;
    const At *self = (At *)arguments->values[0];
    const Array *x = (Array *)self->array;
    if (!IS_ARRAY(self->array)) return NULL; /* it was deleted meanwhile */
    PyArrayObject *data = held(x), *copy = (PyArrayObject *)PyArray_NewCopy(data, NPY_CORDER);
    Py_DECREF(data);
    if (copy == NULL) return NULL;
    int stored = store_at(copy, x->node, self->key, arguments->values[1]);
    if (stored == 1) return wrap(copy, x->node);
    Py_DECREF(copy);
    return NULL; /* with an exception, or without one: not plain */
}
const QuickWay at_ways[] = {{"set", quick_set}, {NULL, NULL}};

static PyMemberDef update_members[] = {
    {"array", T_OBJECT_EX, offsetof(At, array), READONLY, NULL},
    {"index", T_OBJECT_EX, offsetof(At, key), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};
static PyType_Slot at_slots[] = {
    {Py_tp_doc, (void *)PyDoc_STR("What ``x.at`` is; index it.")}, {Py_tp_dealloc, at_dealloc}, {Py_tp_traverse, at_traverse},
    {Py_tp_repr, at_repr}, {Py_mp_subscript, at_subscript}, {0, NULL},
};
static PyType_Slot update_slots[] = {
    {Py_tp_doc, (void *)PyDoc_STR("What ``x.at[index]`` is: the updates and reads of these elements.")}, {Py_tp_dealloc, at_dealloc},
    {Py_tp_traverse, at_traverse}, {Py_tp_members, update_members}, {0, NULL},
};
enum { FLAGS = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION };
PyType_Spec at_spec = {"supremum._native.At", sizeof(At), 0, FLAGS, at_slots};
PyType_Spec update_spec = {"supremum._native.IndexedUpdate", sizeof(At), 0, FLAGS, update_slots};
