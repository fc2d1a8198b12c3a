/* Kernels on the bits of floats of 16 bits. */
#define BITS 16
#include "narrow_bits.h"
