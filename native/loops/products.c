/* Products of matrices of 8- and 16-bit integers in 32-bit arithmetic, modulo 2**32 and so modulo every smaller power.
 *
 * Both operands become 16-bit integers along the axis that is summed over. Of four rows and four columns, sixteen sums are made at once, for
 * which compilers have instructions (vpmaddwd, vpdpwssd, smlal). Lengths are filled up with zeros, so no loop has a rest.
 */
#include "loops.h"

enum { TILE = 4, COLUMNS = 16, STEP = 32 }; /* of sums; columns that stay in the cache; elements that lengths are filled up to */

/* Sum the products of four rows and four columns, each `length` long. */
static ALWAYS_INLINE void multiply_tile(const int16_t *a, const int16_t *b, npy_intp length, uint32_t *to) {
    const int16_t *a0 = a, *a1 = a0 + length, *a2 = a1 + length, *a3 = a2 + length, *b0 = b, *b1 = b0 + length, *b2 = b1 + length, *b3 = b2 + length;
#define EACH(X) X(0, 0) X(0, 1) X(0, 2) X(0, 3) X(1, 0) X(1, 1) X(1, 2) X(1, 3) X(2, 0) X(2, 1) X(2, 2) X(2, 3) X(3, 0) X(3, 1) X(3, 2) X(3, 3)
#define BEGIN(i, j) uint32_t sum##i##j = 0;
#define NEXT(i, j) sum##i##j += (uint32_t)((int32_t)a##i[k] * b##j[k]);
#define END(i, j) to[i * TILE + j] = sum##i##j;
    EACH(BEGIN)
    for (npy_intp k = 0; k < length; k++) { EACH(NEXT) }
    EACH(END)
}

typedef void Tile(const int16_t *a, const int16_t *b, npy_intp length, uint32_t *to);
#define DEFINE(level, target) target static void multiply_tile_##level(const int16_t *a, const int16_t *b, npy_intp length, uint32_t *to) { multiply_tile(a, b, length, to); }
#define ENTRY(level, target) [level] = multiply_tile_##level,
EVERY_LEVEL(DEFINE)
static Tile *const tiles[LEVELS] = {EVERY_LEVEL(ENTRY)};

#if HAS_LEVELS
#define TARGET_DOTS __attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
DEFINE(DOTS, TARGET_DOTS)
static Tile *tile_in_use(void) { return loop_level == AVX512 && __builtin_cpu_supports("avx512vnni") ? multiply_tile_DOTS : tiles[loop_level]; }
#else
static Tile *tile_in_use(void) { return tiles[loop_level]; }
#endif

/* Copy a vector of 8- or 16-bit integers as 16-bit ones, and zeros behind it. */
static void pack(const char *from, npy_intp step, npy_intp count, int type, int16_t *to, npy_intp length) {
    switch (type) {
        case E_INT8: for (npy_intp i = 0; i < count; i++) to[i] = *(const int8_t *)(from + i * step); break;
        case E_UINT8: for (npy_intp i = 0; i < count; i++) to[i] = *(const uint8_t *)(from + i * step); break;
        default: for (npy_intp i = 0; i < count; i++) to[i] = *(const int16_t *)(from + i * step);
    }
    memset(to + count, 0, (size_t)(length - count) * sizeof *to);
}

/* The same of columns that lie side by side, row by row, as a matrix is read. */
static void pack_columns(const char *from, npy_intp row_step, npy_intp step, npy_intp rows, npy_intp columns, int type, int16_t *to, npy_intp length) {
    memset(to, 0, (size_t)(COLUMNS * length) * sizeof *to);
    for (npy_intp k = 0; k < rows; k++) {
        int16_t row[COLUMNS];
        pack(from + k * row_step, step, columns, type, row, columns);
        for (npy_intp j = 0; j < columns; j++) to[j * length + k] = row[j];
    }
}

/* Write the sums of a tile modulo the width of the result. */
static void store(const uint32_t *sums, npy_intp rows, npy_intp columns, char *to, npy_intp row_step, npy_intp size) {
    for (npy_intp i = 0; i < rows; i++)
        for (npy_intp j = 0; j < columns; j++) {
            uint32_t sum = sums[i * TILE + j];
            char *place = to + i * row_step + j * size;
            if (size == 1) *(uint8_t *)place = (uint8_t)sum;
            else if (size == 2) *(uint16_t *)place = (uint16_t)sum;
            else *(uint32_t *)place = sum;
        }
}

typedef struct { const char *start; npy_intp row_step, step; int type; } Matrix;

/* Multiply two matrices into a C-contiguous one; `room` is for all rows of the first and some columns of the second. */
static void multiply_matrices(const Matrix *a, const Matrix *b, npy_intp rows, npy_intp inner, npy_intp columns, char *to, npy_intp size, int16_t *room) {
    npy_intp length = (inner + STEP - 1) / STEP * STEP, filled = (rows + TILE - 1) / TILE * TILE;
    int16_t *left = room, *right = room + filled * length;
    uint32_t sums[TILE * TILE];
    Tile *tile = tile_in_use();
    for (npy_intp i = 0; i < filled; i++) pack(a->start + (i < rows ? i * a->row_step : 0), a->step, i < rows ? inner : 0, a->type, left + i * length, length);
    for (npy_intp first = 0; first < columns; first += COLUMNS) {
        npy_intp count = columns - first < COLUMNS ? columns - first : COLUMNS;
        pack_columns(b->start + first * b->step, b->row_step, b->step, inner, count, b->type, right, length);
        for (npy_intp i = 0; i < rows; i += TILE)
            for (npy_intp j = 0; j < count; j += TILE) {
                tile(left + i * length, right + j * length, length, sums);
                store(sums, rows - i < TILE ? rows - i : TILE, count - j < TILE ? count - j : TILE, to + (i * columns + first + j) * size, columns * size, size);
            }
    }
}

static bool read_matrix(PyArrayObject *x, Matrix *found) {
    int ndim = PyArray_NDIM(x);
    if (ndim < 2) return false;
    Type type = type_of_dtype(PyArray_DESCR(x));
    *found = (Matrix){PyArray_BYTES(x), PyArray_STRIDE(x, ndim - 2), PyArray_STRIDE(x, ndim - 1), (int)type};
    return PyArray_ISALIGNED(x) && (type == E_INT8 || type == E_UINT8 || type == E_INT16 || type == E_UINT16);
}

bool multiply_integers(PyArrayObject *x, PyArrayObject *y, PyArrayObject *out) {
    Matrix a, b;
    int ndim = PyArray_NDIM(out);
    if (PyArray_NDIM(x) != ndim || PyArray_NDIM(y) != ndim || !read_matrix(x, &a) || !read_matrix(y, &b)) {
        PyErr_SetString(PyExc_TypeError, "multiply_integers: expected aligned stacks of matrices of 8- or 16-bit integers");
        return false;
    }
    npy_intp rows = PyArray_DIM(x, ndim - 2), inner = PyArray_DIM(x, ndim - 1), columns = PyArray_DIM(y, ndim - 1), size = PyArray_ITEMSIZE(out);
    npy_intp place[NPY_MAXDIMS] = {0}, stack = 1;
    for (int axis = 0; axis < ndim - 2; axis++) stack *= PyArray_DIM(out, axis);
    int16_t *room = PyMem_RawMalloc((size_t)((rows + TILE + COLUMNS) * (inner + STEP)) * sizeof *room);
    if (room == NULL) { PyErr_NoMemory(); return false; }
    char *to = PyArray_BYTES(out);
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(stack * rows * columns);
    for (npy_intp i = 0; i < stack; i++, to += rows * columns * size) {
        multiply_matrices(&a, &b, rows, inner, columns, to, size, room);
        for (int axis = ndim - 3; axis >= 0; axis--) { /* to the next matrices */
            a.start += PyArray_STRIDE(x, axis);
            b.start += PyArray_STRIDE(y, axis);
            if (++place[axis] < PyArray_DIM(out, axis)) break;
            a.start -= PyArray_STRIDE(x, axis) * PyArray_DIM(out, axis);
            b.start -= PyArray_STRIDE(y, axis) * PyArray_DIM(out, axis);
            place[axis] = 0;
        }
    }
    NPY_END_THREADS;
    PyMem_RawFree(room);
    return true;
}

/* Multiply stacks of matrices of one shape into a new ndarray: a function of the module. */
static PyObject *multiply_function(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t count) {
    if (count != 3 || !PyArray_Check(arguments[0]) || !PyArray_Check(arguments[1]) || !PyArray_DescrCheck(arguments[2])) {
        PyErr_SetString(PyExc_TypeError, "multiply_integers: expected two ndarrays and a dtype");
        return NULL;
    }
    PyArrayObject *x = (PyArrayObject *)arguments[0], *y = (PyArrayObject *)arguments[1];
    PyArray_Descr *dtype = (PyArray_Descr *)arguments[2];
    int ndim = PyArray_NDIM(x);
    npy_intp shape[NPY_MAXDIMS];
    bool fits = ndim >= 2 && PyArray_NDIM(y) == ndim && (dtype->kind == 'i' || dtype->kind == 'u') && PyDataType_ELSIZE(dtype) <= 4 &&
                PyArray_ISNBO(dtype->byteorder) && PyArray_DIM(x, ndim - 1) == PyArray_DIM(y, ndim - 2);
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
    {"multiply_integers", (PyCFunction)(void (*)(void))multiply_function, METH_FASTCALL,
     PyDoc_STR("multiply_integers(a, b, dtype)\n--\n\nMultiply matrices of 8- or 16-bit integers modulo the width of a dtype; uint16 counts as int16.")},
    {NULL, NULL, 0, NULL},
};

int add_products(PyObject *module) { return PyModule_AddFunctions(module, functions); }
