/* What elementwise.c computes for programs: a plan's loop on operands of which some are converted. */
#ifndef SUPREMUM_ELEMENTWISE_H
#define SUPREMUM_ELEMENTWISE_H

#include "engine.h"

/* Where a loop reads an operand: elements of some type, `step` bytes apart (0: the same one again and again). */
typedef struct {
    const char *start;
    npy_intp step;
    Type type;
} Source;

/* Find the conversion of an operand; it is NumPy's, which rounds to narrow floats through float32 (but float64 to
 * float16 at once). */
bool find_operand_conversion(Type from, Type to, Conversion *found);
/* Convert blocks and call the loop on them. Each source is contiguous or one element; of another type than the loop's,
 * it has a conversion. Needs no lock. */
void compute_blocks(const Plan *plan, const Source *sources, const Conversion *conversions, int count, char *out,
                    npy_intp size);

#endif
