/* Python's operators on arrays: each looks its operation up and applies it. */
#include "hooks.h"
#include "parts.h"
#include "paths.h"
#include "run.h"

/* The operations behind the operators, in the order of their names. */
#define OPERATORS(X) \
    X(add) \
    X(subtract) \
    X(multiply) \
    X(true_divide) \
    X(floor_divide) \
    X(remainder) \
    X(power) \
    X(and) \
    X(or) \
    X(xor) X(lshift) X(rshift) X(negative) X(positive) X(absolute) X(invert) X(less) X(less_equal) X(equal) \
        X(not_equal) X(greater) X(greater_equal) X(matrix_multiply)
enum {
#define X(name) OP_##name,
    OPERATORS(X)
#undef X
        OP_COUNT
};
static const char *const operator_names[OP_COUNT] = {
#define X(name) #name,
    OPERATORS(X)
#undef X
};
static Operation *operations[OP_COUNT]; /* owned; one that is replaced stays, for calls may be using it */

static int set_operator(PyObject *name, PyObject *operation) {
    int place = 0;
    while (place < OP_COUNT && PyUnicode_CompareWithASCIIString(name, operator_names[place]) != 0) place++;
    if (place == OP_COUNT) {
        PyErr_Format(PyExc_TypeError, "complete: there is no operator %R", name);
        return -1;
    }
    operations[place] = (Operation *)Py_NewRef(operation);
    return 0;
}

/* Take the Operations behind operators, and the functions for what is not plain, by name: a function of the module. */
static PyObject *complete(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count, PyObject *keywords) {
    for (Py_ssize_t i = 0; keywords != NULL && i < PyTuple_GET_SIZE(keywords); i++) {
        PyObject *keyword = PyTuple_GET_ITEM(keywords, i), *part = args[count + i];
        if ((Py_IS_TYPE(part, OperationType) ? set_operator : set_hook)(keyword, part) < 0) return NULL;
    }
    Py_RETURN_NONE;
}

static Operation *operation_of(int which) {
    if (operations[which] == NULL)
        PyErr_Format(PyExc_NotImplementedError, "the engine has no operator %s", operator_names[which]);
    return operations[which];
}

/* Call the public function of an operation that has no plan, as somebody watches; operands that are foreign are
 * Python's to judge, which also finds the function. */
static PyObject *call_function(Operation *operation, PyObject *x, PyObject *y) {
    PyObject *operands[] = {x, y}, *function = operation->function;
    bool plain = function != NULL && (IS_ARRAY(x) || scalar_kind(x) != S_NONE);
    if (!plain || !(y == NULL || IS_ARRAY(y) || scalar_kind(y) != S_NONE))
        return call_hook(HOOK_foreign, (PyObject *)operation, x, y, NULL);
    return PyObject_Vectorcall(function, operands, 1 + (y != NULL), NULL);
}

/* Apply an operation. */
static PyObject *of_two(int which, PyObject *x, PyObject *y) {
    Operation *operation = operation_of(which);
    if (operation == NULL) return NULL;
    PyObject *result = quick_binary(operation, x, y);
    return result != NULL || PyErr_Occurred() ? result : call_function(operation, x, y);
}

static PyObject *of_one(int which, PyObject *x) {
    Operation *operation = operation_of(which);
    if (operation == NULL) return NULL;
    PyObject *result = quick_unary(operation, x);
    return result != NULL || PyErr_Occurred() ? result : call_function(operation, x, NULL);
}

/* Apply an operation, whoever watches: NotImplemented for operands that are not plain. */
static PyObject *apply_operation(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count) {
    if (count < 2 || !Py_IS_TYPE(args[0], OperationType) || ((Operation *)args[0])->operands != count - 1) {
        PyErr_SetString(PyExc_TypeError, "apply: expected an Operation and its operands");
        return NULL;
    }
    Operation *operation = (Operation *)args[0];
    PyObject *token;
    if (enter_bare(&token) < 0) return NULL;
    PyObject *result = count == 2 ? quick_unary(operation, args[1]) : quick_binary(operation, args[1], args[2]);
    if (result == NULL && !PyErr_Occurred()) result = Py_NewRef(Py_NotImplemented);
    if (leave_scope(token) < 0) Py_CLEAR(result);
    return result;
}

/* Store the result in `x`; where arrays are immutable, Python applies the plain operator and binds the name again. */
static PyObject *in_place(int which, PyObject *x, PyObject *y) {
    Operation *operation = operation_of(which);
    State *state = operation == NULL ? NULL : current_state();
    if (state == NULL) return NULL;
    if (!state->mutable) Py_RETURN_NOTIMPLEMENTED;
    HAND_OUT(((Array *)x)->data);
    PyObject *result = quick_in_place(operation, x, y);
    return result != NULL || PyErr_Occurred() ? result : call_hook(HOOK_in_place, (PyObject *)operation, x, y, NULL);
}

#define TWO(slot) \
    PyObject *operator_##slot(PyObject *x, PyObject *y) { return of_two(OP_##slot, x, y); } \
    PyObject *operator_inplace_##slot(PyObject *x, PyObject *y) { return in_place(OP_##slot, x, y); }
#define ONE(slot) \
    PyObject *operator_##slot(PyObject *x) { return of_one(OP_##slot, x); }

TWO(add)
TWO(subtract)
TWO(multiply)
TWO(true_divide)
TWO(floor_divide)
TWO(remainder)
TWO(and)
TWO(or)
TWO(xor) TWO(lshift) TWO(rshift) ONE(negative) ONE(positive) ONE(absolute) ONE(invert)

    PyObject *operator_power(PyObject *x, PyObject *y, PyObject *modulus) {
    if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
    return of_two(OP_power, x, y);
}

PyObject *operator_inplace_power(PyObject *x, PyObject *y, PyObject *modulus) {
    if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
    return in_place(OP_power, x, y);
}

PyObject *operator_divmod(PyObject *x, PyObject *y) { return call_hook(HOOK_divmod, x, y, NULL); }

PyObject *operator_matrix_multiply(PyObject *x, PyObject *y) {
    PyObject *result =
        operations[OP_matrix_multiply] == NULL ? NULL : quick_matmul(operations[OP_matrix_multiply], x, y);
    if (result != NULL) return result;
    if (PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_ValueError)) return NULL;
        PyErr_Clear(); /* of a shape that no array has, NumPy's names no function */
    }
    return call_hook(HOOK_matmul, x, y, Py_False, NULL);
}

PyObject *operator_inplace_matrix_multiply(PyObject *x, PyObject *y) {
    State *state = current_state();
    if (state == NULL) return NULL;
    if (!state->mutable) Py_RETURN_NOTIMPLEMENTED;
    return call_hook(HOOK_matmul, x, y, Py_True, NULL);
}

PyObject *operator_compare(PyObject *x, PyObject *y, int comparison) {
    static const int which[] = {[Py_LT] = OP_less,      [Py_LE] = OP_less_equal, [Py_EQ] = OP_equal,
                                [Py_NE] = OP_not_equal, [Py_GT] = OP_greater,    [Py_GE] = OP_greater_equal};
    return of_two(which[comparison], x, y);
}

PyMethodDef operator_functions[] = {
    {"complete", (PyCFunction)(void (*)(void))complete, METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("Take the Operations behind operators, and the functions for what is not plain, by name.")},
    {"apply", FASTCALL(apply_operation),
     PyDoc_STR("Apply an Operation to Arrays, or an Array and a Python scalar, whoever watches.")},
    {NULL, NULL, 0, NULL},
};
