/* maximum, minimum and clip of floats whose zeros are ordered, -0.0 before 0.0, as ufuncs; NaN propagate as in NumPy's.
 *
 * The ufuncs have NumPy's own loops for all other types of its tables but those of times, whose units NumPy resolves.
 * No table is written to after a ufunc was made of it.
 */
#include "extremes.h"

enum { HALF, SINGLE, DOUBLE, FLOATS };
enum { MAX_TYPES = 32 };

static const Extremes *const ours[FLOATS] = {&extremes_16, &extremes_32, &extremes_64};

/* The tables of a ufunc, which it borrows for ever. */
typedef struct {
    PyUFuncGenericFunction functions[MAX_TYPES];
    void *data[MAX_TYPES];
    char types[MAX_TYPES * 4];
    int count;
} Tables;

/* Add a loop to the tables, whose operands are all of one type. */
static void add_loop(Tables *to, PyUFuncGenericFunction function, void *data, int type, int operands) {
    if (to->count == MAX_TYPES) return;
    memset(to->types + to->count * operands, type, (size_t)operands);
    to->functions[to->count] = function;
    to->data[to->count++] = data;
}

/* Fill tables with NumPy's loops, in its order, which is that of promotion, and where there are `own` ones with ours.
 */
static void fill(Tables *to, int which, const PyUFuncObject *theirs, bool own) {
    int operands = which == CLIP ? 4 : 3, ready = 0;
    if (theirs != NULL && theirs->nargs == operands && theirs->functions != NULL && theirs->types != NULL)
        for (int i = 0; i < theirs->ntypes; i++) {
            int type = theirs->types[i * operands];
            bool plain = type <= NPY_OBJECT && theirs->functions[i] != NULL;
            for (int j = 1; j < operands; j++) plain = plain && theirs->types[i * operands + j] == type;
            bool here = ready < FLOATS && type == ours[ready]->type;
            if (here && own) add_loop(to, ours[ready]->loops[which], NULL, type, operands);
            else if (!here && plain)
                add_loop(to, theirs->functions[i], theirs->data == NULL ? NULL : theirs->data[i], type, operands);
            ready += here;
        }
    for (; own && ready < FLOATS; ready++) add_loop(to, ours[ready]->loops[which], NULL, ours[ready]->type, operands);
}

/* Give a ufunc of two operands our loops as NumPy's newer interface has them: no flag is looked at, and `at` has a loop
 * of its own. */
static int add_methods(PyObject *ufunc, int which) {
    PyArray_DTypeMeta *const dtypes[FLOATS] = {&PyArray_HalfDType, &PyArray_FloatDType, &PyArray_DoubleDType};
    for (int i = 0; i < FLOATS; i++) {
        PyArray_DTypeMeta *operands[3] = {dtypes[i], dtypes[i], dtypes[i]};
        PyType_Slot methods[] = {
            {NPY_METH_strided_loop, (void *)ours[i]->methods[which]},
            {NPY_METH_contiguous_indexed_loop, (void *)ours[i]->indexed[which]},
            {0, NULL},
        };
        PyArrayMethod_Spec spec = {
            .name = which == MAXIMUM ? "supremum_maximum" : "supremum_minimum",
            .nin = 2,
            .nout = 1,
            .casting = NPY_NO_CASTING,
            .flags = (NPY_ARRAYMETHOD_FLAGS)(NPY_METH_NO_FLOATINGPOINT_ERRORS | NPY_METH_IS_REORDERABLE),
            .dtypes = operands,
            .slots = methods,
        };
        if (PyUFunc_AddLoopFromSpec(ufunc, &spec) < 0) return -1;
    }
    return 0;
}

/* Have operands converted to the requested dtype, as that of a reduction, or to their common one: NumPy would
 * look for it in the table, which has no floats. */
static int promote(PyObject *Py_UNUSED(ufunc), PyArray_DTypeMeta *const given[], PyArray_DTypeMeta *const signature[],
                   PyArray_DTypeMeta *wanted[]) {
    PyArray_DTypeMeta *common = NULL;
    for (int i = 0; i < 3 && common == NULL; i++) common = signature[i];
    if (common != NULL) Py_INCREF(common);
    else common = PyArray_CommonDType(given[0], given[1]);
    if (common == NULL) return -1;
    for (int i = 0; i < 3; i++) {
        wanted[i] = signature[i] != NULL ? signature[i] : common;
        Py_INCREF(wanted[i]);
    }
    Py_DECREF(common);
    return 0;
}

static int add_promoter(PyObject *ufunc) {
    PyObject *any = (PyObject *)&PyArrayDescr_Type, *dtypes = PyTuple_Pack(3, any, any, any);
    PyObject *promoter = PyCapsule_New((void *)promote, "numpy._ufunc_promoter", NULL);
    int status = dtypes == NULL || promoter == NULL ? -1 : PyUFunc_AddPromoter(ufunc, dtypes, promoter);
    Py_XDECREF(dtypes);
    Py_XDECREF(promoter);
    return status;
}

static const PyObject *made[METHODS]; /* the ufuncs that have methods; the module owns them */

static PyObject *make(int which, const char *name, const char *from, const char *documentation) {
    static Tables tables[UFUNCS];
    PyObject *module = PyImport_ImportModule(from),
             *theirs = module == NULL ? NULL : PyObject_GetAttrString(module, name);
    Py_XDECREF(module);
    if (theirs == NULL) PyErr_Clear();
    const PyUFuncObject *like =
        theirs != NULL && PyObject_TypeCheck(theirs, &PyUFunc_Type) ? (PyUFuncObject *)theirs : NULL;
    Tables *all = &tables[which];
    fill(all, which, like, which == CLIP); /* of loops in the table, NumPy makes methods: ours take their place */
    Py_XDECREF(theirs);
    PyObject *ufunc = PyUFunc_FromFuncAndDataAndSignatureAndIdentity(
        all->functions, all->data, all->types, all->count, which == CLIP ? 3 : 2, 1,
        which == CLIP ? PyUFunc_None : PyUFunc_ReorderableNone, name, documentation, 0, NULL, NULL);
    if (ufunc == NULL || which == CLIP) return ufunc;
    if (add_methods(ufunc, which) < 0 || add_promoter(ufunc) < 0) Py_CLEAR(ufunc);
    made[which] = ufunc;
    return ufunc;
}

bool find_extreme_loop(const PyUFuncObject *ufunc, Type type, UfuncLoop *found) {
    int place = type == E_FLOAT32 ? SINGLE : DOUBLE;
    if (type != E_FLOAT32 && type != E_FLOAT64) return false;
    for (int which = 0; which < METHODS; which++)
        if ((const PyObject *)ufunc == made[which]) *found = (UfuncLoop){ours[place]->loops[which], NULL};
    return (const PyObject *)ufunc == made[MAXIMUM] || (const PyObject *)ufunc == made[MINIMUM];
}

static int add(PyObject *module, int which, const char *name, const char *from, const char *documentation) {
    PyObject *ufunc = make(which, name, from, documentation);
    int failed = ufunc == NULL ? -1 : PyModule_AddObjectRef(module, name, ufunc);
    Py_XDECREF(ufunc);
    return failed;
}

int add_extremes(PyObject *module) {
    if (add(module, MAXIMUM, "maximum", "numpy",
            "The greater of two elements, or NaN if either is; 0.0 is greater than -0.0.") < 0 ||
        add(module, MINIMUM, "minimum", "numpy",
            "The lesser of two elements, or NaN if either is; -0.0 is less than 0.0.") < 0 ||
        add(module, CLIP, "clip", "numpy._core.umath",
            "The minimum of the third operand and the maximum of the first two.") < 0)
        return -1;
    return 0;
}
