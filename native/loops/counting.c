/* Counts of elements by value and in bins, and sums of weights. Sums are in the order of the elements. */
#include "loops.h"

enum { BLOCK = 1024 }; /* elements whose bins are found at once */

/* -- by value -- */

/* Have a table hold at least `needed` counts; false without memory. */
static bool grow(Counts *counts, uint64_t needed) {
    enum { FIRST = 1024, DOUBLED = 1 << 24 }; /* small tables grow ahead of need */
    if (needed <= (uint64_t)counts->capacity) return true;
    if (needed > (uint64_t)TOO_LARGE) return false;
    npy_intp capacity = needed < DOUBLED ? 2 * (npy_intp)needed : (npy_intp)needed;
    if (capacity < FIRST) capacity = FIRST;
    uint32_t *found = PyMem_RawRealloc(counts->counts, (size_t)size_product(capacity, sizeof(uint32_t)));
    if (found == NULL) return false;
    counts->counts = found;
    memset(found + counts->capacity, 0, (size_t)(capacity - counts->capacity) * sizeof(uint32_t));
    counts->capacity = capacity;
    return true;
}

/* Negative numbers count as 0, and those from `length` on do not, unless that is negative. Each number is read once,
 * for another thread may write to them. */
#define COUNT(type) \
    static bool count_##type(Counts *counts, const void *from, npy_intp count, npy_intp length) { \
        const volatile type *x = from; \
        if (length > 0 && !grow(counts, (uint64_t)length)) return false; \
        uint32_t *to = counts->counts; \
        uint64_t capacity = (uint64_t)(length >= 0 ? length : counts->capacity); \
        for (npy_intp i = 0; i < count; i++) { \
            const type element = x[i]; \
            const uint64_t value = (uint64_t)(element > 0 ? element : 0); \
            if (value >= capacity) { \
                if (length >= 0) continue; \
                if (!grow(counts, value + 1)) return false; \
                to = counts->counts; \
                capacity = (uint64_t)counts->capacity; \
            } \
            to[value]++; \
        } \
        return true; \
    }
#define SUM(type, weight_type) \
    static void sum_##weight_type##_##type(const void *from, const void *weights, npy_intp count, double *to, \
                                           npy_intp length) { \
        const volatile type *x = from; \
        const weight_type *weight = weights; \
        for (npy_intp i = 0; i < count; i++) { \
            const type element = x[i]; \
            const uint64_t value = (uint64_t)(element > 0 ? element : 0); \
            if (value < (uint64_t)length) to[value] += (double)weight[i]; \
        } \
    }
#define LOOPS(type) COUNT(type) SUM(type, float) SUM(type, double)
LOOPS(int8_t)
LOOPS(int16_t)
LOOPS(int32_t)
LOOPS(int64_t)
LOOPS(uint8_t)
LOOPS(uint16_t)
LOOPS(uint32_t)

#define BY_TYPE(loop) \
    {[E_BOOL] = loop##uint8_t,    [E_INT8] = loop##int8_t,     [E_INT16] = loop##int16_t, \
     [E_INT32] = loop##int32_t,   [E_INT64] = loop##int64_t,   [E_UINT8] = loop##uint8_t, \
     [E_UINT16] = loop##uint16_t, [E_UINT32] = loop##uint32_t, [E_UINT64] = loop##int64_t} \
    /* beyond the range of int64 they count as negative, which is how NumPy converts them */

bool count_values(Type type, Counts *counts, const void *from, npy_intp count, npy_intp length) {
    static bool (*const loops[])(Counts *, const void *, npy_intp, npy_intp) = BY_TYPE(count_);
    return loops[type](counts, from, count, length);
}

void sum_weights(Type type, const void *from, bool doubles, const void *weights, npy_intp count, double *to,
                 npy_intp length) {
    static void (*const loops[][E_UINT64 + 1])(const void *, const void *, npy_intp, double *,
                                               npy_intp) = {BY_TYPE(sum_float_), BY_TYPE(sum_double_)};
    loops[doubles][type](from, weights, count, to, length);
}

/* -- in bins -- */

/* Find the bins of a block: 0 to bins - 1, or -1 outside. Bins of one width are guessed, and the guess is corrected by
 * the edges themselves; others are looked for by halves. The last bin has its upper edge too. */
#define BINS(type) \
    bool ascending_##type(const type *edges, npy_intp bins) { \
        bool found = edges[0] - edges[0] == 0 && edges[bins] - edges[bins] == 0; \
        for (npy_intp i = 0; i < bins; i++) found = found && edges[i] <= edges[i + 1]; \
        return found; \
    } \
    static ALWAYS_INLINE void guess_##type(const type *x, npy_intp count, const type *edges, npy_intp bins, \
                                           int32_t *to) { \
        double low = edges[0], scale = (double)bins / ((double)edges[bins] - low), last = (double)(bins - 1); \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) { \
            double guess = ((double)x[i] - low) * scale; \
            guess = guess > 0 ? guess : 0; \
            to[i] = (int32_t)(guess < last ? guess : last); \
        } \
    } \
    static ALWAYS_INLINE npy_intp corrected_##type(type x, npy_intp guess, const type *edges, npy_intp bins) { \
        if (!(x >= edges[0] && x <= edges[bins])) return -1; \
        while (guess > 0 && x < edges[guess]) \
            guess--; /* another thread may write to the edges, so the ends are looked at too */ \
        while (guess + 1 < bins && x >= edges[guess + 1]) guess++; \
        return guess; \
    } \
    static ALWAYS_INLINE npy_intp searched_##type(type x, const type *edges, npy_intp bins) { \
        const type *base = edges; \
        if (!(x >= edges[0] && x <= edges[bins])) return -1; \
        for (npy_intp length = bins, half; length > 1; length -= half) { \
            half = length / 2; \
            base = base[half] <= x ? base + half : base; \
        } \
        return base - edges; \
    } \
    static void find_##type(const type *x, npy_intp count, const Bins *bins, int32_t *to) { \
        const type *edges = bins->edges; \
        if (bins->uniform) \
            for (npy_intp i = 0; i < count; i++) to[i] = (int32_t)corrected_##type(x[i], to[i], edges, bins->count); \
        else \
            for (npy_intp i = 0; i < count; i++) to[i] = (int32_t)searched_##type(x[i], edges, bins->count); \
    }
BINS(float)
BINS(double)
#define GUESSES_OF(level, target, type) \
    target static void guesses_##type##_##level(const void *x, npy_intp count, const void *edges, npy_intp bins, \
                                                int32_t *to) { \
        guess_##type(x, count, edges, bins, to); \
    }
#define GUESSES(level, target) GUESSES_OF(level, target, float) GUESSES_OF(level, target, double)
EVERY_LEVEL(GUESSES)
typedef void Guesses(const void *x, npy_intp count, const void *edges, npy_intp bins, int32_t *to);
#define ROW(level, target) {guesses_float_##level, guesses_double_##level},
static Guesses *const guesses[][2] = {EVERY_LEVEL(ROW)};

bool edges_ascend(Type type, const void *edges, npy_intp bins) {
    return bins > 0 && bins < INT32_MAX &&
           (type == E_FLOAT32 ? ascending_float(edges, bins) : ascending_double(edges, bins));
}

void find_bins(Type type, const char *x, npy_intp count, const Bins *bins, int64_t *to) {
    int32_t found[BLOCK];
    npy_intp size = type_size[type];
    for (npy_intp now; count > 0; count -= now, x += now * size, to += now) {
        now = count < BLOCK ? count : BLOCK;
        if (bins->uniform) guesses[loop_level][type == E_FLOAT64](x, now, bins->edges, bins->count, found);
        if (type == E_FLOAT32) find_float((const void *)x, now, bins, found);
        else find_double((const void *)x, now, bins, found);
        for (npy_intp i = 0; i < now; i++) to[i] = found[i];
    }
}
