/* Kernels of narrow floats: arithmetic of 16 bits, and the table of all. */
#include "narrow_kernels.h"

/* -- arithmetic of bfloat16, whose conversions cost next to nothing, and of float16, which processors convert -- */

#define ARITHMETIC(level, target, name, storage, function, operator) \
    target static void function##_##name##_##level(const void *a, const void *b, void *to, npy_intp count, \
                                                   const Layout *Py_UNUSED(at)) { \
        const uint##storage##_t *x = a, *y = b; \
        uint##storage##_t *out = to; \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) out[i] = narrow_##name(widen_##name(x[i]) operator widen_##name(y[i])); \
    }
#define LEVEL(level, target, function) [level] = function##_##level,
#define BY_LEVEL(function) static Kernel *const function[LEVELS] = {EVERY_LEVEL_OF(LEVEL, function)};
#define OF_BFLOAT16(function, operator) \
    EVERY_LEVEL_OF(ARITHMETIC, bfloat16, 16, function, operator) BY_LEVEL(function##_bfloat16)
OF_BFLOAT16(add, +)
OF_BFLOAT16(subtract, -)
OF_BFLOAT16(multiply, *)
OF_BFLOAT16(divide, /)

/* F16C computes `some` elements at a time; the last few are computed in scratch buffers that are filled up. */
#if HAS_LEVELS
#define BY_F16C(level, some, function, operator) \
    TARGET_##level static void function##_float16_##level(const void *a, const void *b, void *to, npy_intp count, \
                                                          const Layout *Py_UNUSED(at)) { \
        const uint16_t *x = a, *y = b; \
        uint16_t *out = to, scratch[3][some]; \
        npy_intp i = 0; \
        for (; i + some <= count; i += some) ROUND_##level(out + i, WIDE_##level(x + i) operator WIDE_##level(y + i)); \
        if (i == count) return; \
        for (npy_intp j = 0; j < some; j++) scratch[0][j] = scratch[1][j] = 0x3C00; \
        memcpy(scratch[0], x + i, (size_t)(count - i) * 2); \
        memcpy(scratch[1], y + i, (size_t)(count - i) * 2); \
        ROUND_##level(scratch[2], WIDE_##level(scratch[0]) operator WIDE_##level(scratch[1])); \
        memcpy(out + i, scratch[2], (size_t)(count - i) * 2); \
    }
#define OF_FLOAT16(function, operator) \
    ARITHMETIC(PLAIN, TARGET_PLAIN, float16, 16, function, operator) \
    BY_F16C(AVX2, 8, function, operator) BY_F16C(AVX512, 16, function, operator) BY_LEVEL(function##_float16)
#else
#define OF_FLOAT16(function, operator) \
    EVERY_LEVEL_OF(ARITHMETIC, float16, 16, function, operator) BY_LEVEL(function##_float16)
#endif
OF_FLOAT16(add, +)
OF_FLOAT16(subtract, -)
OF_FLOAT16(multiply, *)
OF_FLOAT16(divide, /)

/* Others are widened and rounded block by block. */
#define BY_BLOCKS(level, target, function, operator) \
    target static void function##_blocks_##level(const void *a, const void *b, void *to, npy_intp count, \
                                                 const Layout *at) { \
        enum { SOME = 512 }; \
        float x[SOME], y[SOME]; \
        for (npy_intp done = 0, now; done < count; done += now) { \
            now = count - done < SOME ? count - done : SOME; \
            widening_of(at->type)((const char *)a + done, (char *)x, now); \
            widening_of(at->type)((const char *)b + done, (char *)y, now); \
            for (npy_intp i = 0; i < now; i++) x[i] = x[i] operator y[i]; \
            narrowing_of(at->type)((const char *)x, (char *)to + done, now); \
        } \
    }
#define OF_BYTES(function, operator) EVERY_LEVEL_OF(BY_BLOCKS, function, operator) BY_LEVEL(function##_blocks)
OF_BYTES(add, +)
OF_BYTES(subtract, -)
OF_BYTES(multiply, *)
OF_BYTES(divide, /)

static const struct {
    const char *name;
    Kernel *const *of_bfloat16, *const *of_float16, *const *of_bytes;
} arithmetic[ARITHMETICS] = {
    [ADD] = {"add", add_bfloat16, add_float16, add_blocks},
    [SUBTRACT] = {"subtract", subtract_bfloat16, subtract_float16, subtract_blocks},
    [MULTIPLY] = {"multiply", multiply_bfloat16, multiply_float16, multiply_blocks},
    [DIVIDE] = {"divide", divide_bfloat16, divide_float16, divide_blocks},
};

/* -- layouts -- */

#define UP(storage, width) ((storage) - (width))
#define LARGEST(width) ((1u << ((width) - 1)) - 1)
#define INFINITY_OF(width, fraction) (LARGEST(width) & ~((1u << (fraction)) - 1))
#define LAYOUT(name, NAME, storage, width, fraction, bias, has, how) \
    [E_##NAME - E_NARROW] = { \
        storage / 8, \
        UP(storage, width), \
        (uint16_t)(LARGEST(width) << UP(storage, width)), \
        (uint16_t)(((has) == WITH_INFINITY ? INFINITY_OF(width, fraction) \
                    : (has) == NAN_ONLY    ? LARGEST(width) - 1 \
                                           : LARGEST(width)) \
                   << UP(storage, width)), \
        (uint16_t)((has) == ONE_NAN   ? LARGEST(width) + 1 \
                   : (has) == NUMBERS ? 1 \
                                      : LARGEST(width)), \
        (uint16_t)((has) == WITH_INFINITY ? INFINITY_OF(width, fraction) \
                   : (has) == NUMBERS     ? 1 \
                                          : LARGEST(width)), \
        (uint16_t)(((uint32_t)(bias) << (fraction)) << UP(storage, width)), \
        (uint16_t)((has) == WITH_INFINITY ? INFINITY_OF(width, fraction) | (1u << ((fraction) - ((fraction) > 0))) \
                                          : LARGEST(width)), \
        E_##NAME, \
    },
static const Layout layouts[E_TYPES - E_NARROW] = {NARROW_FLOATS(LAYOUT)};

const Layout *layout_of(Type type) {
    return is_narrow_integer(type) || type == E_FLOAT8_E8M0FNU ? NULL : &layouts[type - E_NARROW];
}

static bool set_kernels(Kernels *found, Kernel *const *levels, int operands, bool truth) {
    memcpy(found->levels, levels, sizeof found->levels);
    found->operands = operands;
    found->truth = truth;
    return true;
}

bool find_kernels(const char *name, Type type, Kernels *found) {
    const Layout *at = layout_of(type);
    if (at == NULL) return false;
    for (int i = 0; i < ARITHMETICS; i++) {
        if (strcmp(name, arithmetic[i].name) != 0) continue;
        if (type == E_BFLOAT16) return set_kernels(found, arithmetic[i].of_bfloat16, 2, false);
        if (type == E_FLOAT16) return set_kernels(found, arithmetic[i].of_float16, 2, false);
        set_kernels(found, arithmetic[i].of_bytes, 2, false);
        Kernel *fast = fast_arithmetic((Arithmetic)i, type);
        if (fast != NULL) found->levels[AVX512] = fast;
        return true;
    }
    bool one_nan = at->nan == at->magnitude + 1, numbers = at->nan == 1;
    const Bits *rows = at->size == 1 ? bits_8 : bits_16;
    for (; rows->name != NULL; rows++)
        if (strcmp(name, rows->name) == 0 && !(rows->plain && (one_nan || numbers)))
            return set_kernels(found, rows->levels, rows->operands, rows->truth);
    return false;
}
