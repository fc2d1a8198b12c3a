/* Bits packed into bytes, and bytes unpacked, in the order "big", whose first bit is the highest, or "little".
 *
 * Eight elements are a word. To pack, a product moves the lowest bits of its bytes next to each other; to unpack,
 * copies of a byte keep one bit each. Compilers vectorise both.
 */
#include "loops.h"

#define ONES UINT64_C(0x0101010101010101)
/* A bit of each byte, a place further up from one byte to the next, or a place further down. */
#define UP UINT64_C(0x8040201008040201)
#define DOWN UINT64_C(0x0102040810204080)

/* Make the bytes of a word that are not zero 1. */
static ALWAYS_INLINE uint64_t truths(uint64_t word) {
    const uint64_t lower = 0x7F * ONES;
    return ((((word & lower) + lower) | word) >> 7) & ONES;
}

#define LOOPS(level, target) \
    target static void pack_##level(const uint8_t *from, npy_intp bytes, bool up, uint8_t *to) { \
        const uint64_t factor = up ? UP : DOWN; \
        INDEPENDENT \
        for (npy_intp i = 0; i < bytes; i++) { \
            uint64_t word; \
            memcpy(&word, from + 8 * i, sizeof word); \
            to[i] = (uint8_t)((truths(word) * factor) >> 56); \
        } \
    } \
    target static void unpack_##level(const uint8_t *from, npy_intp bytes, bool up, uint8_t *to) { \
        INDEPENDENT \
        for (npy_intp i = 0; i < bytes; i++) { \
            uint64_t byte = from[i], \
                     word = up ? (((byte & 0x7F) * (DOWN >> 7)) & ONES) | (byte >> 7) << 56 : (byte * UP >> 7) & ONES; \
            memcpy(to + 8 * i, &word, sizeof word); \
        } \
    }
EVERY_LEVEL(LOOPS)
#define ROW(level, target) {unpack_##level, pack_##level},
static void (*const loops[][2])(const uint8_t *, npy_intp, bool, uint8_t *) = {EVERY_LEVEL(ROW)};

void convert_bits(bool packs, const uint8_t *from, npy_intp count, bool big, uint8_t *to) {
    const npy_intp bytes = count / 8, rest = count % 8;
    const bool up = packs != (big != (NPY_BYTE_ORDER == NPY_LITTLE_ENDIAN));
    uint8_t last[8] = {0}, found[8];
    loops[loop_level][packs](from, bytes, up, to);
    memcpy(last, from + bytes * (packs ? 8 : 1), (size_t)(packs ? rest : rest > 0));
    loops[loop_level][packs](last, 1, up, found);
    memcpy(to + bytes * (packs ? 1 : 8), found, (size_t)(packs ? rest > 0 : rest));
}
