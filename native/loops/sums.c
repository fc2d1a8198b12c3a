/* Sums of float32 in the order of NumPy's, bit for bit, with vector instructions.
 *
 * NumPy halves a sum until 128 elements or fewer are left, which it adds in eight lanes, and adds the lanes in pairs. Here eight of these
 * leaves are added at once, so that no addition waits for the one before it.
 */
#include "loops.h"

enum { LANES = 8, LEAF = 128, LEAVES = 8, PART = LEAVES * LEAF, PARTS = SUMMED / PART };

static ALWAYS_INLINE float sum_lanes(const float *lanes) {
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

/* Eight lanes; compilers keep them in a register if they know them as a vector. */
#if defined(__GNUC__)
typedef float Lanes __attribute__((vector_size(LANES * sizeof(float))));
#define ADD(to, x) do { Lanes added; memcpy(&added, x, sizeof added); to += added; } while (0)
#else
typedef struct { float lane[LANES]; } Lanes;
#define ADD(to, x) do { for (int i_ = 0; i_ < LANES; i_++) to.lane[i_] += (x)[i_]; } while (0)
#endif

static ALWAYS_INLINE float sum_part(const float *x) {
    Lanes a, b, c, d, e, f, g, h;
    float lanes[LANES], sums[LEAVES];
#define EACH_LEAF(X) X(a, 0) X(b, 1) X(c, 2) X(d, 3) X(e, 4) X(f, 5) X(g, 6) X(h, 7)
#define BEGIN(leaf, n) memcpy(&leaf, x + n * LEAF, sizeof leaf);
#define NEXT(leaf, n) ADD(leaf, x + n * LEAF + i);
#define END(leaf, n) memcpy(lanes, &leaf, sizeof lanes); sums[n] = sum_lanes(lanes);
    EACH_LEAF(BEGIN)
    for (int i = LANES; i < LEAF; i += LANES) { EACH_LEAF(NEXT) }
    EACH_LEAF(END)
    return sum_lanes(sums);
}

#define DEFINE(level, target) target static float sum_part_##level(const float *x) { return sum_part(x); }
EVERY_LEVEL(DEFINE)
#define ENTRY(level, target) [level] = sum_part_##level,
static float (*const sum_parts[LEVELS])(const float *) = {EVERY_LEVEL(ENTRY)};

float sum_converted(const Conversion *how, const char *from) {
    float room[PART], sums[PARTS];
    for (int part = 0; part < PARTS; part++, from += PART * how->from_size) {
        convert_elements(how, from, (char *)room, PART);
        sums[part] = sum_parts[loop_level](room);
    }
    return sum_lanes(sums);
}
