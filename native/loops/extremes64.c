/* Extremes of floats of 64 bits. */
#define BITS 64
#define FLOAT double
#define NUMBER NPY_DOUBLE
#define INFINITE ((uint64_t)0x7FF0000000000000)
#include "extremes_of.h"
