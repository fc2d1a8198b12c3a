/* Kernels of contiguous narrow elements: what narrow_loops.c calls, by name and type. */
#ifndef SUPREMUM_NARROW_KERNELS_H
#define SUPREMUM_NARROW_KERNELS_H

#include "narrow.h"

/* The bits of a format of floats with a sign; codes are moved up until the sign is the topmost bit of their storage. */
typedef struct {
    uint8_t size, up;    /* bytes, and how many bits codes are moved up by */
    uint16_t magnitude;  /* all bits but the sign, moved up as what follows */
    uint16_t last;       /* the greatest magnitude that is no NaN */
    uint16_t nan;        /* a NaN, if there is one, of any magnitude; else what no element is */
    uint16_t infinity;   /* what no element is where there is none */
    uint16_t one, quiet; /* the codes of 1.0, and of the NaN that arithmetic results in */
    Type type;
} Layout;

/* Compute `count` elements. The result may be where an operand is; a kernel of one operand does not look at `b`. */
typedef void Kernel(const void *a, const void *b, void *out, npy_intp count, const Layout *at);

/* What kernels there are of a function: by level, and whether their results are truth values. */
typedef struct {
    Kernel *levels[LEVELS];
    int operands;
    bool truth;
} Kernels;

/* A function on the bits of elements, and its kernels; `plain`: only of formats whose elements of all magnitudes have
 * two signs and are as wide as their storage. */
typedef struct {
    const char *name;
    Kernel *const *levels;
    int operands;
    bool truth, plain;
} Bits;
/* Those of elements of 8 or 16 bits, up to one without a name. */
extern const Bits bits_8[], bits_16[];

/* Arithmetic of floats of 8 bits by instructions of AVX-512; NULL where there is none. */
typedef enum { ADD, SUBTRACT, MULTIPLY, DIVIDE, ARITHMETICS } Arithmetic;
Kernel *fast_arithmetic(Arithmetic which, Type type);

/* Return the layout of a format, or NULL of one without a sign. */
const Layout *layout_of(Type type);
/* Find the kernels of a function by its name; false where it has none for the type. */
bool find_kernels(const char *name, Type type, Kernels *found);

#endif
