/* Whole arrays: whether numbers are close, whether elements are the same, how many are not zero. */
#include "loops.h"

#include <math.h>

enum { BLOCK = 1024 }; /* elements after which a comparison may stop */

/* Whether two numbers are equal, or finite and within the tolerance; or both NaN, if those count as equal. */
#define CLOSE(type, absolute_value) \
    static ALWAYS_INLINE bool close_##type(type x, type y, type relative, type absolute, bool equal_nan) { \
        type distance = absolute_value(x - y), limit = absolute_value(absolute + relative * absolute_value(y)); \
        bool within = (distance <= limit) & (x - x == 0) & (y - y == 0); \
        return within | (x == y) | (equal_nan & (x != x) & (y != y)); \
    }
CLOSE(float, fabsf)
CLOSE(double, fabs)

#define COMPARE(level, target, type) \
    target static void each_##type##_##level(const void *a, const void *b, bool one, const Tolerance *within, \
                                             npy_intp count, uint8_t *to) { \
        const type *x = a, *y = b; \
        type relative = (type)within->relative, absolute = (type)within->absolute, only = y[0]; \
        bool equal_nan = within->equal_nan; \
        if (one) { \
            INDEPENDENT \
            for (npy_intp i = 0; i < count; i++) to[i] = close_##type(x[i], only, relative, absolute, equal_nan); \
        } else { \
            INDEPENDENT \
            for (npy_intp i = 0; i < count; i++) to[i] = close_##type(x[i], y[i], relative, absolute, equal_nan); \
        } \
    } \
    target static bool all_##type##_##level(const void *a, const void *b, bool one, const Tolerance *within, \
                                            npy_intp count) { \
        const type *x = a, *y = b; \
        type relative = (type)within->relative, absolute = (type)within->absolute, only = y[0]; \
        bool equal_nan = within->equal_nan; \
        int far = 0; \
        if (one) \
            for (npy_intp i = 0; i < count; i++) far |= !close_##type(x[i], only, relative, absolute, equal_nan); \
        else \
            for (npy_intp i = 0; i < count; i++) far |= !close_##type(x[i], y[i], relative, absolute, equal_nan); \
        return !far; \
    } \
    target static bool same_##type##_##level(const void *a, const void *b, bool equal_nan, npy_intp count) { \
        const type *x = a, *y = b; \
        int different = 0; \
        for (npy_intp i = 0; i < count; i++) \
            different |= !((x[i] == y[i]) | (equal_nan & (x[i] != x[i]) & (y[i] != y[i]))); \
        return !different; \
    }
/* Sums of a block fit the type of the elements' width, so that as many are counted at once as are compared. */
#define NONZERO(level, target, type, counter, block) \
    target static npy_intp nonzero_##type##_##level(const void *from, npy_intp count) { \
        const type *x = from; \
        npy_intp total = 0; \
        for (npy_intp done = 0; done < count; done += block) { \
            npy_intp now = count - done < block ? count - done : block; \
            counter found = 0; \
            for (npy_intp i = 0; i < now; i++) found = (counter)(found + (x[done + i] != 0)); \
            total += (npy_intp)found; \
        } \
        return total; \
    }
#define ALL(level, target) \
    COMPARE(level, target, float) \
    COMPARE(level, target, double) \
    NONZERO(level, target, uint8_t, uint8_t, 192) \
    NONZERO(level, target, uint16_t, uint16_t, 32768) \
    NONZERO(level, target, uint32_t, uint32_t, 1048576) \
    NONZERO(level, target, uint64_t, uint64_t, 1048576) \
    NONZERO(level, target, float, uint32_t, 1048576) NONZERO(level, target, double, uint64_t, 1048576)
EVERY_LEVEL(ALL)

typedef struct {
    void (*each[2])(const void *a, const void *b, bool one, const Tolerance *within, npy_intp count, uint8_t *to);
    bool (*all[2])(const void *a, const void *b, bool one, const Tolerance *within, npy_intp count);
    bool (*same[2])(const void *a, const void *b, bool equal_nan, npy_intp count);
    npy_intp (*nonzero[6])(const void *from, npy_intp count);
} Loops;
#define ROW(level, target) \
    {{each_float_##level, each_double_##level}, \
     {all_float_##level, all_double_##level}, \
     {same_float_##level, same_double_##level}, \
     {nonzero_uint8_t_##level, nonzero_uint16_t_##level, nonzero_uint32_t_##level, nonzero_uint64_t_##level, \
      nonzero_float_##level, nonzero_double_##level}},
static const Loops loops[] = {EVERY_LEVEL(ROW)};

void close_elements(Type type, const char *a, const char *b, bool one, const Tolerance *within, npy_intp count,
                    uint8_t *to) {
    if (count > 0) loops[loop_level].each[type == E_FLOAT64](a, b, one, within, count, to);
}

bool all_close(Type type, const char *a, const char *b, bool one, const Tolerance *within, npy_intp count) {
    npy_intp size = type_size[type];
    for (npy_intp done = 0; done < count; done += BLOCK)
        if (!loops[loop_level].all[type == E_FLOAT64](a + done * size, b + (one ? 0 : done * size), one, within,
                                                      count - done < BLOCK ? count - done : BLOCK))
            return false;
    return true;
}

bool same_elements(Type type, const char *a, const char *b, bool equal_nan, npy_intp count) {
    npy_intp size = type_size[type];
    if (type < E_FLOAT32) return memcmp(a, b, (size_t)(count * size)) == 0;
    if (type >= E_COMPLEX64) {
        size /= 2;
        count *= 2;
    } /* the parts; NaN of complex numbers are not read */
    for (npy_intp done = 0; done < count; done += BLOCK)
        if (!loops[loop_level].same[size == 8](a + done * size, b + done * size, equal_nan,
                                               count - done < BLOCK ? count - done : BLOCK))
            return false;
    return true;
}

npy_intp count_nonzero(Type type, const char *from, npy_intp count) {
    static const int which[] = {[1] = 0, [2] = 1, [4] = 2, [8] = 3};
    int loop = type == E_FLOAT32 ? 4 : type == E_FLOAT64 ? 5 : which[type_size[type]];
    return loops[loop_level].nonzero[loop](from, count);
}
