/* What the engine relies on of NumPy beyond what it documents: the loops in the tables of ufuncs, the ufuncs' names,
 * the sorts of dtypes, and that the memory of an ndarray is freed by the handler that it names. The tables are read,
 * never written to. All of it is tried once, when the module is loaded: where something does not hold, the module is
 * not loaded, and the reference engine runs.
 */
#include "numpys.h"

#include "cast.h"
#include "loops/loops.h"
#include "pool.h"

/* Whether plans take NumPy's loops and sorts; a test turns it off to see that everything works where NumPy hides them.
 */
bool use_loops = true;

/* -- loops and sorts -- */

/* Return the native type of a number in the tables of ufuncs. */
static Type type_of_number(char number) {
    PyArray_Descr *dtype = PyArray_DescrFromType(number);
    if (dtype == NULL) {
        PyErr_Clear();
        return E_FOREIGN;
    }
    Type type = type_of_dtype(dtype);
    Py_DECREF(dtype);
    return is_native(type) ? type : E_FOREIGN;
}

/* Whether a loop of NumPy's may raise an exception: of integers to negative powers. Such loops are not taken, so that
 * fast paths need not look for exceptions. Our own powers have another name. */
static bool may_raise(const PyUFuncObject *ufunc, Type type) {
    return type >= E_INT8 && type <= E_INT64 && strcmp(ufunc->name, "power") == 0;
}

bool find_ufunc_loop(const PyUFuncObject *ufunc, Type input, Type output, UfuncLoop *found) {
    if (input == output && find_extreme_loop(ufunc, input, found)) return true;
    if (ufunc->nout != 1 || ufunc->functions == NULL || ufunc->types == NULL) return false;
    if (!is_native(input) || !is_native(output) || may_raise(ufunc, input)) return false;
    for (int i = 0; i < ufunc->ntypes; i++) {
        const char *types = ufunc->types + i * ufunc->nargs;
        bool fits = ufunc->functions[i] != NULL && type_of_number(types[ufunc->nin]) == output;
        for (int j = 0; fits && j < ufunc->nin; j++) fits = type_of_number(types[j]) == input;
        if (!fits) continue;
        *found = (UfuncLoop){ufunc->functions[i], ufunc->data == NULL ? NULL : ufunc->data[i]};
        return true;
    }
    return false;
}

/* Return a ufunc of NumPy's, a new reference, or NULL without an exception. */
static PyUFuncObject *ufunc_of_numpy(const char *name) {
    PyObject *numpy = PyImport_ImportModule("numpy"), *found = numpy ? PyObject_GetAttrString(numpy, name) : NULL;
    Py_XDECREF(numpy);
    if (found == NULL) PyErr_Clear();
    else if (!PyObject_TypeCheck(found, &PyUFunc_Type)) Py_CLEAR(found);
    return (PyUFuncObject *)found;
}

bool find_numpy_loop(const char *name, Type type, UfuncLoop *found) {
    PyUFuncObject *ufunc = ufunc_of_numpy(name);
    bool good = ufunc != NULL && find_ufunc_loop(ufunc, type, type, found);
    Py_XDECREF((PyObject *)ufunc); /* NumPy's module owns it, and is never unloaded */
    return good;
}

PyArray_SortFunc *sort_of(PyArrayObject *data) {
    bool numbers = use_loops && is_native(type_of_dtype(PyArray_DESCR(data)));
    return numbers ? PyDataType_GetArrFuncs(PyArray_DESCR(data))->sort[NPY_QUICKSORT] : NULL;
}

static PyObject *set_loops(PyObject *Py_UNUSED(module), PyObject *argument) {
    int truth = PyObject_IsTrue(argument);
    if (truth < 0) return NULL;
    bool before = use_loops;
    use_loops = truth;
    return PyBool_FromLong(before);
}

PyMethodDef numpy_functions[] = {
    {"use_loops", set_loops, METH_O,
     PyDoc_STR("Set whether new plans take NumPy's loops, and return whether they did before.")},
    {NULL, NULL, 0, NULL},
};

/* -- trying -- */

static PyObject *refuse(const char *what, const char *name) {
    return PyErr_Format(PyExc_ImportError, "the engine in C relies on what NumPy does not have: %s%s", what, name);
}

/* Whether a loop doubles 1, 2 and 3 (of truth values, 1). */
static bool doubles(const UfuncLoop *loop, Type type) {
    enum { COUNT = 3, SPACE = 16 * COUNT };
    static const int8_t numbers[COUNT] = {1, 2, 3}, sums[COUNT] = {2, 4, 6};
    _Alignas(16) char in[SPACE], wanted[SPACE], out[SPACE] = {0};
    npy_intp size = type_size[type], count = COUNT, steps[] = {size, size, size};
    char *pointers[] = {in, in, out};
    Conversion how;
    if (find_conversion(E_INT8, type, &how)) {
        convert_elements(&how, (const char *)numbers, in, COUNT);
        convert_elements(&how, (const char *)sums, wanted, COUNT);
    } else {
        memcpy(in, numbers, sizeof numbers);
        memcpy(wanted, sums, sizeof sums);
    }
    loop->function(pointers, &count, steps, loop->data);
    return memcmp(out, wanted, (size_t)(COUNT * size)) == 0;
}

/* Try the loop of sums of each type; false with an exception. */
static bool try_loops(void) {
    for (int type = 0; type < E_COUNT; type++) {
        UfuncLoop loop;
        if (find_numpy_loop("add", (Type)type, &loop) && doubles(&loop, (Type)type)) continue;
        const char *const names[E_COUNT] = {"bool",    "int8",      "int16",     "int32",  "int64",
                                            "uint8",   "uint16",    "uint32",    "uint64", "float32",
                                            "float64", "complex64", "complex128"};
        refuse("the loop of numpy.add for ", names[type]);
        return false;
    }
    return true;
}

/* Try the names by which ufuncs are known; false with an exception. */
static bool try_names(void) {
    static const char *const names[] = {"add", "maximum", "minimum", "power", "sin", "cos"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        PyUFuncObject *ufunc = ufunc_of_numpy(names[i]);
        bool good = ufunc != NULL && strcmp(ufunc->name, names[i]) == 0;
        Py_XDECREF((PyObject *)ufunc);
        if (!good) refuse("the name of numpy.", names[i]);
        if (!good) return false;
    }
    return true;
}

/* Try whether memory is counted in the domain of tracemalloc that NumPy takes it out of; false with an exception. */
static bool try_domain(void) {
    PyObject *module = PyImport_ImportModule("numpy.lib"),
             *domain = module == NULL ? NULL : PyObject_GetAttrString(module, "tracemalloc_domain");
    bool good = domain != NULL && PyLong_CheckExact(domain) && PyLong_AsLong(domain) == TRACE_DOMAIN;
    Py_XDECREF(module);
    Py_XDECREF(domain);
    if (!good) refuse("the number of numpy.lib.tracemalloc_domain", "");
    return good;
}

/* Try whether memory of the pool comes back to it, and where ndarrays have their weak references; false with an
 * exception. */
static bool try_memory(void) {
    bool good = pool_is_returned_to() && PyArray_Type.tp_weaklistoffset > 0;
    if (!good) refuse("the memory handlers of ndarrays", "");
    return good;
}

int try_numpy(void) { return try_loops() && try_names() && try_domain() && try_memory() ? 0 : -1; }
