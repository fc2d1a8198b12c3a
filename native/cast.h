/* Conversions between elements of NumPy's own and of narrow dtypes. */
#ifndef SUPREMUM_CAST_H
#define SUPREMUM_CAST_H

#include "types.h"

/* Return what converts contiguous elements, or NULL where C's conversion is not what NumPy's is. */
Cast *cast_between(Type from, Type to);
/* Find the conversion between two types of which one may be narrow; a truth value is whether an element is not zero.
 * False where there is none, or the types are the same. */
bool find_conversion(Type from, Type to, Conversion *found);
void convert_elements(const Conversion *how, const char *from, char *to, npy_intp count);
/* Return what says which elements are not zero. */
Cast *truth_of(Type from);
/* The same by threads that share it. */
void share_conversion(const Conversion *how, const char *from, char *to, npy_intp count);

#endif
