/* Conversions from contiguous narrow elements to float32 (int8). */
#include "narrow.h"

#define DEFINE(name, level, target, in_type, out_type, function) \
    target static void name##_##level(const char *from, char *to, npy_intp count) { \
        const in_type *in = (const in_type *)from; \
        out_type *out = (out_type *)to; \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) out[i] = function(in[i]); \
    }
#define OF_FLOAT(level, target, name, storage) \
    DEFINE(widen_block_##name, level, target, uint##storage##_t, float, widen_##name)
#define OF_INTEGER(level, target, name) DEFINE(widen_block_##name, level, target, uint8_t, int8_t, widen_##name)
#define DEFINE_FLOAT(name, NAME, storage, width, fraction, bias, has) EVERY_LEVEL_OF(OF_FLOAT, name, storage)
#define DEFINE_INTEGER(name, NAME, bits, has_sign) EVERY_LEVEL_OF(OF_INTEGER, name)
NARROW_FLOATS(DEFINE_FLOAT)
NARROW_INTEGERS(DEFINE_INTEGER)

#define WIDEN(level, target, name) [level] = widen_block_##name##_##level,
#define ROW(name, NAME, ...) [E_##NAME - E_NARROW] = {EVERY_LEVEL_OF(WIDEN, name)},
Cast *widening_table[E_TYPES - E_NARROW][LEVELS] = {NARROW_FLOATS(ROW) NARROW_INTEGERS(ROW)};

Cast *widening_of(Type type) { return widening_table[type - E_NARROW][loop_level]; }
