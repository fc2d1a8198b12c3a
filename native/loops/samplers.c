/* Numbers made of random words: uniform ones, normal ones and integers, each with the operations and in the order of
 * `random/samplers.py`.
 *
 * Products and sums are rounded one by one, or where XLA multiplies and adds in one step, as one. UfuncLoops are
 * NumPy's own loops, so that results have the same bits as without the extension.
 */
#include "random.h"

#include <math.h>

enum { BLOCK = 512 }; /* numbers that stay in the first-level cache from one step to the next */

bool samplers_found;
static UfuncLoop log1p_float32, log1p_float64, log_float64;

/* -- uniform numbers -- */

/* Multiply and add as one operation would, but for the rounding of float32 products and sums to float64 first. */
static ALWAYS_INLINE float scaled_float32(float x, double span, float low) {
    float found = (float)((double)x * span + (double)low);
    return found < low ? low : found;
}

/* The upper half of a number, of 26 bits; the rest has 26 bits too. */
static ALWAYS_INLINE double upper_half(double x) {
    double large = x * 134217729.0;
    return large - (large - x);
}

/* The rounding errors of the product (Dekker) and of the sum (Knuth) are added at the end. */
static ALWAYS_INLINE double scaled_float64(double x, double span, double low) {
    double product = x * span, x_high = upper_half(x), x_low = x - x_high, span_high = upper_half(span),
           span_low = span - span_high;
    double error = ((x_high * span_high - product) + x_high * span_low + x_low * span_high) + x_low * span_low;
    double total = product + low, part = total - product;
    error += (product - (total - part)) + (low - part);
    double found = error - error == 0.0 ? total + error : total;
    return found < low ? low : found;
}

static ALWAYS_INLINE double from_one_to_two(uint64_t bits) {
    bits = bits >> 12 | UINT64_C(0x3FF0000000000000);
    double found;
    memcpy(&found, &bits, sizeof found);
    return found;
}

#define UNIFORM(level, target) \
    target static void fractions_##level(const uint32_t *words, uint32_t mask, int shift, float unit, npy_intp count, \
                                         float *to) { \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) to[i] = (float)(int32_t)((words[i] & mask) >> shift) * unit; \
    } \
    target static void scale_float32_##level(double span, float low, npy_intp count, float *to) { \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) to[i] = scaled_float32(to[i], span, low); \
    } \
    target static void uniform_float64_##level(const uint64_t *words, npy_intp count, double *to) { \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) to[i] = from_one_to_two(words[i]) - 1.0; \
    } \
    target static void scale_float64_##level(double span, double low, npy_intp count, double *to) { \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) to[i] = scaled_float64(to[i], span, low); \
    }
EVERY_LEVEL(UNIFORM)

/* -- the inverse of the error function -- */

/* Polynomials of M. Giles (2012) as XLA has them, from the highest power down. */
static const double near_32[] = {
    2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
    -0.00125372503, -0.00417768164, 0.246640727,    1.50140941,
};
static const double far_32[] = {
    -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
    -0.0076224613,   0.00943887047,  1.00167406,    2.83297682,
};
static const double near_64[] = {
    -3.6444120640178196996e-21, -1.685059138182016589e-19,  1.2858480715256400167e-18,  1.115787767802518096e-17,
    -1.333171662854620906e-16,  2.0972767875968561637e-17,  6.6376381343583238325e-15,  -4.0545662729752068639e-14,
    -8.1519341976054721522e-14, 2.6335093153082322977e-12,  -1.2975133253453532498e-11, -5.4154120542946279317e-11,
    1.051212273321532285e-09,   -4.1126339803469836976e-09, -2.9070369957882005086e-08, 4.2347877827932403518e-07,
    -1.3654692000834678645e-06, -1.3882523362786468719e-05, 0.0001867342080340571352,   -0.00074070253416626697512,
    -0.0060336708714301490533,  0.24015818242558961693,     1.6536545626831027356,
};
static const double middle_64[] = {
    2.2137376921775787049e-09,  9.0756561938885390979e-08, -2.7517406297064545428e-07, 1.8239629214389227755e-08,
    1.5027403968909827627e-06,  -4.013867526981545969e-06, 2.9234449089955446044e-06,  1.2475304481671778723e-05,
    -4.7318229009055733981e-05, 6.8284851459573175448e-05, 2.4031110387097893999e-05,  -0.0003550375203628474796,
    0.00095328937973738049703,  -0.0016882755560235047313, 0.0024914420961078508066,   -0.0037512085075692412107,
    0.005370914553590063617,    1.0052589676941592334,     3.0838856104922207635,
};
static const double far_64[] = {
    -2.7109920616438573243e-11, -2.5556418169965252055e-10, 1.5076572693500548083e-09,  -3.7894654401267369937e-09,
    7.6157012080783393804e-09,  -1.4960026627149240478e-08, 2.9147953450901080826e-08,  -6.7711997758452339498e-08,
    2.2900482228026654717e-07,  -9.9298272942317002539e-07, 4.5260625972231537039e-06,  -1.9681778105531670567e-05,
    7.5995277030017761139e-05,  -0.00021503011930044477347, -0.00013871931833623122026, 1.0103004648645343977,
    4.8499064014085844221,
};
/* Cephes' rational approximation of log1p, which XLA has. */
static const double log1p_above[] = {
    4.5270000862445199635215e-5, 4.9854102823193375972212e-1, 6.5787325942061044846969,   2.9911919328553073277375e1,
    6.0949667980987787057556e1,  5.7112963590585538103336e1,  2.0039553499201281259648e1,
};
static const double log1p_below[] = {
    1.0,
    1.5062909083469192043167e1,
    8.3047565967967209469434e1,
    2.2176239823732856465394e2,
    3.0909872225312059774938e2,
    2.1642788614495947685003e2,
    6.0118660497603843919306e1,
};

/* Before a loop of few, constant iterations, in a loop that is to be vectorised. */
#if defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define UNROLLED _Pragma("GCC unroll 32")
#else
#define UNROLLED
#endif

/* Horner's rule, rounded after each product and each sum. */
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define HORNER(type, coefficients, x) horner_##type(coefficients, COUNT(coefficients), x)
static ALWAYS_INLINE float horner_float(const double *coefficients, int count, float x) {
    float found = (float)coefficients[0];
    UNROLLED
    for (int i = 1; i < count; i++) found = found * x + (float)coefficients[i];
    return found;
}
static ALWAYS_INLINE double horner_double(const double *coefficients, int count, double x) {
    double found = coefficients[0];
    UNROLLED
    for (int i = 1; i < count; i++) found = found * x + coefficients[i];
    return found;
}

/* log1p of `y` as XLA computes it, given the logarithm of 1 + y. */
static ALWAYS_INLINE double xla_log1p(double y, double logarithm) {
    double square = y * y, rational = HORNER(double, log1p_above, y) / HORNER(double, log1p_below, y);
    double near = y - 0.5 * square + y * (square * rational);
    return (y < 0 ? -y : y) < 1.4142135623730951 - 1.0 ? near : logarithm;
}

#define INVERSE(level, target) \
    target static void opposite_squares_float32_##level(const float *x, float *y, npy_intp count) { \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) y[i] = x[i] * -x[i]; \
    } \
    target static void opposite_squares_float64_##level(const double *x, double *y, double *y_and_one, \
                                                        npy_intp count) { \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) { \
            y[i] = x[i] * -x[i]; \
            y_and_one[i] = 1 + y[i]; \
        } \
    } \
    target static void near_float32_##level(const float *x, const float *logarithms, float *to, npy_intp count) { \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) to[i] = HORNER(float, near_32, -logarithms[i] - 2.5f) * x[i]; \
    } \
    target static void xla_log1ps_##level(const double *y, double *logarithms, npy_intp count) { \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) logarithms[i] = xla_log1p(y[i], logarithms[i]); \
    } \
    target static void near_float64_##level(const double *x, const double *logarithms, double *to, npy_intp count) { \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) to[i] = HORNER(double, near_64, -logarithms[i] - 3.125) * x[i]; \
    }
EVERY_LEVEL(INVERSE)

typedef struct {
    void (*fractions)(const uint32_t *words, uint32_t mask, int shift, float unit, npy_intp count, float *to);
    void (*scale_float32)(double span, float low, npy_intp count, float *to);
    void (*uniform_float64)(const uint64_t *words, npy_intp count, double *to);
    void (*scale_float64)(double span, double low, npy_intp count, double *to);
    void (*opposite_squares_float32)(const float *x, float *y, npy_intp count);
    void (*opposite_squares_float64)(const double *x, double *y, double *y_and_one, npy_intp count);
    void (*near_float32)(const float *x, const float *logarithms, float *to, npy_intp count);
    void (*xla_log1ps)(const double *y, double *logarithms, npy_intp count);
    void (*near_float64)(const double *x, const double *logarithms, double *to, npy_intp count);
} Loops;
#define ROW(level, target) \
    {fractions_##level, \
     scale_float32_##level, \
     uniform_float64_##level, \
     scale_float64_##level, \
     opposite_squares_float32_##level, \
     opposite_squares_float64_##level, \
     near_float32_##level, \
     xla_log1ps_##level, \
     near_float64_##level},
static const Loops loops[] = {EVERY_LEVEL(ROW)};

static void call(const UfuncLoop *logarithm, void *numbers, npy_intp size, npy_intp count) {
    char *args[] = {numbers, numbers};
    npy_intp steps[] = {size, size};
    logarithm->function(args, &count, steps, logarithm->data);
}

/* Few numbers are near -1 or 1: they are computed one by one. The inverse of -1 and 1 is infinite. */
static void inverse_float32(float *x, npy_intp count) {
    float logarithms[BLOCK], found[BLOCK];
    loops[loop_level].opposite_squares_float32(x, logarithms, count);
    call(&log1p_float32, logarithms, sizeof(float), count);
    loops[loop_level].near_float32(x, logarithms, found, count);
    for (npy_intp i = 0; i < count; i++)
        if (-logarithms[i] >= 5.0f)
            found[i] = fabsf(x[i]) == 1.0f ? copysignf(INFINITY, x[i])
                                           : HORNER(float, far_32, sqrtf(-logarithms[i]) - 3.0f) * x[i];
    memcpy(x, found, (size_t)count * sizeof(float));
}

static void inverse_float64(double *x, bool exact, npy_intp count) {
    double squares[BLOCK], sums[BLOCK], found[BLOCK], *logarithms = exact ? squares : sums;
    loops[loop_level].opposite_squares_float64(x, squares, sums, count);
    call(exact ? &log1p_float64 : &log_float64, logarithms, sizeof(double), count);
    if (!exact) loops[loop_level].xla_log1ps(squares, logarithms, count);
    loops[loop_level].near_float64(x, logarithms, found, count);
    for (npy_intp i = 0; i < count; i++) {
        double w = -logarithms[i];
        if (fabs(x[i]) == 1.0) found[i] = copysign(INFINITY, x[i]);
        else if (w >= 16.0) found[i] = HORNER(double, far_64, sqrt(w) - 5.0) * x[i];
        else if (w >= 6.25) found[i] = HORNER(double, middle_64, sqrt(w) - 3.25) * x[i];
    }
    memcpy(x, found, (size_t)count * sizeof(double));
}

/* What threads share: the parameters of a sampler, of which each one uses some, and the buffer. */
typedef struct {
    Type type;
    Key key;
    Bounds bounds;
    bool exact;
    int width, mantissa, size;
    uint64_t low, span;
    void *to;
} Sampling;

static void inverse_part(void *context, int Py_UNUSED(thread), npy_intp first, npy_intp last) {
    const Sampling *all = context;
    for (npy_intp done = first; done < last; done += BLOCK) {
        npy_intp now = last - done < BLOCK ? last - done : BLOCK;
        if (all->type == E_FLOAT32) inverse_float32((float *)all->to + done, now);
        else inverse_float64((double *)all->to + done, all->exact, now);
    }
}

void inverse_error(Type type, bool exact, npy_intp count, void *numbers) {
    share_work(inverse_part, &(Sampling){.type = type, .exact = exact, .to = numbers}, count, 1);
}

/* -- samplers -- */

static void fractions_part(void *context, int Py_UNUSED(thread), npy_intp first, npy_intp last) {
    const Sampling *all = context;
    uint32_t words[BLOCK], mask = all->width == 32 ? UINT32_MAX : (UINT32_C(1) << all->width) - 1;
    float unit = 1.0f / (float)(UINT32_C(1) << all->mantissa);
    for (npy_intp done = first; done < last; done += BLOCK) {
        npy_intp now = last - done < BLOCK ? last - done : BLOCK;
        threefry_words(all->key, (uint64_t)done, now, words);
        loops[loop_level].fractions(words, mask, all->width - all->mantissa, unit, now, (float *)all->to + done);
    }
}

void random_fractions(Key key, int width, int mantissa, npy_intp count, float *to) {
    share_work(fractions_part, &(Sampling){.key = key, .width = width, .mantissa = mantissa, .to = to}, count, 1);
}

bool bounds_are_plain(Type type, Bounds bounds) {
    bool single = type == E_FLOAT32;
    double low = single ? (double)(float)bounds.low : bounds.low,
           high = single ? (double)(float)bounds.high : bounds.high;
    double span = single ? (double)((float)high - (float)low) : high - low;
    return low < high && span - span == 0.0 && low - low == 0.0 && !(low == 0.0 && signbit(low));
}

/* Write numbers `done` to `done + count`, at most a block. */
static void uniform_block(Type type, Key key, Bounds bounds, npy_intp done, npy_intp count, void *to) {
    const Loops *use = &loops[loop_level];
    if (type == E_FLOAT32) {
        uint32_t words[BLOCK];
        float low = (float)bounds.low, high = (float)bounds.high;
        threefry_words(key, (uint64_t)done, count, words);
        use->fractions(words, UINT32_MAX, 9, 1.0f / 8388608.0f, count, to);
        if (bounds.scaled) use->scale_float32((double)(float)(high - low), low, count, to);
    } else {
        uint64_t words[BLOCK];
        threefry_pairs(key, (uint64_t)done, count, words);
        use->uniform_float64(words, count, to);
        if (bounds.scaled) use->scale_float64(bounds.high - bounds.low, bounds.low, count, to);
    }
}

static void uniform_part(void *context, int Py_UNUSED(thread), npy_intp first, npy_intp last) {
    const Sampling *all = context;
    npy_intp size = all->type == E_FLOAT32 ? sizeof(float) : sizeof(double);
    for (npy_intp done = first; done < last; done += BLOCK)
        uniform_block(all->type, all->key, all->bounds, done, last - done < BLOCK ? last - done : BLOCK,
                      (char *)all->to + done * size);
}

void random_uniform(Type type, Key key, Bounds bounds, npy_intp count, void *to) {
    share_work(uniform_part, &(Sampling){.type = type, .key = key, .bounds = bounds, .to = to}, count, 1);
}

static void normal_part(void *context, int Py_UNUSED(thread), npy_intp first, npy_intp last) {
    const float root_32 = (float)1.4142135623730951;
    const double root_64 = 1.4142135623730951;
    const Sampling *all = context;
    npy_intp size = all->type == E_FLOAT32 ? sizeof(float) : sizeof(double);
    for (npy_intp done = first; done < last; done += BLOCK) {
        npy_intp now = last - done < BLOCK ? last - done : BLOCK;
        char *place = (char *)all->to + done * size;
        uniform_block(all->type, all->key, all->bounds, done, now, place);
        if (all->type == E_FLOAT32) {
            inverse_float32((float *)place, now);
            for (npy_intp i = 0; i < now; i++) ((float *)place)[i] *= root_32;
        } else {
            inverse_float64((double *)place, false, now);
            for (npy_intp i = 0; i < now; i++) ((double *)place)[i] *= root_64;
        }
    }
}

void random_normal(Type type, Key key, npy_intp count, void *to) {
    /* The lower bound is the number after -1, so that the inverse of the error function is finite. */
    const Bounds bounds = {true, type == E_FLOAT32 ? (double)-0.99999994f : -0.99999999999999988898, 1.0};
    share_work(normal_part, &(Sampling){.type = type, .key = key, .bounds = bounds, .to = to}, count, 1);
}

/* The remainder of a number of twice as many bits keeps the bias small. */
#define INTEGERS(type, part_bits, draw) \
    static void integers_##type(const Sampling *all, npy_intp from, npy_intp last) { \
        const type low = (type)all->low, span = (type)all->span; \
        type words[BLOCK], half = (type)((type)1 << part_bits) % span, factor = (type)(half * half) % span; \
        type *to = all->to; \
        Key first = threefry_key(all->key, 0), second = threefry_key(all->key, 1); \
        for (npy_intp done = from; done < last; done += BLOCK) { \
            npy_intp now = last - done < BLOCK ? last - done : BLOCK; \
            draw(first, (uint64_t)done, now, to + done); \
            draw(second, (uint64_t)done, now, words); \
            for (npy_intp i = 0; i < now; i++) \
                to[done + i] = low + (type)(to[done + i] % span * factor + words[i] % span) % span; \
        } \
    }
INTEGERS(uint32_t, 16, threefry_words)
INTEGERS(uint64_t, 32, threefry_pairs)

static void integers_part(void *context, int Py_UNUSED(thread), npy_intp first, npy_intp last) {
    const Sampling *all = context;
    (all->size == 4 ? integers_uint32_t : integers_uint64_t)(all, first, last);
}

void random_integers(int size, Key key, uint64_t low, uint64_t span, npy_intp count, void *to) {
    share_work(integers_part, &(Sampling){.size = size, .key = key, .low = low, .span = span, .to = to}, count, 1);
}

/* -- NumPy's loops -- */

int add_samplers(PyObject *Py_UNUSED(module)) {
    samplers_found = find_numpy_loop("log1p", E_FLOAT32, &log1p_float32) &&
                     find_numpy_loop("log1p", E_FLOAT64, &log1p_float64) &&
                     find_numpy_loop("log", E_FLOAT64, &log_float64);
    return PyErr_Occurred() ? -1 : 0;
}
