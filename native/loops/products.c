/* Products of matrices of 8- and 16-bit integers in 32-bit arithmetic, modulo 2**32 and so modulo every smaller power.
 *
 * Both operands become 16-bit integers, of which two that follow each other along the axis that is summed over lie side
 * by side: processors multiply such pairs and add both products in one instruction. Of four rows and COLUMNS columns,
 * all sums are made at once. Lengths are filled up with zeros, so no loop has a rest.
 */
#include "loops.h"

enum { TILE = 4, COLUMNS = 32, PAIR = 2 }; /* rows and columns of a block of sums; elements that lie side by side */

/* Sum the products of four rows, `length` elements each, and a panel, which has COLUMNS pairs for each pair of a row.
 */
typedef void Tile(const int16_t *a, const int16_t *b, npy_intp length, uint32_t *to);

static void multiply_tile_PLAIN(const int16_t *a, const int16_t *b, npy_intp length, uint32_t *to) {
    memset(to, 0, TILE * COLUMNS * sizeof *to);
    for (npy_intp k = 0; k < length; k += PAIR, b += PAIR * COLUMNS)
        for (int i = 0; i < TILE; i++) {
            int32_t first = a[i * length + k], second = a[i * length + k + 1];
            for (int j = 0; j < COLUMNS; j++)
                to[i * COLUMNS + j] += (uint32_t)(first * b[PAIR * j]) + (uint32_t)(second * b[PAIR * j + 1]);
        }
}

#if HAS_LEVELS
#include <immintrin.h>
#define TARGET_DOTS __attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
static ALWAYS_INLINE int pair_at(const int16_t *a) {
    int pair;
    memcpy(&pair, a, sizeof pair);
    return pair;
}
#define EACH_ROW(X) X(0) X(1) X(2) X(3)

/* Define a tile of two registers of sums for each row, which are made `parts` times. */
#define DEFINE_TILE(level, target, Vector, parts, zero, load) \
    target static void multiply_tile_##level(const int16_t *a, const int16_t *b, npy_intp length, uint32_t *to) { \
        enum { SUMS = sizeof(Vector) / sizeof(uint32_t) }; \
        for (int part = 0; part < parts; part++, b += 2 * PAIR * SUMS, to += 2 * SUMS) { \
            Vector left0 = zero(), left1 = zero(), left2 = zero(), left3 = zero(), right0 = zero(), right1 = zero(), \
                   right2 = zero(), right3 = zero(); \
            const int16_t *panel = b; \
            for (npy_intp k = 0; k < length; k += PAIR, panel += PAIR * COLUMNS) { \
                Vector left = load((const void *)panel), right = load((const void *)(panel + PAIR * SUMS)); \
                EACH_ROW(NEXT_##level) \
            } \
            EACH_ROW(END_##level) \
        } \
    }
#define NEXT(i, Vector, repeat, add_products) \
    { \
        Vector row = repeat(pair_at(a + i * length + k)); \
        left##i = add_products(left##i, row, left); \
        right##i = add_products(right##i, row, right); \
    }
#define END(i, store) \
    store((void *)(to + i * COLUMNS), left##i); \
    store((void *)(to + i * COLUMNS + SUMS), right##i);

#define ADD_MADD_256(sums, x, y) _mm256_add_epi32(sums, _mm256_madd_epi16(x, y))
#define ADD_MADD_512(sums, x, y) _mm512_add_epi32(sums, _mm512_madd_epi16(x, y))
#define NEXT_AVX2(i) NEXT(i, __m256i, _mm256_set1_epi32, ADD_MADD_256)
#define END_AVX2(i) END(i, _mm256_storeu_si256)
DEFINE_TILE(AVX2, TARGET_AVX2, __m256i, 2, _mm256_setzero_si256, _mm256_loadu_si256)
#define NEXT_AVX512(i) NEXT(i, __m512i, _mm512_set1_epi32, ADD_MADD_512)
#define END_AVX512(i) END(i, _mm512_storeu_si512)
DEFINE_TILE(AVX512, TARGET_AVX512, __m512i, 1, _mm512_setzero_si512, _mm512_loadu_si512)
#define NEXT_DOTS(i) NEXT(i, __m512i, _mm512_set1_epi32, _mm512_dpwssd_epi32)
#define END_DOTS(i) END(i, _mm512_storeu_si512)
DEFINE_TILE(DOTS, TARGET_DOTS, __m512i, 1, _mm512_setzero_si512, _mm512_loadu_si512)

static Tile *tile_in_use(void) {
    if (loop_level == AVX512) return __builtin_cpu_supports("avx512vnni") ? multiply_tile_DOTS : multiply_tile_AVX512;
    return loop_level == AVX2 ? multiply_tile_AVX2 : multiply_tile_PLAIN;
}
#else
static Tile *tile_in_use(void) { return multiply_tile_PLAIN; }
#endif

/* Copy a vector of 8- or 16-bit integers as 16-bit ones, `apart` places from each other. */
static ALWAYS_INLINE void spread(const char *from, npy_intp step, npy_intp count, int type, int16_t *to,
                                 npy_intp apart) {
    switch (type) {
#define SPREAD(type) \
    if (step == sizeof(type)) \
        for (npy_intp i = 0; i < count; i++) to[i * apart] = (int16_t)((const type *)from)[i]; \
    else \
        for (npy_intp i = 0; i < count; i++) to[i * apart] = (int16_t)*(const type *)(from + i * step); \
    break;
    case E_INT8: SPREAD(int8_t)
    case E_UINT8: SPREAD(uint8_t)
    default: SPREAD(int16_t)
    }
}

/* Pack a row of the first operand, and zeros behind it. */
static void pack_row(const char *from, npy_intp step, npy_intp count, int type, int16_t *to, npy_intp length) {
    spread(from, step, count, type, to, 1);
    for (npy_intp i = count; i < length; i++) to[i] = 0;
}

/* Pack some columns of the second operand, row by row. */
static void pack_columns(const char *from, npy_intp row_step, npy_intp step, npy_intp rows, npy_intp columns, int type,
                         int16_t *to) {
    if (columns < COLUMNS || rows % PAIR) memset(to, 0, (size_t)((rows + rows % PAIR) * COLUMNS) * sizeof *to);
    for (npy_intp k = 0; k < rows; k++)
        spread(from + k * row_step, step, columns, type, to + k / PAIR * PAIR * COLUMNS + k % PAIR, PAIR);
}

/* Write the sums of a tile modulo the width of the result. */
static void store(const uint32_t *sums, npy_intp rows, npy_intp columns, char *to, npy_intp row_step, npy_intp size) {
    for (npy_intp i = 0; i < rows; i++, sums += COLUMNS, to += row_step)
        if (size == 1)
            for (npy_intp j = 0; j < columns; j++) ((uint8_t *)to)[j] = (uint8_t)sums[j];
        else if (size == 2)
            for (npy_intp j = 0; j < columns; j++) ((uint16_t *)to)[j] = (uint16_t)sums[j];
        else memcpy(to, sums, (size_t)columns * sizeof *sums);
}

/* A matrix, the first one of a stack whose axes have strides. They are copied: another thread may set those of the
 * ndarray. */
typedef struct {
    const char *start;
    npy_intp row_step, step;
    int type;
    npy_intp strides[NPY_MAXDIMS];
} Matrix;

/* Multiply two matrices into a C-contiguous one; `scratch` is for all rows of the first and some columns of the second.
 */
static void multiply_matrices(const Matrix *a, const Matrix *b, npy_intp rows, npy_intp inner, npy_intp columns,
                              char *to, npy_intp size, int16_t *scratch) {
    npy_intp length = inner + inner % PAIR, filled = (rows + TILE - 1) / TILE * TILE;
    int16_t *left = scratch, *right = scratch + filled * length;
    uint32_t sums[TILE * COLUMNS];
    Tile *tile = tile_in_use();
    for (npy_intp i = 0; i < filled; i++)
        pack_row(a->start + (i < rows ? i * a->row_step : 0), a->step, i < rows ? inner : 0, a->type, left + i * length,
                 length);
    for (npy_intp first = 0; first < columns; first += COLUMNS) {
        npy_intp count = columns - first < COLUMNS ? columns - first : COLUMNS;
        pack_columns(b->start + first * b->step, b->row_step, b->step, inner, count, b->type, right);
        for (npy_intp i = 0; i < rows; i += TILE) {
            tile(left + i * length, right, length, sums);
            store(sums, rows - i < TILE ? rows - i : TILE, count, to + (i * columns + first) * size, columns * size,
                  size);
        }
    }
}

static bool read_matrix(PyArrayObject *x, Matrix *found) {
    int ndim = PyArray_NDIM(x);
    if (ndim < 2) return false;
    Type type = type_of_dtype(PyArray_DESCR(x));
    found->start = PyArray_BYTES(x);
    found->row_step = PyArray_STRIDE(x, ndim - 2);
    found->step = PyArray_STRIDE(x, ndim - 1);
    found->type = (int)type;
    memcpy(found->strides, PyArray_STRIDES(x), (ndim - 2) * sizeof(npy_intp));
    return PyArray_ISALIGNED(x) && (type == E_INT8 || type == E_UINT8 || type == E_INT16 || type == E_UINT16);
}

bool multiply_integers(PyArrayObject *x, PyArrayObject *y, PyArrayObject *out) {
    Matrix a, b;
    int ndim = PyArray_NDIM(out);
    if (PyArray_NDIM(x) != ndim || PyArray_NDIM(y) != ndim || !read_matrix(x, &a) || !read_matrix(y, &b)) {
        PyErr_SetString(PyExc_TypeError,
                        "multiply_integers: expected aligned stacks of matrices of 8- or 16-bit integers");
        return false;
    }
    npy_intp rows = PyArray_DIM(x, ndim - 2), inner = PyArray_DIM(x, ndim - 1), columns = PyArray_DIM(y, ndim - 1),
             size = PyArray_ITEMSIZE(out);
    npy_intp place[NPY_MAXDIMS] = {0}, lengths[NPY_MAXDIMS], stack = 1;
    for (int axis = 0; axis < ndim - 2; axis++) stack = size_product(stack, lengths[axis] = PyArray_DIM(out, axis));
    npy_intp elements = size_product(size_sum(rows, TILE + COLUMNS), size_sum(inner, PAIR));
    int16_t *scratch = PyMem_RawMalloc((size_t)size_product(elements, sizeof *scratch));
    if (scratch == NULL) {
        PyErr_SetString(PyExc_MemoryError, "multiply_integers: there is no memory for copies of the matrices");
        return false;
    }
    char *to = PyArray_BYTES(out);
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(PyArray_SIZE(out));
    for (npy_intp i = 0; i < stack; i++, to += rows * columns * size) {
        multiply_matrices(&a, &b, rows, inner, columns, to, size, scratch);
        for (int axis = ndim - 3; axis >= 0; axis--) { /* to the next matrices */
            a.start += a.strides[axis];
            b.start += b.strides[axis];
            if (++place[axis] < lengths[axis]) break;
            a.start -= a.strides[axis] * lengths[axis];
            b.start -= b.strides[axis] * lengths[axis];
            place[axis] = 0;
        }
    }
    NPY_END_THREADS;
    PyMem_RawFree(scratch);
    return true;
}

/* Multiply stacks of matrices of one shape into a new ndarray: a function of the module. */
static PyObject *multiply_function(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t count) {
    if (count != 3 || !PyArray_Check(arguments[0]) || !PyArray_Check(arguments[1]) ||
        !PyArray_DescrCheck(arguments[2])) {
        PyErr_SetString(PyExc_TypeError, "multiply_integers: expected two ndarrays and a dtype");
        return NULL;
    }
    PyArrayObject *x = (PyArrayObject *)arguments[0], *y = (PyArrayObject *)arguments[1];
    PyArray_Descr *dtype = (PyArray_Descr *)arguments[2];
    int ndim = PyArray_NDIM(x);
    npy_intp shape[NPY_MAXDIMS];
    bool fits = ndim >= 2 && PyArray_NDIM(y) == ndim && (dtype->kind == 'i' || dtype->kind == 'u') &&
                PyDataType_ELSIZE(dtype) <= 4 && PyArray_ISNBO(dtype->byteorder) &&
                PyArray_DIM(x, ndim - 1) == PyArray_DIM(y, ndim - 2);
    for (int i = 0; fits && i < ndim - 2; i++) fits = (shape[i] = PyArray_DIM(x, i)) == PyArray_DIM(y, i);
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "multiply_integers: shapes or dtypes do not fit");
        return NULL;
    }
    shape[ndim - 2] = PyArray_DIM(x, ndim - 2);
    shape[ndim - 1] = PyArray_DIM(y, ndim - 1);
    Py_INCREF(dtype); /* which NumPy takes over */
    PyObject *out = PyArray_SimpleNewFromDescr(ndim, shape, dtype);
    if (out != NULL && !multiply_integers(x, y, (PyArrayObject *)out)) Py_CLEAR(out);
    return out;
}

static PyMethodDef functions[] = {
    {"multiply_integers", FASTCALL(multiply_function),
     PyDoc_STR("multiply_integers(a, b, dtype)\n--\n\nMultiply matrices of 8- or 16-bit integers modulo the width of a "
               "dtype; uint16 counts as int16.")},
    {NULL, NULL, 0, NULL},
};

int add_products(PyObject *module) { return PyModule_AddFunctions(module, functions); }
