/* Errors of floating results against references, and the kinds of loss, in one pass: `_errors` of
 * supremum/lens/_losses.py computes the same in NumPy's calls, and says what each number is. */
#include <math.h>
#include "loops/loops.h"
#include "parts.h"

/* The arrays: a result, widened, and two references; of sums, each operand with its reference. */
enum { WIDE, ALONE, REFERENCE, FIRST, SECOND = FIRST + 2, ARRAYS = SECOND + 2 };
typedef struct {
    const double *arrays[ARRAYS];
    npy_intp steps[ARRAYS];               /* 0 for operands of one element */
    double unit, limit, normal, smallest; /* of the format of the result */
    int sums, vanishing; /* whether there are operands, and whether zeros made of normal numbers have vanished */
} Given;
typedef struct {
    double largest[2], within[2], ulps; /* introduced and inherited */
    npy_intp missing, infinite, overflow, nan, underflow, absorption, cancellation, rounding;
} Errors;

static inline double larger(double x, double y) { return x > y ? x : y; }
static inline double smaller(double x, double y) { return x < y ? x : y; }
#define NEARLY (1 - 0x1p-50)
/* Return a relative error. Equal infinities and NaN have none. */
static inline double error_of(double x, double exact) {
    double found = fabs(x - exact) / fabs(exact);
    return x == exact || (isnan(x) && isnan(exact)) ? 0 : isnan(found) ? INFINITY : found;
}

/* Measure one element. */
static NOINLINE void measure(const Given *given, npy_intp i, Errors *found) {
    double x = given->arrays[WIDE][i], alone = given->arrays[ALONE][i], exact = given->arrays[REFERENCE][i];
    double errors[] = {error_of(x, alone), error_of(x, exact)}, size = fabs(alone), s[ARRAYS - FIRST];
    bool missing = isnan(x), within = (isfinite(x) || !isfinite(exact)) && (size >= given->normal || alone == 0) &&
                                      (fabs(exact) >= given->normal || exact == 0);
    bool beyond = isfinite(alone) && (size > given->limit || isinf(x) || (missing && size >= given->limit));
    bool far = x != alone && alone != 0 && fabs(x - alone) > given->unit * size && fabs(x) < given->normal;
    for (int k = 0; k < 2; k++) found->largest[k] = larger(errors[k], found->largest[k]);
    for (int k = 0; within && k < 2; k++) found->within[k] = larger(errors[k], found->within[k]);
    found->missing += missing;
    found->infinite += isinf(x) != 0;
    found->overflow += beyond;
    found->nan += missing && !beyond;
    found->underflow += far && (size < given->normal || (given->vanishing && x == 0));
    found->rounding += errors[0] != 0;
    if (!given->sums) return;
    for (int k = 0; k < ARRAYS - FIRST; k++) s[k] = given->arrays[FIRST + k][i * given->steps[FIRST + k]];
    found->absorption += x != alone && ((x == s[0] && s[2] != 0) || (fabs(x) == fabs(s[2]) && s[0] != 0));
    found->cancellation += larger(fabs(s[1]), fabs(s[3])) / fabs(exact) >= 8 && errors[1] > 4 * given->unit &&
                           errors[1] > 4 * larger(error_of(s[0], s[1]), error_of(s[2], s[3]));
}

/* Return an error in units of the last place, if it is larger than `found` and one of the largest relative ones. */
static inline double in_ulps(const Given *given, npy_intp i, double largest, double found) {
    double x = given->arrays[WIDE][i], alone = given->arrays[ALONE][i], place = alone;
    *(uint64_t *)&place &= 0x7FF0000000000000; /* a power of two */
    place = larger(place * (2 * given->unit), given->smallest);
    bool less = fabs(x - alone) <= found * place || error_of(x, alone) < largest / 2;
    return less ? found : larger(fabs(x - alone) / place, found);
}

/* Measure all elements. Those within the range whose errors are no larger than those before are only counted, unless a
 * sum absorbed an operand or cancelled; products are compared in place of quotients. */
static void measure_all(const Given *given, npy_intp count, Errors *found) {
    const double *const *all = given->arrays, most = given->sums ? 4 * given->unit : INFINITY;
    for (npy_intp i = 0; i < count; i++) {
        double x = all[WIDE][i], size = fabs(x), alone = fabs(all[ALONE][i]), exact = fabs(all[REFERENCE][i]);
        double error = fabs(x - all[ALONE][i]), inherited = fabs(x - all[REFERENCE][i]);
        if (size <= given->limit && alone <= given->limit && exact <= given->limit &&
            (smaller(size, smaller(alone, exact)) >= given->normal || (error == 0 && inherited == 0)) &&
            error <= found->within[0] * NEARLY * alone &&
            inherited <= smaller(found->within[1], most) * NEARLY * exact &&
            !(given->sums && error > 0 &&
              (x == all[FIRST][i * given->steps[FIRST]] || size == fabs(all[SECOND][i * given->steps[SECOND]]))))
            found->rounding += error > 0;
        else measure(given, i, found);
    }
    for (int k = 0; k < 2; k++) found->largest[k] = larger(found->within[k], found->largest[k]);
    if (larger(found->largest[0], found->largest[1]) <= given->unit) /* all errors are of rounding */
        memcpy(found->within, found->largest, sizeof found->within);
    found->ulps = found->largest[0] == INFINITY ? INFINITY : 0;
    for (npy_intp i = 0; i < count; i++) found->ulps = in_ulps(given, i, found->largest[0], found->ulps);
}

/* errors_of(unit, limit, normal, smallest, vanishing, arrays): the members of Errors; None of other arrays than
 * contiguous ones of float64. The operands of a sum are of the same size, or of one element. */
static PyObject *errors_of(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *arrays;
    Given given;
    Errors found = {0};
    npy_intp count = -1;
    if (!PyArg_ParseTuple(args, "ddddpO!:errors_of", &given.unit, &given.limit, &given.normal, &given.smallest,
                          &given.vanishing, &PyTuple_Type, &arrays))
        return NULL;
    given.sums = PyTuple_GET_SIZE(arrays) == ARRAYS;
    for (int k = 0; k < (given.sums ? ARRAYS : FIRST); k++) {
        PyArrayObject *x = k < PyTuple_GET_SIZE(arrays) ? (PyArrayObject *)PyTuple_GET_ITEM(arrays, k) : NULL;
        if (x == NULL || !PyArray_Check(x) || !PyArray_ISCARRAY_RO(x) || PyArray_TYPE(x) != NPY_DOUBLE) Py_RETURN_NONE;
        if (k == WIDE) count = PyArray_SIZE(x);
        given.arrays[k] = PyArray_DATA(x);
        given.steps[k] = PyArray_SIZE(x) == count;
        if (!given.steps[k] && (k < FIRST || PyArray_SIZE(x) != 1)) Py_RETURN_NONE;
    }
    UNLOCKED_DO(count, measure_all(&given, count, &found));
    return Py_BuildValue("(dddddnnnnnnnn)", found.largest[0], found.largest[1], found.within[0], found.within[1],
                         found.ulps, found.missing, found.infinite, found.overflow, found.nan, found.underflow,
                         found.absorption, found.cancellation, found.rounding);
}

/* -- what shows later whether memory was written -- */

/* Copy words, or hash them: the halves of each, after a key of its place is added, are multiplied. Whether a number is
 * infinite or NaN, of a format with these bits of exponents, goes to `special`. */
static ALWAYS_INLINE uint64_t add_words(const char *from, char *to, npy_intp bytes, uint64_t exponents,
                                        uint64_t *special) {
    uint64_t sum = 0, found = 0, word = 0, lowest = exponents & ~(exponents << 1);
    for (npy_intp i = 0; i < bytes / 8; i++) {
        memcpy(&word, from + i * 8, 8);
        if (to != NULL) memcpy(to + i * 8, &word, 8);
        found |= (word & exponents) + lowest; /* the bit above is set where all are */
        word += (uint64_t)i * 0x9e3779b97f4a7c15u;
        if (to == NULL) sum += (word & 0xffffffff) * (word >> 32);
    }
    word = 0;
    memcpy(&word, from + bytes / 8 * 8, (size_t)bytes % 8);
    if (to != NULL) memcpy(to + bytes / 8 * 8, &word, (size_t)bytes % 8);
    *special = (found | ((word & exponents) + lowest)) & (exponents << 1) & ~exponents;
    return sum + word;
}
#define ADD_WORDS(level, target) \
    target static uint64_t add_words_##level(const char *from, char *to, npy_intp bytes, uint64_t exponents, \
                                             uint64_t *special) { \
        return to == NULL ? add_words(from, NULL, bytes, exponents, special) \
                          : add_words(from, to, bytes, exponents, special); \
    }
EVERY_LEVEL(ADD_WORDS)
#define ENTRY(level, target) [level] = add_words_##level,
static uint64_t (*const add_words_at[LEVELS])(const char *, char *, npy_intp, uint64_t,
                                              uint64_t *) = {EVERY_LEVEL(ENTRY)};

/* seen(x, before, exponents): the bytes of an ndarray, of 64 KiB or more a hash; `before` if they are that; None if
 * they do not follow each other, or if a number is infinite or NaN, by the bits of the exponents in 8 bytes. */
static PyObject *seen(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count) {
    if (count != 3 || !PyArray_Check(args[0])) return PyErr_Format(PyExc_TypeError, "seen: expected an ndarray");
    PyArrayObject *x = (PyArrayObject *)args[0];
    PyObject *before = args[1], *found = NULL;
    uint64_t sum, special, exponents = PyLong_AsUnsignedLongLong(args[2]);
    if (exponents == (uint64_t)-1 && PyErr_Occurred()) return NULL;
    if (!PyArray_ISONESEGMENT(x)) Py_RETURN_NONE;
    npy_intp bytes = PyArray_NBYTES(x);
    if (PyBytes_Check(before) && PyBytes_GET_SIZE(before) == bytes &&
        memcmp(PyBytes_AS_STRING(before), PyArray_BYTES(x), (size_t)bytes) == 0)
        return Py_NewRef(before);
    if (bytes < 1 << 16 && (found = PyBytes_FromStringAndSize(NULL, bytes)) == NULL) return NULL;
    UNLOCKED_DO(found == NULL ? bytes : 0, /* many */
                sum = add_words_at[loop_level](PyArray_BYTES(x), found == NULL ? NULL : PyBytes_AS_STRING(found), bytes,
                                               exponents, &special));
    if (special) Py_XSETREF(found, Py_NewRef(Py_None));
    return found == NULL ? PyLong_FromUnsignedLongLong(sum) : found;
}

PyMethodDef loss_functions[] = {
    {"errors_of", errors_of, METH_VARARGS, PyDoc_STR("Measure a result.")},
    {"seen", FASTCALL(seen), PyDoc_STR("Return what shows later whether an array was written to.")},
    {0},
};
