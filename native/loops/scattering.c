/* Elements that indices choose are combined with values, one after the other: `x.at[indices].add(values)` and its kin.
 */
#include "loops.h"

#include <math.h>

enum { AHEAD = 16 }; /* how many elements ahead memory is fetched: what indices choose, no processor foresees */

#define ADD(a, b) ((a) + (b))
#define SUBTRACT(a, b) ((a) - (b))
#define MULTIPLY(a, b) ((a) * (b))
#define LATTER(a, b) ((void)(a), (b))
#define GREATER(a, b) ((a) > (b) ? (a) : (b))
#define LESSER(a, b) ((a) < (b) ? (a) : (b))
/* Of floats: of NaN and a number NaN, of two NaN the first; -0.0 is less than 0.0. Which of two numbers it is no
 * processor foresees, so it is found without a jump; the rest is rare. */
#define PICK(type, name, precedes, of_zeros) \
    static ALWAYS_INLINE type name##_##type(type a, type b) { \
        type found = a precedes b ? a : b; \
        if (!islessgreater(a, b)) found = a == 0 && b == 0 ? of_zeros : a != a ? a : b; \
        return found; \
    }
PICK(float, greater, >, a + b)
PICK(float, lesser, <, -(-a - b))
PICK(double, greater, >, a + b)
PICK(double, lesser, <, -(-a - b))

/* Combine rows of `length` elements with values, of which there are as many or (`step` 0) one for all. */
#define SCATTER(name, TYPE, type, computed, COMBINE) \
    static void name##_##TYPE(char *target, const int64_t *places, npy_intp count, npy_intp length, \
                              const char *values, npy_intp step) { \
        type *to = (type *)target; \
        const type *value = (const type *)values; \
        if (length == 1) { \
            for (npy_intp i = 0; i < count; i++) { \
                if (i + AHEAD < count) PREFETCH(target, places[i + AHEAD] * (npy_intp)sizeof(type)); \
                if (places[i] < 0) continue; \
                computed a = (computed)to[places[i]], b = (computed)value[step * i]; \
                to[places[i]] = (type)COMBINE(a, b); \
            } \
            return; \
        } \
        for (npy_intp i = 0; i < count; i++, value += step * length) { \
            if (places[i] < 0) continue; \
            type *row = to + places[i] * length; \
            for (npy_intp j = 0; j < length; j++) { \
                computed a = (computed)row[j], b = (computed)value[step * j]; \
                row[j] = (type)COMBINE(a, b); \
            } \
        } \
    }
/* Integers wrap: they are computed without a sign, in at least as many bits as `int` has. */
#define OF_INTEGER(TYPE, type, wrapping) \
    SCATTER(add, TYPE, type, wrapping, ADD) \
    SCATTER(subtract, TYPE, type, wrapping, SUBTRACT) \
    SCATTER(multiply, TYPE, type, wrapping, MULTIPLY) \
    SCATTER(maximum, TYPE, type, type, GREATER) \
    SCATTER(minimum, TYPE, type, type, LESSER) SCATTER(set, TYPE, type, type, LATTER)
NATIVE_INTEGERS(OF_INTEGER)
#define OF_FLOAT(TYPE, type) \
    SCATTER(add, TYPE, type, type, ADD) \
    SCATTER(subtract, TYPE, type, type, SUBTRACT) \
    SCATTER(multiply, TYPE, type, type, MULTIPLY) \
    SCATTER(maximum, TYPE, type, type, greater_##type) \
    SCATTER(minimum, TYPE, type, type, lesser_##type) SCATTER(set, TYPE, type, type, LATTER)
OF_FLOAT(FLOAT32, float)
OF_FLOAT(FLOAT64, double)

#define INTEGER_ROW(TYPE, type, wrapping) \
    [E_##TYPE] = {add_##TYPE, subtract_##TYPE, multiply_##TYPE, maximum_##TYPE, minimum_##TYPE, set_##TYPE},
static Scatter *const loops[E_COUNT][SCATTERS] = {NATIVE_INTEGERS(INTEGER_ROW) INTEGER_ROW(FLOAT32, , )
                                                      INTEGER_ROW(FLOAT64, , )[E_BOOL] = {[SCATTER_SET] = set_UINT8}};

Scatter *scatter_loop(int which, Type type) { return is_native(type) ? loops[type][which] : NULL; }

/* Negative indices count from the end; what is out of range becomes -1. */
#define INDICES(level, target) \
    target static void indices_in_range_##level(int64_t *indices, npy_intp count, int64_t bound) { \
        for (npy_intp i = 0; i < count; i++) { \
            int64_t index = indices[i] + (indices[i] < 0 ? bound : 0); \
            indices[i] = index < 0 || index >= bound ? -1 : index; \
        } \
    }
EVERY_LEVEL(INDICES)
typedef void Indices(int64_t *indices, npy_intp count, int64_t bound);
#define ROW(level, target) indices_in_range_##level,
static Indices *const in_range[] = {EVERY_LEVEL(ROW)};

void indices_in_range(int64_t *indices, npy_intp count, int64_t bound) { in_range[loop_level](indices, count, bound); }
