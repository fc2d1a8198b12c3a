/* Extremes of floats of 32 bits. */
#define BITS 32
#define FLOAT float
#define NUMBER NPY_FLOAT
#define INFINITE ((uint32_t)0x7F800000)
#include "extremes_of.h"
