/* Kernels on the bits of floats of 8 bits. */
#define BITS 8
#include "narrow_bits.h"
