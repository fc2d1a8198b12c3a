/* Plans: what an operation does for given nodes, and where the loops come from. */
#include "plan.h"

#include "loops/loops.h"
#include "numpys.h"
#include "parts.h"

PyTypeObject *PlanType;

/* Look for the loop of a ufunc from inputs of one dtype to another; none is no error. */
static void find_loop(Plan *self, PyUFuncObject *ufunc, PyArray_Descr *input, PyArray_Descr *output) {
    Type type = type_of_dtype(input), result = type_of_dtype(output);
    UfuncLoop loop;
    if (!use_loops) return;
    bool found = type >= E_NARROW ? (result == type || result == E_BOOL) && narrow_loop((PyObject *)ufunc, type, &loop)
                                  : find_ufunc_loop(ufunc, type, result, &loop);
    if (!found) return;
    static const struct {
        const char *name;
        int what;
    } known[] = {{"add", A_SUM},         {"subtract", A_DIFFERENCE}, {"multiply", A_PRODUCT}, {"square", A_PRODUCT},
                 {"divide", A_QUOTIENT}, {"minimum", A_LEAST},       {"maximum", A_GREATEST}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(ufunc->name, known[i].name) == 0) self->what = known[i].what;
    self->loop = loop.function;
    self->auxiliary = loop.data;
    self->ufunc = Py_NewRef((PyObject *)ufunc);
    self->input = (PyArray_Descr *)Py_NewRef((PyObject *)input);
    self->input_size = PyDataType_ELSIZE(input);
    self->output_size = PyDataType_ELSIZE(output);
}

/* Read the identity of a ufunc: 0 or 1 (a truth value counts as one of them), else -1; false with an exception. */
static bool read_identity(Plan *self) {
    PyObject *identity = PyObject_GetAttrString(self->ufunc, "identity");
    if (identity == NULL) return false;
    long value = PyLong_Check(identity) ? PyLong_AsLong(identity) : -1;
    self->identity = value == 0 || value == 1 ? (int)value : -1;
    Py_DECREF(identity);
    return !PyErr_Occurred();
}

static PyObject *plan_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *keywords[] = {"node", "call", "ufunc", "dtype", "convert", "low", "high", "floats", "fold", NULL};
    PyObject *node, *call = Py_None, *ufunc = Py_None, *convert = Py_None, *dtype = Py_None;
    long long low = 0, high = -1;
    int floats = 0, fold = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O$OOOLLpp:Plan", keywords, &node, &call, &ufunc, &dtype, &convert,
                                     &low, &high, &floats, &fold))
        return NULL;
    const Node *facts = node_of(node);
    if (facts == NULL) return NULL;
    if (ufunc != Py_None && !PyObject_TypeCheck(ufunc, &PyUFunc_Type))
        return PyErr_Format(PyExc_TypeError, "Plan: %R is no ufunc", ufunc);
    if (dtype != Py_None && !PyArray_DescrCheck(dtype))
        return PyErr_Format(PyExc_TypeError, "Plan: %R is no dtype", dtype);
    Plan *self = (Plan *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    self->node = facts;
    self->type = dtype == Py_None ? E_FOREIGN : type_of_dtype((PyArray_Descr *)dtype);
    self->identity = -1;
    self->low = low;
    self->high = high;
    self->floats = floats != 0;
    if (call != Py_None) self->call = Py_NewRef(call);
    if (convert != Py_None) self->convert = Py_NewRef(convert);
    if (ufunc != Py_None && dtype != Py_None)
        find_loop(self, (PyUFuncObject *)ufunc, (PyArray_Descr *)dtype, fold ? (PyArray_Descr *)dtype : facts->dtype);
    if (fold && self->ufunc != NULL && !read_identity(self)) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

/* Only what a user wrote can be in a cycle; the loop, and the ufunc that owns it, stay usable until the plan is freed.
 * `input` refers to nothing that could refer back. */
#define PLAN_WRITTEN(X) X(call) X(convert)
#define PLAN_UFUNC(X) X(ufunc)
#define PLAN_INPUT(X) X(input)
COLLECTED(plan, Plan, PLAN_WRITTEN, PLAN_UFUNC, PLAN_INPUT, )

static PyObject *plan_node(PyObject *self, void *Py_UNUSED(closure)) { return Py_NewRef(((Plan *)self)->node->object); }

static PyObject *plan_looped(PyObject *self, void *Py_UNUSED(closure)) {
    return PyBool_FromLong(((Plan *)self)->loop != NULL);
}

static PyObject *plan_dtype(PyObject *self, void *Py_UNUSED(closure)) {
    PyArray_Descr *input = ((Plan *)self)->input;
    return Py_NewRef(input == NULL ? Py_None : (PyObject *)input);
}

static PyGetSetDef plan_getset[] = {
    {"node", plan_node, NULL, PyDoc_STR("The node of the result."), NULL},
    {"looped", plan_looped, NULL, PyDoc_STR("Whether NumPy's loop is called directly."), NULL},
    {"dtype", plan_dtype, NULL, PyDoc_STR("The dtype of the loop's inputs, or None."), NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyMemberDef plan_members[] = {
    {"call", T_OBJECT, offsetof(Plan, call), READONLY,
     PyDoc_STR("Computes from ndarrays of the operands' own dtypes.")},
    {"convert", T_OBJECT, offsetof(Plan, convert), READONLY, PyDoc_STR("Makes a 0-d ndarray of a Python scalar.")},
    {NULL, 0, 0, 0, NULL},
};
static PyType_Slot plan_slots[] = {
    {Py_tp_doc, (void *)PyDoc_STR("Plan(node, call=None, *, ufunc=None, dtype=None, convert=None, low=0, high=-1, "
                                  "floats=False, fold=False)\n--\n\n"
                                  "What an operation does for given nodes.")},
    {Py_tp_new, plan_new},
    COLLECTED_SLOTS(plan),
    {Py_tp_getset, plan_getset},
    {Py_tp_members, plan_members},
    {0, NULL},
};
PyType_Spec plan_spec = {"supremum._native.Plan", sizeof(Plan), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, plan_slots};
