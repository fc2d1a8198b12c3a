/* Types of elements, nodes, and the kinds of Python scalars. */
#ifndef SUPREMUM_TYPES_H
#define SUPREMUM_TYPES_H

#include "base.h"

/* -- types of elements -- */

/* What a float has other than numbers:
 * WITH_INFINITY  infinity and NaN, as IEEE 754 has them; NaN become the quiet NaN of their sign
 * NAN_ONLY       NaN where all bits but the sign are set
 * ONE_NAN        one NaN, where -0.0 would be
 * NUMBERS        nothing: numbers that are too large become the largest, NaN a zero of the other sign
 * POWERS         only positive powers of two and one NaN, for all other numbers too
 */
enum { WITH_INFINITY, NAN_ONLY, ONE_NAN, NUMBERS, POWERS };

/* How conversions to and from float32 use the instructions of x86: HALF is float16; an UPPER_HALF is the upper bits of
 * a float16, but for a power of two; others are ROUNDED by them alone, or converted as PLAIN_BITS. */
/* X(name, NAME of its Type, bits of storage, bits, bits of the fraction, bias of the exponent, what it has other than
 * numbers, how it is converted): a dtype of ml_dtypes is one line here. */
#define NARROW_FLOATS(X) \
    X(bfloat16, BFLOAT16, 16, 16, 7, 127, WITH_INFINITY, PLAIN_BITS) \
    X(float16, FLOAT16, 16, 16, 10, 15, WITH_INFINITY, HALF) \
    X(float8_e3m4, FLOAT8_E3M4, 8, 8, 4, 3, WITH_INFINITY, UPPER_HALF) \
    X(float8_e4m3, FLOAT8_E4M3, 8, 8, 3, 7, WITH_INFINITY, UPPER_HALF) \
    X(float8_e4m3b11fnuz, FLOAT8_E4M3B11FNUZ, 8, 8, 3, 11, ONE_NAN, UPPER_HALF) \
    X(float8_e4m3fn, FLOAT8_E4M3FN, 8, 8, 3, 7, NAN_ONLY, UPPER_HALF) \
    X(float8_e4m3fnuz, FLOAT8_E4M3FNUZ, 8, 8, 3, 8, ONE_NAN, UPPER_HALF) \
    X(float8_e5m2, FLOAT8_E5M2, 8, 8, 2, 15, WITH_INFINITY, UPPER_HALF) \
    X(float8_e5m2fnuz, FLOAT8_E5M2FNUZ, 8, 8, 2, 16, ONE_NAN, ROUNDED) \
    X(float8_e8m0fnu, FLOAT8_E8M0FNU, 8, 8, 0, 127, POWERS, PLAIN_BITS) \
    X(float6_e2m3fn, FLOAT6_E2M3FN, 8, 6, 3, 1, NUMBERS, UPPER_HALF) \
    X(float6_e3m2fn, FLOAT6_E3M2FN, 8, 6, 2, 3, NUMBERS, UPPER_HALF) \
    X(float4_e2m1fn, FLOAT4_E2M1FN, 8, 4, 1, 1, NUMBERS, UPPER_HALF)
/* X(NAME of the Type, C's type, the same without a sign and with as many bits as `int` has at least). */
#define NATIVE_INTEGERS(X) \
    X(INT8, int8_t, uint32_t) \
    X(INT16, int16_t, uint32_t) \
    X(INT32, int32_t, uint32_t) \
    X(INT64, int64_t, uint64_t) \
    X(UINT8, uint8_t, uint32_t) \
    X(UINT16, uint16_t, uint32_t) X(UINT32, uint32_t, uint32_t) X(UINT64, uint64_t, uint64_t)
/* X(name, NAME of its Type, bits, whether it has a sign); elements are in the low bits of a byte, whose other bits mean
 * nothing. */
#define NARROW_INTEGERS(X) \
    X(int1, INT1, 1, true) \
    X(int2, INT2, 2, true) \
    X(int4, INT4, 4, true) X(uint1, UINT1, 1, false) X(uint2, UINT2, 2, false) X(uint4, UINT4, 4, false)

/* The dtypes whose elements C knows: native ones up to E_COUNT, then foreign ones. Of those it knows the narrow ones
 * from E_NARROW on; they have loops and no other fast paths. */
typedef enum {
    E_BOOL,
    E_INT8,
    E_INT16,
    E_INT32,
    E_INT64,
    E_UINT8,
    E_UINT16,
    E_UINT32,
    E_UINT64,
    E_FLOAT32,
    E_FLOAT64,
    E_COMPLEX64,
    E_COMPLEX128,
    E_COUNT,
    E_FOREIGN = E_COUNT,
#define ENTRY(name, NAME, ...) E_##NAME,
#define ONE(...) +1
    NARROW_FLOATS(ENTRY) NARROW_INTEGERS(ENTRY) E_TYPES,
    E_NARROW = E_FOREIGN + 1,
    E_NARROW_INTEGERS = E_NARROW NARROW_FLOATS(ONE)
#undef ENTRY
#undef ONE
} Type;

/* -- nodes -- */

enum { MAX_NODES = 96 };

/* What C knows of a node. Nodes are registered once and live as long as the process. */
typedef struct {
    PyObject *object;     /* the Python node, owned */
    PyArray_Descr *dtype; /* of its buffers, owned */
    PyObject *public;     /* what `Array.dtype` is, owned */
    Type type;
    int index;
    bool weak;
    char kind;
} Node;

extern Node nodes[MAX_NODES];
extern int node_count;

/* Return the facts of a Python node, or NULL with a TypeError. */
const Node *node_of(PyObject *object);
/* Return the strong node of a native dtype of NumPy's, or NULL without an exception. */
const Node *node_of_dtype(PyArray_Descr *dtype);
/* Return the strong node of a native type, or NULL without an exception. */
const Node *node_of_type(Type type);
/* Whether a dtype is one of NumPy's numbers, texts and times; of those of other packages, the newer kind has the number
 * -1. */
static inline bool is_of_numpy(PyArray_Descr *dtype) {
    return dtype->type_num >= 0 && dtype->type_num < NPY_NTYPES_LEGACY;
}
/* Return the type of a dtype's elements. */
Type type_of_dtype(PyArray_Descr *dtype);
/* Whether NumPy itself has the dtype and computes in it. */
static inline bool is_native(Type type) { return type < E_FOREIGN; }
static inline bool is_narrow_float(Type type) { return type >= E_NARROW && type < E_NARROW_INTEGERS; }
static inline bool is_narrow_integer(Type type) { return type >= E_NARROW_INTEGERS; }
/* Return the narrow type of NumPy's type number, or E_FOREIGN; and the reverse, or NPY_NOTYPE where the package
 * lacks it. */
Type narrow_type(int number);
int number_of_narrow(Type type);
npy_intp size_of_narrow(Type type);
extern const uint8_t type_size[E_COUNT];

/* A conversion of contiguous elements. */
typedef void Cast(const char *from, char *to, npy_intp count);
/* How contiguous elements of one type become those of another: in one step, or in two through a third type. */
typedef struct {
    Cast *first, *second;
    npy_intp from_size, middle_size, to_size;
} Conversion;

/* The kinds of Python scalars, by their exact type. */
typedef enum { S_BOOL, S_INT, S_FLOAT, S_COMPLEX, S_COUNT, S_NONE = S_COUNT } Scalar;
static inline Scalar scalar_kind(PyObject *x) {
    if (PyFloat_CheckExact(x)) return S_FLOAT;
    if (PyLong_CheckExact(x)) return S_INT;
    if (PyBool_Check(x)) return S_BOOL;
    return PyComplex_CheckExact(x) ? S_COMPLEX : S_NONE;
}

#endif
