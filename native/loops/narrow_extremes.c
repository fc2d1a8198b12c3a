/* The extreme of contiguous narrow floats, and its place, by their codes: as signed integers that have the order of the
 * values. */
#include "narrow.h"

enum { SOME = 4096, FEW = 64 }; /* elements between two looks for NaN; among which a place is looked for one by one */

/* How codes are ordered. */
typedef struct {
    uint16_t flip, magnitude; /* the bits to flip of every code, and of those with the sign bit */
    uint16_t first_nan, nans,
        around;       /* codes are NaN if they lie so many or fewer beyond the first one, modulo `around` + 1 */
    uint16_t inverse; /* all bits, where the least is wanted */
    uint16_t zeros;   /* 1, where -0.0 counts as 0.0 */
} Ranking;

/* Find the greatest rank of at least one element, and whether any is NaN. */
#define DEFINE_ALL(BITS) \
    static ALWAYS_INLINE int##BITS##_t rank##BITS(uint##BITS##_t code, const Ranking *by) { \
        int##BITS##_t sign = (int##BITS##_t)code < 0 ? (int##BITS##_t)by->magnitude : 0, \
                      rank = (int##BITS##_t)(code ^ (uint##BITS##_t)by->flip ^ sign); \
        rank = (int##BITS##_t)(rank == -1 ? rank + by->zeros : rank); \
        return (int##BITS##_t)(rank ^ (int##BITS##_t)by->inverse); \
    } \
    static ALWAYS_INLINE bool is_nan##BITS(uint##BITS##_t code, const Ranking *by) { \
        return (uint##BITS##_t)((uint##BITS##_t)(code - by->first_nan) & (uint##BITS##_t)by->around) < \
               (uint##BITS##_t)by->nans; \
    } \
    static ALWAYS_INLINE int greatest##BITS(const void *codes, npy_intp count, const Ranking *given, bool *nan) { \
        const uint##BITS##_t *x = codes; \
        const Ranking own = *given, *by = &own; /* which no element can be part of */ \
        int##BITS##_t best = rank##BITS(x[0], by); \
        uint##BITS##_t bad = 0; \
        for (npy_intp i = 0; i < count; i++) { \
            int##BITS##_t rank = rank##BITS(x[i], by); \
            best = rank > best ? rank : best; \
            bad |= (uint##BITS##_t)(is_nan##BITS(x[i], by) ? 1 : 0); \
        } \
        *nan = bad != 0; \
        return best; \
    } \
    static npy_intp place##BITS(const void *codes, npy_intp count, const Ranking *by, int best, bool nan) { \
        const uint##BITS##_t *x = codes; \
        npy_intp i = 0; \
        while (i < count - 1 && (nan ? !is_nan##BITS(x[i], by) : rank##BITS(x[i], by) != best)) i++; \
        return i; \
    }
DEFINE_ALL(8)
DEFINE_ALL(16)

/* Fold rows of codes into the greatest ranks of columns, where NaN is the greatest of all. */
#define DEFINE_FOLDS(BITS) \
    static ALWAYS_INLINE int##BITS##_t rank_or_nan##BITS(uint##BITS##_t code, const Ranking *by) { \
        return is_nan##BITS(code, by) ? INT##BITS##_MAX : rank##BITS(code, by); \
    } \
    static ALWAYS_INLINE void fold_rows##BITS(const void *codes, npy_intp rows, npy_intp step, npy_intp count, \
                                              const Ranking *given, void *ranks) { \
        const uint##BITS##_t *x = codes; \
        int##BITS##_t *best = ranks; \
        const Ranking own = *given, *by = &own; \
        for (npy_intp row = 0; row < rows; row++, x += step) \
            for (npy_intp i = 0; i < count; i++) { \
                int##BITS##_t rank = rank_or_nan##BITS(x[i], by); \
                best[i] = rank > best[i] ? rank : best[i]; \
            } \
    }
DEFINE_FOLDS(8)
DEFINE_FOLDS(16)

typedef void FoldRows(const void *codes, npy_intp rows, npy_intp step, npy_intp count, const Ranking *by, void *ranks);
typedef int Greatest(const void *codes, npy_intp count, const Ranking *by, bool *nan);
#define DEFINE(level, target) \
    target static int greatest8_##level(const void *codes, npy_intp count, const Ranking *by, bool *nan) { \
        return greatest8(codes, count, by, nan); \
    } \
    target static int greatest16_##level(const void *codes, npy_intp count, const Ranking *by, bool *nan) { \
        return greatest16(codes, count, by, nan); \
    }
#define DEFINE_FOLD(level, target) \
    target static void fold_rows8_##level(const void *codes, npy_intp rows, npy_intp step, npy_intp count, \
                                          const Ranking *by, void *ranks) { \
        fold_rows8(codes, rows, step, count, by, ranks); \
    } \
    target static void fold_rows16_##level(const void *codes, npy_intp rows, npy_intp step, npy_intp count, \
                                           const Ranking *by, void *ranks) { \
        fold_rows16(codes, rows, step, count, by, ranks); \
    }
#define ENTRY(level, target) [level] = {greatest8_##level, greatest16_##level},
#define ENTRY_OF_FOLD(level, target) [level] = {fold_rows8_##level, fold_rows16_##level},
EVERY_LEVEL(DEFINE)
EVERY_LEVEL(DEFINE_FOLD)
static FoldRows *const fold_rows[LEVELS][2] = {EVERY_LEVEL(ENTRY_OF_FOLD)};
static Greatest *const greatest[LEVELS][2] = {EVERY_LEVEL(ENTRY)};

/* Find the extremes of columns, of which there are some before. */
#define DEFINE_COLUMNS(BITS) \
    static void extremes_of_columns##BITS(const void *codes, npy_intp rows, npy_intp columns, const Ranking *by, \
                                          void *found) { \
        _Alignas(64) int##BITS##_t ranks[SOME]; \
        const uint##BITS##_t *x = codes; \
        uint##BITS##_t *out = found; \
        for (npy_intp first = 0; first < columns; first += SOME) { \
            npy_intp count = columns - first < SOME ? columns - first : SOME; \
            for (npy_intp i = 0; i < count; i++) ranks[i] = rank_or_nan##BITS(out[first + i], by); \
            fold_rows[loop_level][BITS == 16](x + first, rows, columns, count, by, ranks); \
            for (npy_intp i = 0; i < count; i++) { \
                uint##BITS##_t *code = &out[first + i]; \
                if (ranks[i] == INT##BITS##_MAX) /* another thread may have overwritten the NaN meanwhile */ \
                    for (npy_intp row = 0; row < rows && !is_nan##BITS(*code, by); row++) \
                        *code = x[row * columns + first + i]; \
                else { \
                    int##BITS##_t rank = (int##BITS##_t)(ranks[i] ^ (int##BITS##_t)by->inverse); \
                    *code = (uint##BITS##_t)(rank ^ (rank < 0 ? (int##BITS##_t)by->magnitude : 0)); \
                } \
            } \
        } \
    }
DEFINE_COLUMNS(8)
DEFINE_COLUMNS(16)

/* Fill in how a format is ordered; false where its sign is not the highest bit of an element. */
static bool ranking_of(Type type, Ranking *by) {
    switch (type) {
#define CASE(name, NAME, storage, width, fraction, bias, has, how) \
    case E_##NAME: { \
        enum { \
            LARGEST = (1 << (width - 1)) - 1, \
            INFINITE = has == WITH_INFINITY ? LARGEST & ~((1 << fraction) - 1) : LARGEST - 1 \
        }; \
        *by = \
            has == POWERS ? (Ranking){.flip = 0x80, .first_nan = 0xFF, .nans = 1, .around = 0xFF} \
            : has == ONE_NAN \
                ? (Ranking){.magnitude = 0x7F, .first_nan = 0x80, .nans = 1, .around = 0xFF} \
                : (Ranking){ \
                      .magnitude = LARGEST, .first_nan = INFINITE + 1, .nans = LARGEST - INFINITE, .around = LARGEST}; \
        by->zeros = has != POWERS && has != ONE_NAN; \
        return has != NUMBERS; \
    }
        NARROW_FLOATS(CASE)
    default: return false;
    }
}

/* Look at a block after the other for the greatest rank or for NaN, until there is one; return the first block that has
 * it. */
static npy_intp search(const char *codes, npy_intp count, npy_intp block, npy_intp size, const Ranking *by, int *best,
                       bool *nan) {
    Greatest *find = greatest[loop_level][size == 2];
    npy_intp first = 0;
    *best = INT32_MIN;
    *nan = false;
    for (npy_intp done = 0; done < count && !*nan; done += block) {
        int found = find(codes + done * size, count - done < block ? count - done : block, by, nan);
        if (!*nan && found <= *best) continue;
        *best = found;
        first = done;
    }
    return first;
}

/* Return the place of the first extreme or NaN. */
static npy_intp place_of(const char *codes, npy_intp count, npy_intp size, const Ranking *by) {
    int best;
    bool nan;
    npy_intp first = search(codes, count, SOME, size, by, &best, &nan);
    codes += first * size;
    count -= first;
    npy_intp near = search(codes, count < SOME ? count : SOME, FEW, size, by, &best, &nan);
    return first + near + (size == 2 ? place16 : place8)(codes + near * size, count - near, by, best, nan);
}

bool find_extreme(Type type, const char *codes, npy_intp count, bool greatest_one, char *code) {
    Ranking by;
    if (!ranking_of(type, &by)) return false;
    npy_intp size = size_of_narrow(type);
    int best;
    bool nan;
    by.inverse = greatest_one ? 0 : 0xFFFF;
    by.zeros = 0; /* -0.0 is less than 0.0 */
    search(codes, count, SOME, size, &by, &best, &nan);
    if (nan) memcpy(code, codes + place_of(codes, count, size, &by) * size, (size_t)size);
    else {
        best ^= (int16_t)by.inverse;
        uint16_t found = (uint16_t)(best ^ by.flip ^ (best < 0 ? by.magnitude : 0));
        if (size == 2) memcpy(code, &found, sizeof found);
        else *(uint8_t *)code = (uint8_t)found;
    }
    return true;
}

npy_intp place_of_extreme(Type type, const char *codes, npy_intp count, bool greatest_one) {
    Ranking by;
    if (!ranking_of(type, &by)) return -1;
    by.inverse = greatest_one ? 0 : 0xFFFF;
    return place_of(codes, count, size_of_narrow(type), &by);
}

bool extremes_of_columns(Type type, const char *codes, npy_intp rows, npy_intp columns, bool greatest_one,
                         char *found) {
    Ranking by;
    if (!ranking_of(type, &by) || by.flip != 0 || by.first_nan + by.nans - 1 != by.around)
        return false; /* NaN is not beyond all numbers */
    by.inverse = greatest_one ? 0 : 0xFFFF;
    by.zeros = 0;
    (size_of_narrow(type) == 2 ? extremes_of_columns16 : extremes_of_columns8)(codes, rows, columns, &by, found);
    return true;
}

bool narrow_keys(Type type, const char *codes, npy_intp count, int64_t *keys) {
    Ranking by;
    if (!ranking_of(type, &by)) return false;
    by.inverse = 0;
    const uint8_t *bytes = (const uint8_t *)codes;
    const uint16_t *words = (const uint16_t *)codes;
    if (size_of_narrow(type) == 1)
        for (npy_intp i = 0; i < count; i++) keys[i] = is_nan8(bytes[i], &by) ? INT64_MAX : rank8(bytes[i], &by);
    else
        for (npy_intp i = 0; i < count; i++) keys[i] = is_nan16(words[i], &by) ? INT64_MAX : rank16(words[i], &by);
    return true;
}

/* Write the places of the extremes of rows: a function of the module. */
static PyObject *argextreme_narrow(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t count) {
    PyArrayObject *data = count == 2 && PyArray_Check(arguments[0]) ? (PyArrayObject *)arguments[0] : NULL;
    int wanted = data == NULL ? 0 : PyObject_IsTrue(arguments[1]); /* may run Python */
    if (wanted < 0) return NULL;
    int ndim = data == NULL ? 0 : PyArray_NDIM(data);
    Ranking by;
    if (ndim == 0 || !PyArray_ISCARRAY_RO(data) || PyArray_SIZE(data) == 0 ||
        !ranking_of(type_of_dtype(PyArray_DESCR(data)), &by)) {
        PyErr_SetString(
            PyExc_TypeError,
            "argextreme_narrow: expected a C-contiguous ndarray of elements of a narrow float dtype of 8 or 16 bits");
        return NULL;
    }
    by.inverse = wanted ? 0 : 0xFFFF;
    PyObject *out = PyArray_SimpleNew(ndim - 1, PyArray_DIMS(data), NPY_INTP);
    if (out == NULL) return NULL;
    npy_intp length = PyArray_DIM(data, ndim - 1), rows = PyArray_SIZE(data) / length, size = PyArray_ITEMSIZE(data);
    npy_intp *to = (npy_intp *)PyArray_DATA((PyArrayObject *)out);
    const char *from = PyArray_BYTES(data);
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(rows * length);
    for (npy_intp row = 0; row < rows; row++) to[row] = place_of(from + row * length * size, length, size, &by);
    NPY_END_THREADS;
    return out;
}

static PyMethodDef functions[] = {
    {"argextreme_narrow", FASTCALL(argextreme_narrow),
     PyDoc_STR("argextreme_narrow(data, greatest)\n--\n\nReturn the places of the greatest or least elements along the "
               "last axis, or of the first NaN.")},
    {NULL, NULL, 0, NULL},
};

int add_narrow_extremes(PyObject *module) { return PyModule_AddFunctions(module, functions); }
