/* Kernels on the bits of floats with a sign: a file for each width includes this with BITS, the width of their
 * storage, defined.
 *
 * The order of magnitudes is that of their codes, with NaN above all. Codes of fewer bits are moved up, so that the
 * sign is topmost.
 */
#include "narrow_kernels.h"

#include "pick_of.h"

/* -- elements -- */

/* All bits if the sign is set, else none. */
static ALWAYS_INLINE UINT OF(signs_)(UINT x) { return (INT)x < 0 ? (UINT)-1 : 0; }
static ALWAYS_INLINE bool OF(is_nan_)(UINT x, UINT magnitude, UINT last, UINT nan) {
    return ((UINT)(x & magnitude) > last) | (BITS == 8 && x == nan); /* wider formats have no NaN in place of -0.0 */
}
/* An integer in the order of the values; both zeros are 0. */
static ALWAYS_INLINE INT OF(rank_)(UINT x, UINT magnitude) {
    return (INT)(UINT)((UINT)((x & magnitude) ^ OF(signs_)(x)) - OF(signs_)(x));
}
static ALWAYS_INLINE UINT OF(select_)(bool first, UINT a, UINT b) {
    return (UINT)(b ^ ((a ^ b) & (UINT)(0 - (UINT)first)));
}

static ALWAYS_INLINE bool OF(ordered_)(UINT x, UINT y, const Layout *at) {
    UINT magnitude = (UINT)at->magnitude, last = (UINT)at->last, nan = (UINT)at->nan;
    bool first = OF(is_nan_)(x, magnitude, last, nan), second = OF(is_nan_)(y, magnitude, last, nan);
    return !(first | second);
}

/* The greater or the lesser of two elements that are moved up: see pick_of.h. */
static ALWAYS_INLINE UINT OF(pick_)(UINT x, UINT y, const Layout *at, int up, bool greatest) {
    return (UINT)(OF(pick)(x, y, (UINT)at->last, (UINT)at->nan, greatest) >> up);
}

/* The neighbour of `x` in the direction of `y`. */
static ALWAYS_INLINE UINT OF(next_)(UINT x, UINT y, const Layout *at) {
    INT from = OF(rank_)(x, (UINT)at->magnitude), to = OF(rank_)(y, (UINT)at->magnitude);
    UINT away = (UINT)(x + (UINT)(((to > from) == (from > 0)) ? 1 : -1)); /* a magnitude more or less */
    UINT least = (UINT)((y & ~(UINT)at->magnitude) | 1);
    UINT found = OF(select_)(from == to, y, OF(select_)(from == 0, least, away));
    return OF(select_)(OF(ordered_)(x, y, at), found, (UINT)at->quiet);
}

/* -1, 0 or 1, or NaN. */
static ALWAYS_INLINE UINT OF(sign_of_)(UINT x, const Layout *at) {
    UINT magnitude = (UINT)(x & at->magnitude), sign = (UINT)(x & ~at->magnitude);
    UINT found = OF(select_)(magnitude == 0, 0, (UINT)(sign | (UINT)at->one));
    return OF(select_)(magnitude > (UINT)at->last, (UINT)(sign | (UINT)at->quiet), found);
}

/* -- contiguous elements -- */

#define EACH(result, expression) \
    INDEPENDENT \
    for (npy_intp i = 0; i < count; i++) out[i] = (result)(expression)
/* The fields of the layout are copied, for a compiler could not know that writing results leaves them alone. */
#define LOOP(level, target, function, result, expression) \
    target static void OF(function##_##level##_)(const void *a, const void *b, void *to, npy_intp count, \
                                                 const Layout *layout) { \
        const Layout copy = *layout, *const at = &copy; \
        const UINT *first = a, *second = b; \
        const UINT magnitude = (UINT)at->magnitude, last = (UINT)at->last, infinity = (UINT)at->infinity, \
                   sign = (UINT)~magnitude; \
        result *out = to; \
        (void)second; \
        (void)magnitude; \
        (void)last; \
        (void)infinity; \
        (void)sign; \
        EACH(result, expression); \
    }
/* The same of codes that are moved up, for which processors have no instruction of bytes: few formats need it. */
#define LOOP_UP(level, target, function, result, expression) \
    target static void OF(function##_##level##_)(const void *a, const void *b, void *to, npy_intp count, \
                                                 const Layout *layout) { \
        const Layout copy = *layout, *const at = &copy; \
        const UINT *first = a, *second = b, magnitude = (UINT)at->magnitude; \
        result *out = to; \
        (void)magnitude; \
        if (at->up == 0) { \
            enum { up = 0 }; \
            EACH(result, expression); \
        } else { \
            const int up = at->up; \
            EACH(result, expression); \
        } \
    }
#define ENTRY(level, target, function) [level] = OF(function##_##level##_),
#define DEFINE(function, result, expression) \
    EVERY_LEVEL_OF(LOOP, function, result, expression) \
    static Kernel *const OF(function##_)[LEVELS] = {EVERY_LEVEL_OF(ENTRY, function)};

#define DEFINE_UP(function, result, expression) \
    EVERY_LEVEL_OF(LOOP_UP, function, result, expression) \
    static Kernel *const OF(function##_)[LEVELS] = {EVERY_LEVEL_OF(ENTRY, function)};

#define X ((UINT)(first[i] << up))
#define Y ((UINT)(second[i] << up))
/* A comparison that is false of NaN, without a branch. */
#define COMPARED(operator) ((OF(rank_)(X, magnitude) operator OF(rank_)(Y, magnitude)) * OF(ordered_)(X, Y, at))
DEFINE_UP(less, uint8_t, COMPARED(<))
DEFINE_UP(less_equal, uint8_t, COMPARED(<=))
DEFINE_UP(greater, uint8_t, COMPARED(>))
DEFINE_UP(greater_equal, uint8_t, COMPARED(>=))
DEFINE_UP(equal, uint8_t, COMPARED(==))
DEFINE_UP(not_equal, uint8_t, 1 ^ COMPARED(==))
DEFINE_UP(maximum, UINT, OF(pick_)(X, Y, at, up, true))
DEFINE_UP(minimum, UINT, OF(pick_)(X, Y, at, up, false))
#undef X
#undef Y
#define X first[i]
#define Y second[i]
#define IS_TRUE(x) (((x) & magnitude) != 0)
DEFINE(absolute, UINT, X &magnitude)
DEFINE(negative, UINT, X ^ sign)
DEFINE(positive, UINT, X)
DEFINE(sign, UINT, OF(sign_of_)(X, at))
DEFINE(copysign, UINT, (X & magnitude) | (Y & sign))
DEFINE(nextafter, UINT, OF(next_)(X, Y, at))
DEFINE(signbit, uint8_t, X > magnitude)
DEFINE(isnan, uint8_t, (UINT)(X &magnitude) > last)
DEFINE(isfinite, uint8_t, ((UINT)(X & magnitude) < infinity) & ((UINT)(X & magnitude) <= last))
DEFINE(isinf, uint8_t, ((UINT)(X & magnitude) == infinity) & ((UINT)(X & magnitude) <= last))
DEFINE(isposinf, uint8_t, (X == infinity) & (infinity <= last))
DEFINE(isneginf, uint8_t, (X == (infinity | sign)) & (infinity <= last))
DEFINE(logical_not, uint8_t, !IS_TRUE(X))
DEFINE(logical_and, uint8_t, IS_TRUE(X) & IS_TRUE(Y))
DEFINE(logical_or, uint8_t, IS_TRUE(X) | IS_TRUE(Y))
DEFINE(logical_xor, uint8_t, IS_TRUE(X) ^ IS_TRUE(Y))

const Bits OF(bits_)[] = {
    {"less", OF(less_), 2, true, false},
    {"less_equal", OF(less_equal_), 2, true, false},
    {"greater", OF(greater_), 2, true, false},
    {"greater_equal", OF(greater_equal_), 2, true, false},
    {"equal", OF(equal_), 2, true, false},
    {"not_equal", OF(not_equal_), 2, true, false},
    {"maximum", OF(maximum_), 2, false, false},
    {"minimum", OF(minimum_), 2, false, false},
    {"positive", OF(positive_), 1, false, false},
    {"conj", OF(positive_), 1, false, false},
    {"real", OF(positive_), 1, false, false},
    {"abs", OF(absolute_), 1, false, true},
    {"fabs", OF(absolute_), 1, false, true},
    {"negative", OF(negative_), 1, false, true},
    {"sign", OF(sign_), 1, false, true},
    {"copysign", OF(copysign_), 2, false, true},
    {"nextafter", OF(nextafter_), 2, false, true},
    {"signbit", OF(signbit_), 1, true, true},
    {"isnan", OF(isnan_), 1, true, true},
    {"isfinite", OF(isfinite_), 1, true, true},
    {"isinf", OF(isinf_), 1, true, true},
    {"isposinf", OF(isposinf_), 1, true, true},
    {"isneginf", OF(isneginf_), 1, true, true},
    {"logical_not", OF(logical_not_), 1, true, true},
    {"logical_and", OF(logical_and_), 2, true, true},
    {"logical_or", OF(logical_or_), 2, true, true},
    {"logical_xor", OF(logical_xor_), 2, true, true},
    {NULL, NULL, 0, false, false},
};
