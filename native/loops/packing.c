/* Bits packed into bytes, and bytes unpacked, in the order "big", whose first bit is the highest, or "little".
 *
 * Eight elements are a word, whose lowest byte is the first one. To pack, their lowest bits move next to each other:
 * pairs, then fours, then eight. To unpack, the bits of a byte move apart. Both are shifts of words, which compilers
 * vectorise.
 */
#include "loops.h"

enum { BLOCK = 2048 }; /* elements that become truth values at once */

static ALWAYS_INLINE uint64_t word_at(const uint8_t *from) {
#if NPY_BYTE_ORDER == NPY_LITTLE_ENDIAN
    uint64_t found;
    memcpy(&found, from, sizeof found);
    return found;
#else
    uint64_t found = 0;
    for (int i = 7; i >= 0; i--) found = found << 8 | from[i];
    return found;
#endif
}

static ALWAYS_INLINE void store_word(uint64_t word, uint8_t *to) {
#if NPY_BYTE_ORDER == NPY_LITTLE_ENDIAN
    memcpy(to, &word, sizeof word);
#else
    for (int i = 0; i < 8; i++) to[i] = (uint8_t)(word >> 8 * i);
#endif
}

static ALWAYS_INLINE uint8_t packed_little(uint64_t word) {
    word |= word << 7;
    word |= word << 14;
    return (uint8_t)((word | word << 28) >> 49);
}
static ALWAYS_INLINE uint8_t packed_big(uint64_t word) {
    word |= word << 9;
    word |= word << 18;
    return (uint8_t)((word | word << 36) >> 56);
}
static ALWAYS_INLINE uint64_t unpacked_little(uint8_t byte) {
    uint64_t word = byte;
    word = (word | word << 28) & UINT64_C(0x0000000F0000000F);
    word = (word | word << 14) & UINT64_C(0x0003000300030003);
    return (word | word << 7) & UINT64_C(0x0101010101010101);
}
/* Copies of the byte, each a bit further up within its byte of the word, of which the highest bits are taken. */
static ALWAYS_INLINE uint64_t unpacked_big(uint8_t byte) {
    return (byte * UINT64_C(0x8040201008040201)) >> 7 & UINT64_C(0x0101010101010101);
}

#define TRUTH(level, target, type) \
    target static void truth_##type##_##level(const void *from, uint8_t *to, npy_intp count) { \
        const type *x = from; \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) to[i] = x[i] != 0; \
    }
/* Pack bytes; return the bits that were seen. */
static ALWAYS_INLINE uint64_t pack(const uint8_t *from, uint8_t *to, npy_intp bytes, bool big) {
    uint64_t seen = 0;
    INDEPENDENT
    for (npy_intp i = 0; i < bytes; i++) {
        uint64_t word = word_at(from + 8 * i);
        seen |= word;
        to[i] = big ? packed_big(word) : packed_little(word);
    }
    return seen;
}
/* Pack bytes; whether they were 0 or 1, as they have to be. */
#define JOIN(level, target) \
    target static bool pack_##level(const uint8_t *from, uint8_t *to, npy_intp bytes, bool big) { \
        uint64_t seen = big ? pack(from, to, bytes, true) : pack(from, to, bytes, false); \
        return !(seen & ~UINT64_C(0x0101010101010101)); \
    }
#define PACK(level, target) \
    TRUTH(level, target, uint8_t) \
    TRUTH(level, target, uint16_t) \
    TRUTH(level, target, uint32_t) \
    TRUTH(level, target, uint64_t) \
    JOIN(level, target) \
    target static void unpack_##level(const uint8_t *from, uint8_t *to, npy_intp bytes, bool big) { \
        if (big) { \
            INDEPENDENT \
            for (npy_intp i = 0; i < bytes; i++) store_word(unpacked_big(from[i]), to + 8 * i); \
        } else { \
            INDEPENDENT \
            for (npy_intp i = 0; i < bytes; i++) store_word(unpacked_little(from[i]), to + 8 * i); \
        } \
    }
EVERY_LEVEL(PACK)

typedef struct {
    void (*truth[4])(const void *from, uint8_t *to, npy_intp count);
    bool (*pack)(const uint8_t *from, uint8_t *to, npy_intp bytes, bool big);
    void (*unpack)(const uint8_t *from, uint8_t *to, npy_intp bytes, bool big);
} Loops;
#define ROW(level, target) \
    {{truth_uint8_t_##level, truth_uint16_t_##level, truth_uint32_t_##level, truth_uint64_t_##level}, \
     pack_##level, \
     unpack_##level},
static const Loops loops[] = {EVERY_LEVEL(ROW)};

void pack_bits(int size, const char *from, npy_intp count, bool big, uint8_t *to) {
    const Loops *use = &loops[loop_level];
    static const int which[] = {[1] = 0, [2] = 1, [4] = 2, [8] = 3};
    uint8_t scratch[BLOCK];
    bool ones = size == 1; /* bytes that are 0 or 1, until others are found */
    for (npy_intp done = 0; done < count; done += BLOCK) {
        npy_intp now = count - done < BLOCK ? count - done : BLOCK, bytes = (now + 7) / 8;
        ones = ones && now == 8 * bytes && use->pack((const uint8_t *)from + done, to + done / 8, bytes, big);
        if (ones) continue;
        use->truth[which[size]](from + done * size, scratch, now);
        memset(scratch + now, 0, (size_t)(8 * bytes - now));
        use->pack(scratch, to + done / 8, bytes, big);
    }
}

void unpack_bits(const uint8_t *from, npy_intp count, bool big, uint8_t *to) {
    uint8_t last[8];
    loops[loop_level].unpack(from, to, count / 8, big);
    if (count % 8 == 0) return;
    loops[loop_level].unpack(from + count / 8, last, 1, big);
    memcpy(to + count / 8 * 8, last, (size_t)(count % 8));
}
