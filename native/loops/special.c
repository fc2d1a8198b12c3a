/* Special functions of real numbers, as ufuncs of float32 and float64. C's library has `erf`, `erfc` and `lgamma`; the
 * others are formulas. float32 is computed in double and rounded once, but for `erfinv`.
 * `_kernels/special_functions.py` defines the same in NumPy calls.
 */
#include "random.h"

#include <float.h>
#include <math.h>

static const double root_half = 0.70710678118654752440, pi = 3.14159265358979323846,
                    log_two_pi = 1.83787706640934548356;

/* -- the gamma function -- */

static double gammaln(double x) {
#ifdef _WIN32
    return lgamma(x); /* which has no global sign there */
#else
    int sign;
    return lgamma_r(x, &sign);
#endif
}

static double gammasgn(double x) {
    if (!(x <= 0)) return isnan(x) ? x : 1;
    if (x == 0) return copysign(1, x);
    double whole = floor(x), half = whole / 2;
    return whole == x ? NAN : half != floor(half) ? -1 : 1;
}

/* The recurrence up to 10, then the asymptotic series; reflection below 0. */
static double digamma(double x) {
    static const double terms[] = {-1.0 / 12, 691.0 / 32760, -1.0 / 132, 1.0 / 240, -1.0 / 252, 1.0 / 120, -1.0 / 12};
    if (x <= 0 && x == floor(x)) return NAN;
    double y = x < 0 ? 1 - x : x, shift = 0;
    for (; y < 10; y += 1) shift -= 1 / y;
    double s = 1 / (y * y), series = 0;
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) series = series * s + terms[i];
    double found = log(y) - 0.5 / y + series * s + shift;
    return x < 0 ? found - pi / tan(pi * (x - rint(x))) : found;
}

/* -- the normal distribution -- */

static double ndtr(double x) { return erfc(-x * root_half) / 2; }

/* By the asymptotic series where `erfc` is near the least numbers. */
static double log_ndtr(double x) {
    if (x > 0) return log1p(-erfc(x * root_half) / 2);
    if (!(x < -35)) return log(erfc(-x * root_half) / 2);
    double s = x * x;
    return -s / 2 - log(-x) - log_two_pi / 2 + log1p((-1 + (3 - (15 - 105 / s) / s) / s) / s);
}

/* M. J. Wichura's algorithm AS 241 (1988), as in Python's `statistics`: quotients of polynomials, from the highest
 * power down. */
static const double middle_above[] = {
    2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
    13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608,
};
static const double middle_below[] = {
    5226.495278852545925,  28729.085735721942674, 39307.89580009271061,  21213.794301586595867,
    5394.1960214247511077, 687.1870074920579083,  42.313330701600911252, 1,
};
static const double tail_above[] = {
    7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177, 1.27045825245236838258,
    3.64784832476320460504,   5.7694972214606914055,    4.6303378461565452959,  1.42343711074968357734,
};
static const double tail_below[] = {
    1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966, 0.14810397642748007459,
    0.68976733498510000455,    1.6763848301838038494,   2.05319162663775882187,   1,
};
static const double end_above[] = {
    2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386, 0.026532189526576123093,
    0.29656057182850489123,    1.7848265399172913358,     5.4637849111641143699,    6.6579046435011037772,
};
static const double end_below[] = {
    2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
    0.0148753612908506148525,   0.13692988092273580531,   0.59983220655588793769,   1,
};

static inline double quotient(const double *above, const double *below, double x, double factor) {
    double p = above[0], q = below[0];
    for (int i = 1; i < 8; i++) {
        p = p * x + above[i];
        q = q * x + below[i];
    }
    return p * factor / q;
}

static double ndtri(double p) {
    double q = p - 0.5;
    if (fabs(q) <= 0.425) return quotient(middle_above, middle_below, 0.180625 - q * q, q);
    double tail = q <= 0 ? p : 1 - p;
    if (!(tail > 0)) return tail == 0 ? copysign(INFINITY, q) : NAN;
    double r = sqrt(-log(tail));
    return r <= 5 ? quotient(tail_above, tail_below, r - 1.6, copysign(1, q))
                  : quotient(end_above, end_below, r - 5, copysign(1, q));
}

/* -- entropies -- */

static double entr(double x) { return x > 0 ? -x * log(x) : x == 0 ? -0.0 : x < 0 ? -INFINITY : x; }

/* Of nearly equal numbers, the quotient's logarithm has lost digits; and so has a quotient that is not a normal number.
 */
static double rel_entr(double p, double q) {
    if (isnan(p) || isnan(q)) return NAN;
    if (!(p > 0 && q > 0)) return p == 0 && q >= 0 ? 0 : INFINITY;
    double ratio = p / q;
    if (ratio > 0.5 && ratio < 2) return p * log1p((p - q) / q);
    return p * (ratio > DBL_MIN && ratio < INFINITY ? log(ratio) : log(p) - log(q));
}

static double kl_div(double p, double q) {
    if (p > 0 && q > 0) return p * log(p / q) - p + q;
    return rel_entr(p, q) - p + q;
}

static double xlogy(double x, double y) { return x == 0 && !isnan(y) ? 0 : x * log(y); }
/* The logarithm of the rounded sum, and what rounding took; C's log1p takes three times as long. */
static double xlog1py(double x, double y) {
    double sum = 1 + y, rest = (y - (sum - 1)) / sum;
    double logarithm = sum == 1 ? y : log(sum) + (isnan(rest) ? 0 : rest); /* of -0.0, it is -0.0 */
    return x == 0 && !isnan(y) ? 0 : x * logarithm;
}

/* -- the ufuncs -- */

#define OF_ONE(name, real) \
    static void name##_##real(char **args, npy_intp const *dimensions, npy_intp const *steps, void *Py_UNUSED(data)) { \
        const char *from = args[0]; \
        char *to = args[1]; \
        for (npy_intp i = dimensions[0]; i > 0; i--, from += steps[0], to += steps[1]) \
            *(real *)to = (real)name(*(const real *)from); \
    }
#define OF_TWO(name, real) \
    static void name##_##real(char **args, npy_intp const *dimensions, npy_intp const *steps, void *Py_UNUSED(data)) { \
        const char *a = args[0], *b = args[1]; \
        char *to = args[2]; \
        for (npy_intp i = dimensions[0]; i > 0; i--, a += steps[0], b += steps[1], to += steps[2]) \
            *(real *)to = (real)name(*(const real *)a, *(const real *)b); \
    }
#define OF_BLOCKS(name, real) \
    static void name##_##real(char **args, npy_intp const *dimensions, npy_intp const *steps, void *Py_UNUSED(data)) { \
        enum { BLOCK = 512 }; \
        real block[BLOCK]; \
        for (npy_intp done = 0, now; done < dimensions[0]; done += now) { \
            now = dimensions[0] - done < BLOCK ? dimensions[0] - done : BLOCK; \
            for (npy_intp i = 0; i < now; i++) block[i] = *(const real *)(args[0] + (done + i) * steps[0]); \
            inverse_error(sizeof(real) == sizeof(float) ? E_FLOAT32 : E_FLOAT64, true, now, block); \
            for (npy_intp i = 0; i < now; i++) *(real *)(args[1] + (done + i) * steps[1]) = block[i]; \
        } \
    }
/* The last one needs NumPy's logarithms. */
#define FUNCTIONS(X) \
    X(erf, OF_ONE, 1) \
    X(erfc, OF_ONE, 1) \
    X(gammaln, OF_ONE, 1) \
    X(gammasgn, OF_ONE, 1) \
    X(digamma, OF_ONE, 1) \
    X(ndtr, OF_ONE, 1) \
    X(ndtri, OF_ONE, 1) \
    X(log_ndtr, OF_ONE, 1) \
    X(entr, OF_ONE, 1) \
    X(rel_entr, OF_TWO, 2) X(kl_div, OF_TWO, 2) X(xlogy, OF_TWO, 2) X(xlog1py, OF_TWO, 2) X(erfinv, OF_BLOCKS, 1)
#define DEFINE(name, loop, operands) loop(name, float) loop(name, double)
FUNCTIONS(DEFINE)

int add_special(PyObject *module) {
    /* The ufuncs borrow the tables for ever. */
#define ROW(name, loop, operands) {#name, operands, {name##_float, name##_double}},
    static struct {
        const char *name;
        int operands;
        PyUFuncGenericFunction loops[2];
    } rows[] = {FUNCTIONS(ROW)};
    static const char types[] = {NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_DOUBLE, NPY_DOUBLE, NPY_DOUBLE};
    static void *data[2];
    enum { COUNT = sizeof rows / sizeof *rows };
    for (int i = 0; i < (samplers_found ? COUNT : COUNT - 1); i++) {
        PyObject *ufunc =
            PyUFunc_FromFuncAndData(rows[i].loops, data, (char *)types + (rows[i].operands == 1), 2, rows[i].operands,
                                    1, PyUFunc_None, rows[i].name, "A special function.", 0);
        int failed = ufunc == NULL ? -1 : PyModule_AddObjectRef(module, rows[i].name, ufunc);
        Py_XDECREF(ufunc);
        if (failed) return -1;
    }
    return 0;
}
