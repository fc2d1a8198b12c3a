/* Sums of float32 in the order of NumPy's, bit for bit, with vector instructions.
 *
 * NumPy halves a sum until 128 elements or fewer are left, which it adds in eight lanes, and adds the lanes in pairs.
 * Here eight of these leaves are added at once, so that no addition waits for the one before it.
 */
#include "../large.h"
#include "loops.h"

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

static ALWAYS_INLINE float sum_part(const float *x) {
    Lanes a, b, c, d, e, f, g, h;
    float lanes[LANES], sums[LEAVES];
#define EACH_LEAF(X) X(a, 0) X(b, 1) X(c, 2) X(d, 3) X(e, 4) X(f, 5) X(g, 6) X(h, 7)
#define BEGIN(leaf, n) memcpy(&leaf, x + n * LEAF, sizeof leaf);
#define NEXT(leaf, n) ADD(leaf, x + n * LEAF + i);
#define END(leaf, n) \
    memcpy(lanes, &leaf, sizeof lanes); \
    sums[n] = sum_lanes(lanes);
    EACH_LEAF(BEGIN)
    for (int i = LANES; i < LEAF; i += LANES) {
        EACH_LEAF(NEXT)
    }
    EACH_LEAF(END)
    return sum_lanes(sums);
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
        Lanes a, b, c, d, e, f, g, h;
#define TAKE_SUMS(lanes, n) memcpy(&lanes, sums + j + n * LANES, sizeof lanes);
#define ADD_ROW(lanes, n) ADD(lanes, x + row * columns + j + n * LANES);
#define KEEP_SUMS(lanes, n) memcpy(sums + j + n * LANES, &lanes, sizeof lanes);
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
    float (*part)(const float *x);
    float (*pairs)(const float *x, npy_intp count);
    void (*rows)(const float *x, npy_intp rows, npy_intp columns, float *sums);
    void (*square)(float *x, npy_intp count, float center);
} Sums;
#define DEFINE(level, target) \
    target static float sum_part_##level(const float *x) { return sum_part(x); } \
    target static float sum_pairs_##level(const float *x, npy_intp count) { \
        if (count <= LEAF) return sum_leaf(x, count); \
        npy_intp half = count / 2 - count / 2 % LANES; \
        return sum_pairs_##level(x, half) + sum_pairs_##level(x + half, count - half); \
    } \
    target static void add_rows_##level(const float *x, npy_intp rows, npy_intp columns, float *sums) { \
        add_rows(x, rows, columns, sums); \
    } \
    target static void square_##level(float *x, npy_intp count, float center) { square_deviations(x, count, center); }
EVERY_LEVEL(DEFINE)
#define ENTRY(level, target) [level] = {sum_part_##level, sum_pairs_##level, add_rows_##level, square_##level},
static const Sums sums_at[LEVELS] = {EVERY_LEVEL(ENTRY)};

float sum_converted(const Conversion *how, const char *from) {
    float scratch[PART], sums[PARTS];
    for (int part = 0; part < PARTS; part++, from += PART * how->from_size) {
        convert_elements(how, from, (char *)scratch, PART);
        sums[part] = sums_at[loop_level].part(scratch);
    }
    return sum_lanes(sums);
}

float sum_floats(const float *x, npy_intp count) { return sums_at[loop_level].pairs(x, count); }

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
        all->sums[i] = sum_floats(all->x + first, length);
    }
}

float share_sum(const float *x, npy_intp count) {
    Summing all = {x, count, depth_of_pieces(count), NULL};
    npy_intp pieces = (npy_intp)1 << all.depth;
    if (threads_for(count, 1) == 1 || (all.sums = PyMem_RawMalloc((size_t)pieces * sizeof(float))) == NULL)
        return sum_floats(x, count);
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
        *sums = sums_at[loop_level].pairs(scratch, now);
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
