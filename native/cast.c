/* Conversions between elements of NumPy's own dtypes, and of Python's scalars to them.
 *
 * The table has the conversions that C defines and NumPy does with the same bits: whatever becomes an integer comes
 * from an integer or a truth value, whatever is complex stays complex. Floats become integers in loops/saturating.c,
 * narrow numbers are converted in steps (`find_conversion`), and the real part of complex numbers is NumPy's to take.
 */
#include "cast.h"

#include "loops/narrow.h"
#include "threads.h"

#include <math.h>

#define INTEGERS_AGAIN(X, ...) /* a macro does not expand within itself */ \
    X(INT8, int8_t, __VA_ARGS__) \
    X(INT16, int16_t, __VA_ARGS__) \
    X(INT32, int32_t, __VA_ARGS__) \
    X(INT64, int64_t, __VA_ARGS__) \
    X(UINT8, uint8_t, __VA_ARGS__) \
    X(UINT16, uint16_t, __VA_ARGS__) X(UINT32, uint32_t, __VA_ARGS__) X(UINT64, uint64_t, __VA_ARGS__)
#define FLOATS(X, ...) X(FLOAT32, float, __VA_ARGS__) X(FLOAT64, double, __VA_ARGS__)
#define FLOATS_AGAIN(X, ...) X(FLOAT32, float, __VA_ARGS__) X(FLOAT64, double, __VA_ARGS__)

/* -- elements to elements -- */

#define REAL(TO, to_type, FROM, from_type) \
    static void cast_##FROM##_##TO(const char *from, char *to, npy_intp count) { \
        const from_type *in = (const from_type *)from; \
        to_type *out = (to_type *)to; \
        for (npy_intp i = 0; i < count; i++) out[i] = (to_type)in[i]; \
    }
#define TO_COMPLEX(TO, part_type, FROM, from_type) \
    static void cast_##FROM##_##TO(const char *from, char *to, npy_intp count) { \
        const from_type *in = (const from_type *)from; \
        part_type *out = (part_type *)to; \
        for (npy_intp i = 0; i < count; i++) { \
            out[2 * i] = (part_type)in[i]; \
            out[2 * i + 1] = 0; \
        } \
    }
#define FROM_TRUTH(TO, to_type, ...) \
    static void cast_BOOL_##TO(const char *from, char *to, npy_intp count) { \
        const uint8_t *in = (const uint8_t *)from; \
        to_type *out = (to_type *)to; \
        for (npy_intp i = 0; i < count; i++) out[i] = (to_type)(in[i] != 0); \
    }
#define FROM_TRUTH_TO_COMPLEX(TO, part_type) \
    static void cast_BOOL_##TO(const char *from, char *to, npy_intp count) { \
        const uint8_t *in = (const uint8_t *)from; \
        part_type *out = (part_type *)to; \
        for (npy_intp i = 0; i < count; i++) { \
            out[2 * i] = (part_type)(in[i] != 0); \
            out[2 * i + 1] = 0; \
        } \
    }
#define FROM_INTEGER(FROM, from_type, ...) \
    INTEGERS_AGAIN(REAL, FROM, from_type) \
    FLOATS_AGAIN(REAL, FROM, from_type) \
    TO_COMPLEX(COMPLEX64, float, FROM, from_type) TO_COMPLEX(COMPLEX128, double, FROM, from_type)
#define FROM_FLOAT(FROM, from_type, ...) \
    FLOATS_AGAIN(REAL, FROM, from_type) \
    TO_COMPLEX(COMPLEX64, float, FROM, from_type) TO_COMPLEX(COMPLEX128, double, FROM, from_type)

NATIVE_INTEGERS(FROM_INTEGER)
NATIVE_INTEGERS(FROM_TRUTH)
FLOATS(FROM_TRUTH, )
FROM_TRUTH_TO_COMPLEX(COMPLEX64, float)
FROM_TRUTH_TO_COMPLEX(COMPLEX128, double)
FLOATS(FROM_FLOAT, )

static void cast_COMPLEX64_COMPLEX128(const char *from, char *to, npy_intp count) {
    cast_FLOAT32_FLOAT64(from, to, 2 * count);
}
static void cast_COMPLEX128_COMPLEX64(const char *from, char *to, npy_intp count) {
    cast_FLOAT64_FLOAT32(from, to, 2 * count);
}

#define ENTRY(TO, to_type, FROM) [E_##TO] = cast_##FROM##_##TO,
#define COMPLEX_ENTRIES(FROM) [E_COMPLEX64] = cast_##FROM##_COMPLEX64, [E_COMPLEX128] = cast_##FROM##_COMPLEX128
#define INTEGER_ROW(FROM, from_type, ...) \
    [E_##FROM] = {INTEGERS_AGAIN(ENTRY, FROM) FLOATS_AGAIN(ENTRY, FROM) COMPLEX_ENTRIES(FROM)},
#define FLOAT_ROW(FROM, from_type, ...) [E_##FROM] = {FLOATS_AGAIN(ENTRY, FROM) COMPLEX_ENTRIES(FROM)},

static Cast *const casts[E_COUNT][E_COUNT] = {
    INTEGER_ROW(BOOL, uint8_t, ) NATIVE_INTEGERS(INTEGER_ROW)
        FLOATS(FLOAT_ROW, )[E_COMPLEX64] = {[E_COMPLEX128] = cast_COMPLEX64_COMPLEX128},
    [E_COMPLEX128] = {[E_COMPLEX64] = cast_COMPLEX128_COMPLEX64},
};

Cast *cast_between(Type from, Type to) { return !is_native(from) || !is_native(to) ? NULL : casts[from][to]; }

/* -- which elements are not zero -- */

#define TRUTH(FROM, from_type, ...) \
    static void truth_##FROM(const char *from, char *to, npy_intp count) { \
        const from_type *in = (const from_type *)from; \
        for (npy_intp i = 0; i < count; i++) to[i] = in[i] != 0; \
    }
#define TRUTH_OF_COMPLEX(FROM, part_type) \
    static void truth_##FROM(const char *from, char *to, npy_intp count) { \
        const part_type *in = (const part_type *)from; \
        for (npy_intp i = 0; i < count; i++) to[i] = in[2 * i] != 0 || in[2 * i + 1] != 0; \
    }
NATIVE_INTEGERS(TRUTH)
FLOATS(TRUTH, )
TRUTH(BOOL, uint8_t, )
TRUTH_OF_COMPLEX(COMPLEX64, float)
TRUTH_OF_COMPLEX(COMPLEX128, double)

#define TRUTH_ENTRY(FROM, from_type, ...) [E_##FROM] = truth_##FROM,
static Cast *const truths[E_COUNT] = {
    NATIVE_INTEGERS(TRUTH_ENTRY) FLOATS(TRUTH_ENTRY, )[E_BOOL] = truth_BOOL,
    [E_COMPLEX64] = truth_COMPLEX64,
    [E_COMPLEX128] = truth_COMPLEX128,
};

Cast *truth_of(Type from) { return !is_native(from) ? NULL : truths[from]; }

/* -- narrow elements -- */

static npy_intp size_of(Type type) { return is_native(type) ? type_size[type] : size_of_narrow(type); }

/* Find the step from a type that is not narrow. */
static Cast *step_from_native(Type from, Type to) {
    if (to == E_BOOL) return truth_of(from);
    if (is_native(to)) {
        Cast *cast = cast_between(from, to);
        return cast != NULL ? cast : saturating_cast(from, to);
    }
    return from == (is_narrow_integer(to) ? E_INT8 : E_FLOAT32) ? narrowing_of(to) : NULL;
}

bool find_conversion(Type from, Type to, Conversion *found) {
    if (from == to || from == E_FOREIGN || to == E_FOREIGN) return false;
    if (is_narrow_integer(to) && (from == E_FLOAT32 || from == E_FLOAT64))
        return false; /* they saturate at limits that int8 does not have */
    *found = (Conversion){.from_size = size_of(from), .to_size = size_of(to)};
    Type middle = is_narrow_integer(is_native(from) ? to : from) ? E_INT8 : E_FLOAT32; /* that it goes through */
    if (is_native(from)) {
        found->first = step_from_native(from, to);
        if (found->first != NULL || is_native(to)) return found->first != NULL;
        found->first = odd_rounding_of(from);
        if (found->first == NULL || is_narrow_integer(to)) found->first = cast_between(from, middle);
    } else {
        found->first = widening_of(from);
        if (to == middle) return true;
    }
    found->middle_size = type_size[middle];
    found->second = step_from_native(middle, to);
    return found->first != NULL && found->second != NULL;
}

void convert_elements(const Conversion *how, const char *from, char *to, npy_intp count) {
    enum { SOME = 512 };
    _Alignas(16) char scratch[SOME * sizeof(float)];
    if (how->second == NULL) {
        how->first(from, to, count);
        return;
    }
    for (npy_intp now; count > 0; count -= now, from += now * how->from_size, to += now * how->to_size) {
        now = count < SOME ? count : SOME;
        how->first(from, scratch, now);
        how->second(scratch, to, now);
    }
}

typedef struct {
    const Conversion *how;
    const char *from;
    char *to;
} Converting;

static void convert_part(void *context, int Py_UNUSED(thread), npy_intp first, npy_intp last) {
    const Converting *all = context;
    convert_elements(all->how, all->from + first * all->how->from_size, all->to + first * all->how->to_size,
                     last - first);
}

void share_conversion(const Conversion *how, const char *from, char *to, npy_intp count) {
    share_work(convert_part, &(Converting){how, from, to}, count, 1);
}
