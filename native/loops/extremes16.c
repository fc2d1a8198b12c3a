/* Extremes of floats of 16 bits. */
#define BITS 16
#define NUMBER NPY_HALF
#define INFINITE ((uint16_t)0x7C00)
#include "extremes_of.h"
