/* The extension module: types, functions and NumPy's API tables. */
#define ENGINE_MODULE
#include "batches.h"
#include "loops/loops.h"
#include "numpys.h"
#include "parts.h"
#include "paths.h"
#include "pool.h"
#include "threads.h"

static PyObject *wrap_function(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count) {
    if (count != 2)
        return PyErr_Format(PyExc_TypeError, "wrap: expected an ndarray and a node, got %zd arguments", count);
    const Node *node = node_of(args[1]);
    if (node == NULL) return NULL;
    PyObject *data;
    if (PyArray_CheckExact(args[0])) data = Py_NewRef(args[0]);
    else if (PyArray_IsScalar(args[0], Generic))
        data = PyArray_FromAny(args[0], NULL, 0, 0, 0, NULL); /* NumPy's result without dimensions */
    else return PyErr_Format(PyExc_TypeError, "wrap: expected an ndarray, got %R", args[0]);
    return wrap_checked((PyArrayObject *)data, node);
}

static PyMethodDef module_functions[] = {
    {"wrap", FASTCALL(wrap_function), PyDoc_STR("Make an Array of an ndarray and its node.")},
    {NULL, NULL, 0, NULL},
};

/* Make a type of the module, which has it as an attribute: 0, or -1 with an exception. */
static int add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **place, const char *name, PyTypeObject *base) {
    *place = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, (PyObject *)base);
    if (*place == NULL) return -1;
    (*place)->tp_name = name; /* in messages without the module, as that of a class written in Python */
    return PyModule_AddObjectRef(module, name, (PyObject *)*place);
}

static int execute(PyObject *module) {
    static const NamedPath *const paths[] = {shape_paths,      join_paths, product_paths, creation_paths,
                                             conversion_paths, at_paths,   random_paths,  comparing_paths,
                                             ordering_paths,   fold_paths, NULL};
    static bool loaded;
    if (loaded || PyInterpreterState_Get() != PyInterpreterState_Main()) {
        PyErr_SetString(PyExc_ImportError,
                        "supremum._native can be loaded once per process and not in subinterpreters");
        return -1;
    }
    if (PyArray_ImportNumPyAPI() < 0 || PyUFunc_ImportUFuncAPI() < 0) return -1;
    if (pool_ready() < 0 || try_numpy() < 0) return -1;
    loaded = true;
    register_paths(paths);
    tapes_ready();
    if (add_type(module, &array_spec, &ArrayType, "Array", NULL) < 0 ||
        add_type(module, &deleted_spec, &DeletedType, "DeletedArray", ArrayType) < 0 ||
        add_type(module, &plan_spec, &PlanType, "Plan", NULL) < 0 ||
        add_type(module, &state_spec, &StateType, "State", NULL) < 0 ||
        add_type(module, &scope_spec, &ScopeType, "Scope", NULL) < 0 ||
        add_type(module, &operation_spec, &OperationType, "Operation", NULL) < 0 ||
        add_type(module, &function_spec, &FunctionType, "Function", NULL) < 0 ||
        add_type(module, &ufunc_spec, &UfuncType, "Ufunc", FunctionType) < 0 ||
        add_type(module, &plain_spec, &PlainType, "Plain", NULL) < 0 ||
        add_type(module, &at_spec, &AtType, "At", NULL) < 0 ||
        add_type(module, &update_spec, &UpdateType, "IndexedUpdate", NULL) < 0 ||
        add_type(module, &program_spec, &ProgramType, "Program", NULL) < 0 ||
        add_type(module, &chain_spec, &ChainType, "Chain", NULL) < 0 ||
        add_type(module, &axis_spec, &AxisType, "BatchAxis", NULL) < 0 ||
        add_type(module, &batch_spec, &BatchType, "Batch", NULL) < 0 ||
        add_type(module, &level_spec, &LevelType, "Level", NULL) < 0 ||
        add_type(module, &record_spec, &RecordType, "Record", NULL) < 0 ||
        add_type(module, &dual_spec, &DualType, "Dual", NULL) < 0)
        return -1;
    if (types_ready() < 0 || args_ready() < 0 || functions_ready() < 0 || hooks_ready() < 0 ||
        state_ready(module) < 0 || add_levels(module) < 0 || add_samplers(module) < 0 || add_narrow(module) < 0 ||
        add_extremes(module) < 0 || add_narrow_loops(module) < 0 || add_order(module) < 0 ||
        add_narrow_extremes(module) < 0 || add_products(module) < 0 || add_squares(module) < 0 ||
        add_powers(module) < 0 || add_special(module) < 0 || threads_ready() < 0)
        return -1;
    PyMethodDef *const functions[] = {module_functions, type_functions,     pool_functions,   thread_functions,
                                      cast_functions,   array_functions,    state_functions,  hook_functions,
                                      numpy_functions,  operator_functions, random_functions, counting_functions,
                                      dtype_functions,  batch_functions,    loss_functions,   tape_functions};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (PyModule_AddFunctions(module, functions[i]) < 0) return -1;
    return 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, execute},
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};
static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "supremum._native",
    .m_doc = PyDoc_STR("The engine in C; see supremum._core.engine."),
    .m_slots = slots,
};

/* By this, other programs know the engine among modules of that name (`threadpoolctl.py`). */
Py_EXPORTED_SYMBOL extern const int supremum_engine;
const int supremum_engine = 1;

PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&definition); }
