/* Sums of float32 in the order of NumPy's, bit for bit, with vector instructions.
 *
 * NumPy halves a sum until 128 elements or fewer are left, which it adds in eight lanes, and adds the lanes in pairs.
 * Here eight of these leaves are added at once, so that no addition waits for the one before it.
 */
#include "../cast.h"
#include "../threads.h"
#include "loops.h"

enum { AHEAD = 2048 }; /* how many elements ahead memory is fetched */
enum { LANES = 8, LEAF = 128, LEAVES = 8, PART = LEAVES * LEAF, PARTS = SUMMED / PART };

static ALWAYS_INLINE float sum_lanes(const float *lanes) {
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

/* Eight lanes; compilers keep them in a register if they know them as a vector. */
#if defined(__GNUC__)
typedef float Lanes __attribute__((vector_size(LANES * sizeof(float))));
#define ADD(to, x) \
    do { \
        Lanes added; \
        memcpy(&added, x, sizeof added); \
        to += added; \
    } while (0)
#else
typedef struct {
    float lane[LANES];
} Lanes;
#define ADD(to, x) \
    do { \
        for (int i_ = 0; i_ < LANES; i_++) to.lane[i_] += (x)[i_]; \
    } while (0)
#endif

/* Add the lanes of eight leaves: pairs of lanes, pairs of these, and so on. */
static ALWAYS_INLINE float sum_leaves(const Lanes *leaves) {
#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 12)
#define PAIRS(a, b) \
    __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14) + __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15)
    Lanes a = PAIRS(leaves[0], leaves[1]), b = PAIRS(leaves[2], leaves[3]);
    Lanes c = PAIRS(leaves[4], leaves[5]), d = PAIRS(leaves[6], leaves[7]);
    Lanes low = PAIRS(a, b), high = PAIRS(c, d); /* the first four lanes of four leaves each, and the last four */
    Lanes sums = __builtin_shufflevector(low, high, 0, 1, 2, 3, 8, 9, 10, 11) +
                 __builtin_shufflevector(low, high, 4, 5, 6, 7, 12, 13, 14, 15);
    float lanes[LANES];
    memcpy(lanes, &sums, sizeof lanes);
    return sum_lanes(lanes);
#else
    float lanes[LANES], sums[LEAVES];
    for (int i = 0; i < LEAVES; i++) {
        memcpy(lanes, &leaves[i], sizeof lanes);
        sums[i] = sum_lanes(lanes);
    }
    return sum_lanes(sums);
#endif
}

/* Whether halving makes eight leaves of elements, all of whole vectors. */
static ALWAYS_INLINE bool are_eight_leaves(npy_intp count) {
    npy_intp vectors = count / LANES;
    return count % LANES == 0 && vectors / 4 > LEAF / LANES && (vectors + 7) / 8 <= LEAF / LANES;
}

static ALWAYS_INLINE float sum_eight_leaves(const float *x, npy_intp count) {
    Lanes leaves[LEAVES];
    npy_intp at[LEAVES + 1] = {[LEAVES] = count / LANES}; /* vectors */
    for (int step = LEAVES; step > 1; step /= 2)
        for (int i = 0; i < LEAVES; i += step) at[i + step / 2] = at[i] + (at[i + step] - at[i]) / 2;
    npy_intp vectors = at[1]; /* of each leaf; some have one more */
#define EACH_LEAF(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define BEGIN(n) \
    const float *x##n = x + at[n] * LANES; \
    Lanes leaf##n; \
    memcpy(&leaf##n, x##n, sizeof leaf##n);
#define NEXT(n) ADD(leaf##n, x##n + i * LANES);
#define END(n) \
    if (at[n + 1] - at[n] > vectors) ADD(leaf##n, x##n + vectors * LANES); \
    leaves[n] = leaf##n;
    EACH_LEAF(BEGIN)
    for (npy_intp i = 1; i < vectors; i++) {
        EACH_LEAF(NEXT)
    }
    EACH_LEAF(END)
    return sum_leaves(leaves);
}

/* Up to a leaf of any length. */
static ALWAYS_INLINE float sum_leaf(const float *x, npy_intp count) {
    float lanes[LANES], sum = -0.0f;
    npy_intp i = 0;
    if (count >= LANES) {
        Lanes all;
        memcpy(&all, x, sizeof all);
        for (i = LANES; i + LANES <= count; i += LANES) ADD(all, x + i);
        memcpy(lanes, &all, sizeof lanes);
        sum = sum_lanes(lanes);
    }
    for (; i < count; i++) sum += x[i];
    return sum;
}

/* Add the columns of some rows to sums, row by row. */
static ALWAYS_INLINE void add_rows(const float *x, npy_intp rows, npy_intp columns, float *sums) {
    npy_intp j = 0;
    for (; j + LEAVES * LANES <= columns; j += LEAVES * LANES) {
#define TAKE_SUMS(n) \
    Lanes lanes##n; \
    memcpy(&lanes##n, sums + j + n * LANES, sizeof lanes##n);
#define ADD_ROW(n) ADD(lanes##n, x + row * columns + j + n * LANES);
#define KEEP_SUMS(n) memcpy(sums + j + n * LANES, &lanes##n, sizeof lanes##n);
        EACH_LEAF(TAKE_SUMS)
        for (npy_intp row = 0; row < rows; row++) {
            EACH_LEAF(ADD_ROW)
        }
        EACH_LEAF(KEEP_SUMS)
    }
    for (; j + LANES <= columns; j += LANES) {
        Lanes all;
        memcpy(&all, sums + j, sizeof all);
        for (npy_intp row = 0; row < rows; row++) ADD(all, x + row * columns + j);
        memcpy(sums + j, &all, sizeof all);
    }
    for (; j < columns; j++)
        for (npy_intp row = 0; row < rows; row++) sums[j] += x[row * columns + j];
}

static ALWAYS_INLINE void square_deviations(float *x, npy_intp count, float center) {
    for (npy_intp i = 0; i < count; i++) {
        float deviation = x[i] - center;
        x[i] = deviation * deviation;
    }
}

typedef struct {
    float (*pairs)(const float *x, npy_intp count, bool far);
    void (*rows)(const float *x, npy_intp rows, npy_intp columns, float *sums);
    void (*square)(float *x, npy_intp count, float center);
} Sums;
#define DEFINE(level, target) \
    target static float sum_pairs_##level(const float *x, npy_intp count, bool far) { \
        if (count <= LEAF) return sum_leaf(x, count); \
        if (are_eight_leaves(count)) { \
            if (far) fetch((const char *)(x + AHEAD), count *(npy_intp)sizeof(float)); \
            return sum_eight_leaves(x, count); \
        } \
        npy_intp half = count / 2 - count / 2 % LANES; \
        return sum_pairs_##level(x, half, far) + sum_pairs_##level(x + half, count - half, far); \
    } \
    target static void add_rows_##level(const float *x, npy_intp rows, npy_intp columns, float *sums) { \
        add_rows(x, rows, columns, sums); \
    } \
    target static void square_##level(float *x, npy_intp count, float center) { square_deviations(x, count, center); }
EVERY_LEVEL(DEFINE)
#define ENTRY(level, target) [level] = {sum_pairs_##level, add_rows_##level, square_##level},
static const Sums sums_at[LEVELS] = {EVERY_LEVEL(ENTRY)};

float sum_converted(const Conversion *how, const char *from) {
    float scratch[PART], sums[PARTS];
    for (int part = 0; part < PARTS; part++, from += PART * how->from_size) {
        convert_elements(how, from, (char *)scratch, PART);
        sums[part] = sums_at[loop_level].pairs(scratch, PART, false);
    }
    return sum_lanes(sums);
}

float sum_floats(const float *x, npy_intp count, bool far) { return sums_at[loop_level].pairs(x, count, far); }

int depth_of_pieces(npy_intp count) {
    int depth = 0;
    while (count >> depth > PIECE) depth++;
    return depth;
}

void find_piece(npy_intp count, int depth, npy_intp piece, npy_intp *first, npy_intp *length) {
    *first = 0;
    *length = count;
    for (int level = depth - 1; level >= 0; level--) {
        npy_intp half = *length / 2 - *length / 2 % LANES;
        *first += piece >> level & 1 ? half : 0;
        *length = piece >> level & 1 ? *length - half : half;
    }
}

/* A sum that threads share. */
typedef struct {
    const float *x;
    npy_intp count;
    int depth;
    float *sums;
} Summing;

static void sum_pieces(void *context, int Py_UNUSED(thread), npy_intp begin, npy_intp end) {
    const Summing *all = context;
    npy_intp first, length;
    for (npy_intp i = begin; i < end; i++) {
        find_piece(all->count, all->depth, i, &first, &length);
        all->sums[i] = sum_floats(all->x + first, length, all->count >= MANY);
    }
}

float share_sum(const float *x, npy_intp count) {
    Summing all = {x, count, depth_of_pieces(count), NULL};
    npy_intp pieces = (npy_intp)1 << all.depth;
    if (threads_for(count, 1) == 1 || (all.sums = PyMem_RawMalloc((size_t)pieces * sizeof(float))) == NULL)
        return sum_floats(x, count, count >= MANY);
    share_work(sum_pieces, &all, pieces, PIECE);
    for (npy_intp step = 1; step < pieces; step *= 2)
        for (npy_intp i = 0; i < pieces; i += 2 * step) all.sums[i] += all.sums[i + step];
    float sum = all.sums[0];
    PyMem_RawFree(all.sums);
    return sum;
}

void sum_squares(const Conversion *how, const char *from, npy_intp count, float center, float *sums) {
    float scratch[SUMMED];
    for (npy_intp now; count > 0; count -= now, sums++) {
        now = count < SUMMED ? count : SUMMED;
        if (how != NULL) convert_elements(how, from, (char *)scratch, now);
        else memcpy(scratch, from, (size_t)now * sizeof(float));
        from += now * (how != NULL ? how->from_size : (npy_intp)sizeof(float));
        sums_at[loop_level].square(scratch, now, center);
        *sums = sums_at[loop_level].pairs(scratch, now, false);
    }
}

void sum_columns(const Conversion *how, const char *from, npy_intp rows, npy_intp columns, npy_intp stride,
                 float *scratch, float *sums) {
    enum { STRIP = 512 }; /* columns at once, of so many rows that the cache holds them */
    for (npy_intp first = 0; first < columns; first += STRIP) {
        npy_intp width = columns - first < STRIP ? columns - first : STRIP, some = SUMMED / 2 / width;
        for (npy_intp done = 0; done < rows; done += some) {
            npy_intp now = rows - done < some ? rows - done : some;
            const char *start = from + (done * stride + first) * how->from_size;
            if (width == stride) convert_elements(how, start, (char *)scratch, now * width);
            else
                for (npy_intp row = 0; row < now; row++)
                    convert_elements(how, start + row * stride * how->from_size, (char *)(scratch + row * width),
                                     width);
            sums_at[loop_level].rows(scratch, now, width, sums + first);
        }
    }
}
