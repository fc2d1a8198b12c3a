/* Conversions or arithmetic by instructions of vectors, at one level: includers define LEVEL, TARGET, SOME, the
 * elements of a vector of 16 bits, and ARITHMETIC as 0 or 1. */
#ifndef LOAD_FLOATS_AVX512
#define LOAD_FLOATS_AVX512(from) _mm512_loadu_ps(from)
#define LOAD_FLOATS_AVX2(from) _mm256_loadu_ps(from)
#define STORE_FLOATS_AVX512(to, x) _mm512_storeu_ps(to, x)
#define STORE_FLOATS_AVX2(to, x) _mm256_storeu_ps(to, x)
#define LOAD_CODES_AVX512(from) _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(from)))
#define LOAD_CODES_AVX2(from) _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(from)))
#define WIDE_HALF_AVX512(x, which) _mm512_cvtph_ps(_mm512_extracti64x4_epi64((__m512i)(x), which))
#define WIDE_HALF_AVX2(x, which) _mm256_cvtph_ps(_mm256_extracti128_si256((__m256i)(x), which))
/* `a` where an element of `x`, as an integer with a sign, is greater than `limit`, or equal to it, else `b`. */
#define IF_ABOVE_AVX512(x, limit, a, b) \
    ((Halves)_mm512_mask_mov_epi16( \
        (__m512i)(b), _mm512_cmpgt_epi16_mask((__m512i)(x), _mm512_set1_epi16((short)(limit))), (__m512i)(a)))
#define IF_EQUAL_AVX512(x, limit, a, b) \
    ((Halves)_mm512_mask_mov_epi16( \
        (__m512i)(b), _mm512_cmpeq_epi16_mask((__m512i)(x), _mm512_set1_epi16((short)(limit))), (__m512i)(a)))
#define IF_ABOVE_AVX2(x, limit, a, b) \
    ((Halves)_mm256_blendv_epi8((__m256i)(b), (__m256i)(a), \
                                _mm256_cmpgt_epi16((__m256i)(x), _mm256_set1_epi16((short)(limit)))))
#define IF_EQUAL_AVX2(x, limit, a, b) \
    ((Halves)_mm256_blendv_epi8((__m256i)(b), (__m256i)(a), \
                                _mm256_cmpeq_epi16((__m256i)(x), _mm256_set1_epi16((short)(limit)))))
#endif

#define JOINED(a, b) a##_##b
#define JOIN(a, b) JOINED(a, b)
#define OF(name) JOIN(name, LEVEL)
typedef uint16_t OF(Halves) __attribute__((vector_size(2 * SOME)));
#define Halves OF(Halves)

/* Copy fewer than SOME elements, by as many moves as their number has bits: compilers make of a loop what is slow to
 * begin. */
#define COPY_FEW(to, from, count) \
    for (npy_intp few = SOME / 2, done = 0; few > 0; few /= 2) \
        if ((count) & few) { \
            memcpy((to) + done, (from) + done, (size_t)few * sizeof *(to)); \
            done += few; \
        }

/* Convert `count` elements by `step`, which converts SOME; the last few in scratch buffers that are filled up. */
#define BY_STEPS(name, in_type, out_type, step) \
    TARGET static void OF(name)(const char *from, char *to, npy_intp count) { \
        const in_type *in = (const in_type *)from; \
        out_type *out = (out_type *)to; \
        for (; count >= SOME; count -= SOME, in += SOME, out += SOME) step; \
        if (count == 0) return; \
        in_type rest[SOME] = {0}; \
        out_type found[SOME], *last = out; \
        COPY_FEW(rest, in, count) \
        in = rest; \
        out = found; \
        step; \
        COPY_FEW(last, found, count) \
    }
TARGET static ALWAYS_INLINE void OF(widen_halves)(Halves halves, float *out, float scale) {
    OF(STORE_FLOATS)(out, OF(WIDE_HALF)(halves, 0) * scale);
    OF(STORE_FLOATS)(out + SOME / 2, OF(WIDE_HALF)(halves, 1) * scale);
}
TARGET static ALWAYS_INLINE void OF(widen_step)(const uint16_t *in, float *out) {
    Halves halves;
    memcpy(&halves, in, sizeof halves);
    OF(widen_halves)(halves, out, 1);
}
TARGET static ALWAYS_INLINE void OF(narrow_step)(const float *in, uint16_t *out) {
    OF(ROUND)(out, OF(LOAD_FLOATS)(in));
    OF(ROUND)(out + SOME / 2, OF(LOAD_FLOATS)(in + SOME / 2));
}
#if !ARITHMETIC
BY_STEPS(widen_fast_float16, uint16_t, float, OF(widen_step)(in, out))
BY_STEPS(narrow_fast_float16, float, uint16_t, OF(narrow_step)(in, out))
#endif

/* Return codes of 8 bits as upper bits of float16; unless `exact`, NaN of float8_e5m2 keep their lower bits, as
 * signalling NaN of float16 do. */
TARGET static ALWAYS_INLINE Halves OF(halves_of_codes)(Halves codes, int width, int fraction, int has, bool exact) {
    const uint16_t largest = (1u << (width - 1)) - 1, infinity = largest & ~((1u << fraction) - 1), other = largest + 1;
    const Halves none = {0}, nan = none + 0x7E00;
    const bool same_exponent = width - 1 - fraction == 5; /* as float16's */
    if (same_exponent && !exact) return codes << (10 - fraction);
    Halves magnitudes = codes & largest, halves = magnitudes << (10 - fraction);
    if (has == WITH_INFINITY)
        halves = OF(IF_ABOVE)(magnitudes, infinity, nan, OF(IF_ABOVE)(magnitudes, infinity - 1, none + 0x7C00, halves));
    if (has == NAN_ONLY) halves = OF(IF_ABOVE)(magnitudes, largest - 1, nan, halves);
    if (has == ONE_NAN) halves = OF(IF_EQUAL)(codes, other, nan, halves);
    return halves | (width == 8 ? (codes << 8) & 0x8000 : OF(IF_ABOVE)(codes, largest, none + 0x8000, none));
}
TARGET static ALWAYS_INLINE void OF(widen_codes)(const uint8_t *in, float *out, int width, int fraction, int bias,
                                                 int has) {
    OF(widen_halves)(OF(halves_of_codes)((Halves)OF(LOAD_CODES)(in), width, fraction, has, true), out,
                     (float)(1 << (15 - bias)));
}
#if !ARITHMETIC
#define WIDEN(name, NAME, storage, width, fraction, bias, has, how) \
    IF_UPPER_##how(BY_STEPS(widen_fast_##name, uint8_t, float, OF(widen_codes)(in, out, width, fraction, bias, has)))
NARROW_FLOATS(WIDEN)
#undef WIDEN
#endif

#if SOME == 32
/* Round float32 to codes of 8 bits. Their upper halves, rounded to odd (what is not exact gets an odd one), have so
 * many bits that rounding those to nearest is correct. Each element is shifted by its own number of places, for
 * subnormal numbers have fewer bits. */
#define EACH(function, a, b) ((Halves)function((__m512i)(a), (__m512i)(b)))
TARGET static ALWAYS_INLINE void OF(narrow_vectors)(__m512 first, __m512 second, uint8_t *out, int width, int fraction,
                                                    int bias, int has) {
    const uint16_t largest = (1u << (width - 1)) - 1, infinity = largest & ~((1u << fraction) - 1), other = largest + 1;
    const uint16_t last = has == WITH_INFINITY ? infinity : largest,
                   nan = has == NUMBERS ? other : infinity | (1u << (fraction - 1));
    const Halves none = {0}, smallest = none + (uint16_t)(128 - bias); /* the exponent of the smallest normal number */
    const Halves lower_places = {0,  2,  4,  6,  8,  10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
                                 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62};
    Halves lower = (Halves)_mm512_permutex2var_epi16((__m512i)first, (__m512i)lower_places, (__m512i)second);
    Halves upper = (Halves)_mm512_permutex2var_epi16((__m512i)first, (__m512i)(lower_places + 1), (__m512i)second) |
                   EACH(_mm512_min_epu16, lower, none + 1);
    Halves signs = (upper >> (16 - width)) & other, magnitudes = upper & 0x7FFF;
    Halves exponents = magnitudes >> 7, significands = (upper & 0x7F) | 0x80;
    Halves above = EACH(_mm512_subs_epu16, exponents, smallest), below = EACH(_mm512_subs_epu16, smallest, exponents);
    Halves places = below + (uint16_t)(7 - fraction),
           kept = EACH(_mm512_subs_epu16, none + (uint16_t)(9 + fraction), below); /* 16 - places */
    Halves even = EACH(_mm512_srlv_epi16, significands, places) & 1,
           nearly_half = EACH(_mm512_srlv_epi16, none + 0x7FFF, kept);
    Halves codes = EACH(_mm512_srlv_epi16, significands + even + nearly_half, places) + (above << fraction);
    if (has == ONE_NAN)
        codes = OF(IF_ABOVE)(codes, largest, none + other, codes | (OF(IF_ABOVE)(codes, 0, signs, none)));
    else codes = EACH(_mm512_min_epu16, codes, none + last); /* NaN of NAN_ONLY too */
    if (has == WITH_INFINITY || has == NUMBERS) codes = OF(IF_ABOVE)(magnitudes, 0x7F80, none + nan, codes);
    if (has != ONE_NAN) codes ^= signs;
    _mm256_storeu_si256((__m256i *)out, _mm512_cvtepi16_epi8((__m512i)codes));
}
TARGET static ALWAYS_INLINE void OF(narrow_codes)(const float *in, uint8_t *out, int width, int fraction, int bias,
                                                  int has) {
    OF(narrow_vectors)(_mm512_loadu_ps(in), _mm512_loadu_ps(in + 16), out, width, fraction, bias, has);
}
#if !ARITHMETIC
#define NARROW(name, NAME, storage, width, fraction, bias, has, how) \
    IF_ROUNDED_##how( \
        BY_STEPS(narrow_fast_##name, float, uint8_t, OF(narrow_codes)(in, out, width, fraction, bias, has)))
NARROW_FLOATS(NARROW)
#undef NARROW
#endif
#undef EACH

#if ARITHMETIC
/* Arithmetic on upper bits of float16, which results in a power of two of what it should: `factor` is the other one. */
#define COMPUTE(function, operator, factor) \
    TARGET static ALWAYS_INLINE void OF(function)(const uint8_t *a, const uint8_t *b, uint8_t *out, int width, \
                                                  int fraction, int bias, int has) { \
        const float scale = (float)(1 << (15 - bias)); \
        (void)scale; \
        Halves x = OF(halves_of_codes)((Halves)OF(LOAD_CODES)(a), width, fraction, has, false); \
        Halves y = OF(halves_of_codes)((Halves)OF(LOAD_CODES)(b), width, fraction, has, false); \
        __m512 first = OF(WIDE_HALF)(x, 0) operator OF(WIDE_HALF)(y, 0), \
               second = OF(WIDE_HALF)(x, 1) operator OF(WIDE_HALF)(y, 1); \
        OF(narrow_vectors)(first * (factor), second * (factor), out, width, fraction, bias, has); \
    }
COMPUTE(add, +, scale)
COMPUTE(subtract, -, scale)
COMPUTE(multiply, *, scale *scale)
COMPUTE(divide, /, 1.0f)
#define KERNEL(function, name) \
    TARGET static void function##_##name(const void *a, const void *b, void *to, npy_intp count, \
                                         const Layout *Py_UNUSED(at)) { \
        const uint8_t *x = a, *y = b; \
        uint8_t *out = to, rest[3][SOME]; \
        for (; count >= SOME; count -= SOME, x += SOME, y += SOME, out += SOME) \
            OF(function)(x, y, out, width_of_##name, fraction_of_##name, bias_of_##name, has_of_##name); \
        if (count == 0) return; \
        memset(rest, 1, sizeof rest); /* numbers whose arithmetic raises no flag */ \
        COPY_FEW(rest[0], x, count) \
        COPY_FEW(rest[1], y, count) \
        OF(function)(rest[0], rest[1], rest[2], width_of_##name, fraction_of_##name, bias_of_##name, has_of_##name); \
        COPY_FEW(out, rest[2], count) \
    }
#define KERNELS(name, NAME, storage, width, fraction, bias, has, how) \
    IF_UPPER_##how(KERNEL(add, name) KERNEL(subtract, name) KERNEL(multiply, name) KERNEL(divide, name))
NARROW_FLOATS(KERNELS)
#undef COMPUTE
#undef KERNEL
#undef KERNELS
#endif
#endif

#undef JOINED
#undef JOIN
#undef OF
#undef Halves
#undef COPY_FEW
#undef BY_STEPS
#undef LEVEL
#undef SOME
#undef TARGET
