/* Temporary operands: what only the interpreter's stack holds is of no use after an operator, and its memory is taken
 * for the result. `a * b + c` needs memory for one array.
 *
 * A count of one reference does not prove it: an element of an object array, or the array behind `x.__add__`, has no
 * other reference either. So the operator must be the instruction that the interpreter is at, and no one else's C code
 * may be between the two. Python 3.14 knows; before, the C stack is read, as NumPy does for its own temporaries.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* dladdr */
#endif
#include "large.h"

#if PY_VERSION_HEX >= 0x030E0000
static bool is_on_stack_only(PyObject *x) { return PyUnstable_Object_IsUniqueReferencedTemporary(x); }
#elif !defined(Py_GIL_DISABLED) && (defined(__GLIBC__) || defined(__APPLE__))
#include <dlfcn.h>
#include <execinfo.h>
#include <opcode.h>

/* Whose code an address lies in. */
typedef enum { OTHERS, OURS, PYTHONS, INTERPRETERS } Owner;

static Owner find_owner(void *address) {
    Dl_info found, ours, pythons;
    if (!dladdr(address, &found) || !dladdr((void *)nodes, &ours) || !dladdr((void *)&PyBaseObject_Type, &pythons))
        return OTHERS;
    if (found.dli_fbase == ours.dli_fbase) return OURS;
    if (found.dli_fbase != pythons.dli_fbase) return OTHERS;
    bool evaluates = found.dli_sname != NULL && strcmp(found.dli_sname, "_PyEval_EvalFrameDefault") == 0;
    return evaluates ? INTERPRETERS : PYTHONS;
}

/* The same, which is remembered: there are few such addresses, and looking one up takes as long as thousands of
 * additions. */
static Owner owner_of(void *address) {
    enum { KEPT = 64 };
    static struct {
        void *address;
        Owner owner;
    } kept[KEPT];
    static int next;
    for (int i = 0; i < KEPT && kept[i].address != NULL; i++)
        if (kept[i].address == address) return kept[i].owner;
    Owner owner = find_owner(address);
    kept[next].address = address;
    kept[next].owner = owner;
    next = (next + 1) % KEPT;
    return owner;
}

/* Whether the interpreter called the operator that runs, and none but Python's own code is in between. */
static bool is_called_by_interpreter(void) {
    enum { DEPTH = 12 };
    void *addresses[DEPTH];
    int count = backtrace(addresses, DEPTH), i = 0;
    while (i < count && owner_of(addresses[i]) != OURS) i++; /* sanitizers have functions around `backtrace` */
    while (i < count && owner_of(addresses[i]) == OURS) i++;
    while (i < count && owner_of(addresses[i]) == PYTHONS) i++;
    return i < count && owner_of(addresses[i]) == INTERPRETERS;
}

/* Whether the instruction that runs is an operator of two operands. */
static bool is_operator(void) {
    PyFrameObject *frame = PyEval_GetFrame();
    int place = frame == NULL ? -1 : PyFrame_GetLasti(frame);
    if (place < 0) return false;
    PyCodeObject *code = PyFrame_GetCode(frame);
    PyObject *instructions = PyCode_GetCode(code);
    Py_DECREF(code);
    if (instructions == NULL) {
        PyErr_Clear();
        return false;
    }
    bool found = place < PyBytes_GET_SIZE(instructions) && (uint8_t)PyBytes_AS_STRING(instructions)[place] == BINARY_OP;
    Py_DECREF(instructions);
    return found;
}

static bool is_on_stack_only(PyObject *Py_UNUSED(x)) { return is_operator() && is_called_by_interpreter(); }
#else
static bool is_on_stack_only(PyObject *Py_UNUSED(x)) { return false; }
#endif

/* Whether the operand of a call, which owns its buffer once, is of no use to anyone after it, nor its memory. */
static bool is_temporary(PyObject *x) {
    enum {
        MADE = NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE | NPY_ARRAY_OWNDATA,
        HOLDERS = 2 /* the Array and the call */
    };
    Array *array = (Array *)x;
    PyArrayObject *data = array->data;
    return Py_REFCNT(x) == 1 && array->weakrefs == NULL && Py_REFCNT(data) == HOLDERS &&
           (PyArray_FLAGS(data) & MADE) == MADE && PyArray_BASE(data) == NULL &&
           *(PyObject **)((char *)data + PyArray_Type.tp_weaklistoffset) == NULL && is_on_stack_only(x);
}

PyArrayObject *data_of_temporary(const Plan *plan, PyObject *x, const Operand *operand) {
    if (Py_REFCNT(x) != 1 || PyArray_NBYTES(operand->data) < REUSED || plan->node->type != operand->node->type)
        return NULL;
    return is_temporary(x) ? (PyArrayObject *)Py_NewRef((PyObject *)operand->data) : NULL;
}
