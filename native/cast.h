/* Conversions between elements of NumPy's own and of narrow dtypes. */
#ifndef SUPREMUM_CAST_H
#define SUPREMUM_CAST_H

#include "types.h"

typedef void Cast(const char *from, char *to, npy_intp count);
/* Return what converts contiguous elements, or NULL where C's conversion is not what NumPy's is. */
Cast *cast_between(Type from, Type to);
/* How contiguous elements of one type become those of another: in one step, or in two through a third type. */
typedef struct {
    Cast *first, *second;
    npy_intp from_size, middle_size, to_size;
} Conversion;
/* Find the conversion between two types of which one may be narrow; a truth value is whether an element is not zero.
 * False where there is none, or the types are the same. */
bool find_conversion(Type from, Type to, Conversion *found);
void convert_elements(const Conversion *how, const char *from, char *to, npy_intp count);
/* Return what says which elements are not zero. */
Cast *truth_of(Type from);
/* The same by threads that share it. */
void share_conversion(const Conversion *how, const char *from, char *to, npy_intp count);

#endif
