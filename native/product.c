/* Fast paths of matmul, dot and vecdot: the loops of NumPy's generalized ufuncs, which call the BLAS; of narrow floats
 * between conversions, and for 8- and 16-bit integers a loop of our own. */
#include "args.h"
#include "cast.h"
#include "loops/loops.h"
#include "paths.h"
#include "run.h"
#include "threads.h"

/* Whether a loop can multiply these operands: arrays with axes that lie as they are read. */
static bool plain_product(const Plan *plan, const Operand *x, const Operand *y) {
    return plan->loop != NULL && aligned_native(x) && aligned_native(y) && PyArray_NDIM(x->data) >= 1 &&
           PyArray_NDIM(y->data) >= 1;
}

enum {
    SOME = 512,
    MUCH = 16384
}; /* multiplications from which integers of up to 16 bits, and wider ones, have other algorithms than NumPy's loop */
/* Of narrow floats: the elements that are float32 at a time where a stack, or a matrix and few vectors, are multiplied;
 * how many are few; and the rows and columns of a block of a matrix product, for each of which the BLAS copies its
 * operands once more, with at most so many elements unless it were to have fewer than ENOUGH. */
enum { NEAR = 1 << 12, NEAR_VECTORS = 1 << 17, FEW_VECTORS = 32, BLOCK = 2048, BLOCK_ELEMENTS = 1 << 23, ENOUGH = 512 };

/* Multiplications of a product that the BLAS computes by one thread, so that threads of ours can compute others; and
 * those that take as long as an element of other loops. */
enum { BY_ONE = 1 << 18, WORTH = 8 };

/* Return how many of `count` rows or columns to take at a time, as many each time: at most `most`. */
static npy_intp parts_of(npy_intp count, npy_intp most) {
    npy_intp blocks = count / most + (count % most > 0);
    return blocks <= 1 ? count : count / blocks + (count % blocks > 0);
}
/* The same for those of `length` elements each: as many as stay in the cache, or as there is space for. */
static npy_intp near_parts_of(npy_intp count, npy_intp length) {
    return parts_of(count, NEAR_VECTORS / (length > 0 ? length : 1) + FEW_VECTORS);
}
static npy_intp block_of(npy_intp count, npy_intp length) {
    npy_intp most = BLOCK_ELEMENTS / (length > 0 ? length : 1);
    return parts_of(count, most < ENOUGH ? ENOUGH : most < BLOCK ? most : BLOCK);
}

/* Convert rows, of which each is contiguous. */
static void convert_rows(const Conversion *how, const char *from, npy_intp from_step, char *to, npy_intp to_step,
                         npy_intp rows, npy_intp columns) {
    if (from_step == columns * how->from_size && to_step == columns * how->to_size) {
        convert_elements(how, from, to, rows * columns);
        return;
    }
    for (npy_intp i = 0; i < rows; i++) convert_elements(how, from + i * from_step, to + i * to_step, columns);
}

static void add_floats(const char *from, char *to, npy_intp count) {
    for (npy_intp i = 0; i < count; i++) ((float *)to)[i] += ((const float *)from)[i];
}

/* Multiply C-contiguous matrices of narrow floats by blocks, which are float32 one at a time. A sum is made at once,
 * but where few rows are multiplied: then some rows of the second matrix are read at a time, as they lie in memory. */
static PyArrayObject *multiply_narrow(const Plan *plan, const Operand *x, const Operand *y, npy_intp rows,
                                      npy_intp inner, npy_intp columns, PyArrayObject *out) {
    Conversion in, back;
    const bool few_rows = rows <= FEW_VECTORS, few_columns = columns <= FEW_VECTORS;
    npy_intp height = few_rows      ? rows
                      : few_columns ? near_parts_of(rows, inner)
                                    : block_of(rows, inner),
             size = sizeof(float);
    npy_intp width = few_rows ? parts_of(columns, 2 * BLOCK) : block_of(columns, inner),
             depth = few_rows ? near_parts_of(inner, width) : inner;
    bool fits = PyArray_IS_C_CONTIGUOUS(x->data) && PyArray_IS_C_CONTIGUOUS(y->data) &&
                find_conversion(x->node->type, plan->type, &in) && find_conversion(plan->type, plan->node->type, &back);
    if (fits && PyArray_SIZE(out) == 0) return out;
    npy_intp length = fits ? size_sum(size_product(height + width, depth), 2 * height * width) : 0;
    PyArrayObject *scratch =
        fits ? (PyArrayObject *)PyArray_SimpleNew(1, &length, NPY_FLOAT) : NULL; /* NumPy requests large pages */
    if (scratch == NULL) {
        Py_DECREF(out);
        return NULL;
    }
    char *first = PyArray_BYTES(scratch), *second = first + height * depth * size;
    char *result = second + depth * width * size, *more = result + height * width * size;
    const char *a = PyArray_BYTES(x->data), *b = PyArray_BYTES(y->data);
    char *to = PyArray_BYTES(out);
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(size_product(rows + columns, inner));
    for (npy_intp column = 0; column < columns; column += width) {
        npy_intp wide = columns - column < width ? columns - column : width;
        for (npy_intp row = 0; row < rows; row += height) {
            npy_intp high = rows - row < height ? rows - row : height, done = 0;
            do { /* once, too, where there is nothing to sum */
                npy_intp deep = inner - done < depth ? inner - done : depth, dimensions[] = {1, high, deep, wide};
                npy_intp steps[] = {0, 0, 0, deep * size, size, wide * size, size, wide * size, size};
                char *pointers[] = {first, second, done == 0 ? result : more};
                convert_rows(&in, a + (row * inner + done) * in.from_size, inner * in.from_size, first, deep * size,
                             high, deep);
                if (row == 0)
                    convert_rows(&in, b + (done * columns + column) * in.from_size, columns * in.from_size, second,
                                 wide * size, deep, wide);
                plan->loop(pointers, dimensions, steps, plan->auxiliary);
                if (done > 0) add_floats(more, result, high * wide);
                done += deep;
            } while (done < inner);
            convert_rows(&back, result, wide * size, to + (row * columns + column) * back.to_size,
                         columns * back.to_size, high, wide);
        }
    }
    NPY_END_THREADS;
    Py_DECREF(scratch);
    return out;
}

/* Multiply by the loop of (n?,k),(k,m?)->(n?,m?); an axis that is missing has length 1 and stride 0, as in NumPy. */
static PyObject *multiply(const Plan *plan, const Operand *x, const Operand *y) {
    PyArrayObject *a = x->data, *b = y->data;
    int a_axes = PyArray_NDIM(a), b_axes = PyArray_NDIM(b), ndim = 0;
    npy_intp rows = a_axes == 2 ? PyArray_DIM(a, 0) : 1, columns = b_axes == 2 ? PyArray_DIM(b, 1) : 1,
             inner = PyArray_DIM(a, a_axes - 1);
    npy_intp shape[2];
    if (PyArray_DIM(b, 0) != inner) return NULL;
    if (a_axes == 2) shape[ndim++] = rows;
    if (b_axes == 2) shape[ndim++] = columns;
    bool integers = plan->type >= E_INT8 && plan->type <= E_UINT64;
    bool much = integers && rows > 2 && columns > 2 &&
                size_product(size_product(rows, inner), columns) >= (type_size[plan->type] > 2 ? MUCH : SOME);
    if (much && type_size[plan->type] > 2) return NULL; /* exact products of floats are faster */
    if (bytes_of_shape(ndim, shape, plan->output_size) == TOO_LARGE) return NULL;
    PyArrayObject *out = new_data(plan->node, ndim, shape, false);
    if (out == NULL) return NULL;
    if (x->node->type != plan->type) return wrap(multiply_narrow(plan, x, y, rows, inner, columns, out), plan->node);
    if (much) {
        if (multiply_integers(a, b, out)) return wrap(out, plan->node);
        Py_DECREF(out);
        if (PyErr_ExceptionMatches(PyExc_MemoryError)) PyErr_Clear(); /* the Python function words it */
        return NULL;
    }
    npy_intp dimensions[] = {1, rows, inner, columns};
    npy_intp steps[] = {0,
                        0,
                        0,
                        a_axes == 2 ? PyArray_STRIDE(a, 0) : 0,
                        PyArray_STRIDE(a, a_axes - 1),
                        PyArray_STRIDE(b, 0),
                        b_axes == 2 ? PyArray_STRIDE(b, 1) : 0,
                        a_axes == 2 ? PyArray_STRIDE(out, 0) : 0,
                        b_axes == 2 ? PyArray_STRIDE(out, ndim - 1) : 0};
    char *pointers[] = {PyArray_BYTES(a), PyArray_BYTES(b), PyArray_BYTES(out)};
    bool large = size_product(rows, inner) >= UNLOCKED || size_product(inner, columns) >= UNLOCKED;
    NPY_BEGIN_THREADS_DEF;
    if (large) {
        NPY_BEGIN_THREADS;
    }
    plan->loop(pointers, dimensions, steps, plan->auxiliary);
    NPY_END_THREADS;
    return wrap(out, plan->node);
}

/* Multiply stacks of matrices of narrow floats, some of them at a time, in memory that stays in the cache; `dimensions`
 * are those of the loop. */
static bool multiply_narrow_stacks(const Plan *plan, const Operand *x, const Operand *y, PyArrayObject *out,
                                   const npy_intp *dimensions) {
    npy_intp rows = dimensions[1], inner = dimensions[2], columns = dimensions[3], size = sizeof(float);
    npy_intp sizes[] = {rows * inner, inner * columns, rows * columns},
             some = NEAR / (sizes[0] + sizes[1] + sizes[2] + 1) + 1;
    Conversion in, back;
    if (!find_conversion(x->node->type, plan->type, &in) || !find_conversion(plan->type, plan->node->type, &back))
        return false;
    char *scratch = PyMem_RawMalloc((size_t)(some * (sizes[0] + sizes[1] + sizes[2]) + 1) * size);
    if (scratch == NULL) {
        PyErr_NoMemory();
        return false;
    }
    char *second = scratch + some * sizes[0] * size, *result = second + some * sizes[1] * size;
    const char *a = PyArray_BYTES(x->data), *b = PyArray_BYTES(y->data);
    char *to = PyArray_BYTES(out);
    npy_intp steps[] = {sizes[0] * size,
                        sizes[1] * size,
                        sizes[2] * size,
                        inner * size,
                        size,
                        columns * size,
                        size,
                        columns * size,
                        size};
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(dimensions[0] * (sizes[0] + sizes[1]));
    for (npy_intp done = 0; done < dimensions[0]; done += some) {
        npy_intp now = dimensions[0] - done < some ? dimensions[0] - done : some, own[] = {now, rows, inner, columns};
        char *pointers[] = {scratch, second, result};
        convert_elements(&in, a + done * sizes[0] * in.from_size, scratch, now * sizes[0]);
        convert_elements(&in, b + done * sizes[1] * in.from_size, second, now * sizes[1]);
        plan->loop(pointers, own, steps, plan->auxiliary);
        convert_elements(&back, result, to + done * sizes[2] * back.to_size, now * sizes[2]);
    }
    NPY_END_THREADS;
    PyMem_RawFree(scratch);
    return true;
}

/* A stack of products that threads share. */
typedef struct {
    const Plan *plan;
    char *const *pointers;
    const npy_intp *dimensions, *steps;
} Stack;

static void stack_part(void *context, int Py_UNUSED(thread), npy_intp first, npy_intp last) {
    const Stack *all = context;
    npy_intp dimensions[] = {last - first, all->dimensions[1], all->dimensions[2], all->dimensions[3]};
    char *pointers[3];
    for (int i = 0; i < 3; i++) pointers[i] = all->pointers[i] + first * all->steps[i];
    all->plan->loop(pointers, dimensions, all->steps, all->plan->auxiliary);
}

/* Find the steps of an operand of the loop for stacks: of its stack, of which a matrix has none, and of a matrix. */
static void steps_of_operand(PyArrayObject *data, npy_intp *stack, npy_intp *matrix) {
    int ndim = PyArray_NDIM(data);
    matrix[0] = PyArray_STRIDE(data, ndim - 2);
    matrix[1] = PyArray_STRIDE(data, ndim - 1);
    *stack = ndim == 2   ? 0
             : ndim == 3 ? PyArray_STRIDE(data, 0)
                         : PyArray_DIM(data, ndim - 2) * PyArray_DIM(data, ndim - 1) * PyArray_ITEMSIZE(data);
}

/* Multiply stacks of as many C-contiguous matrices, of floats or of 8- or 16-bit integers; of NumPy's floats stacks
 * with one axis lie as they may, and one operand may be a matrix. NULL without an exception for others. */
static PyObject *multiply_stacks(const Plan *plan, const Operand *x, const Operand *y) {
    PyArrayObject *a = x->data, *b = y->data;
    int a_axes = PyArray_NDIM(a), b_axes = PyArray_NDIM(b), ndim = a_axes > b_axes ? a_axes : b_axes;
    bool integers = plan->type >= E_INT8 && plan->type <= E_UINT64, floats = !integers && x->node->type == plan->type;
    if (plan->type == E_BOOL || (integers && (type_size[plan->type] > 2 || x->node->type != plan->type))) return NULL;
    if (a_axes < 2 || b_axes < 2 || PyArray_SIZE(a) == 0 || PyArray_SIZE(b) == 0) return NULL;
    if (a_axes != b_axes ? !floats || (a_axes > 2 && b_axes > 2)
                         : !PyArray_CompareLists(PyArray_DIMS(a), PyArray_DIMS(b), ndim - 2))
        return NULL;
    if ((!floats || ndim > 3) && !(PyArray_IS_C_CONTIGUOUS(a) && PyArray_IS_C_CONTIGUOUS(b))) return NULL;
    npy_intp shape[NPY_MAXDIMS], rows = PyArray_DIM(a, a_axes - 2), inner = PyArray_DIM(a, a_axes - 1),
                                 columns = PyArray_DIM(b, b_axes - 1);
    if (PyArray_DIM(b, b_axes - 2) != inner) return NULL;
    memcpy(shape, PyArray_DIMS(a_axes == ndim ? a : b), ndim * sizeof *shape);
    shape[ndim - 2] = rows;
    shape[ndim - 1] = columns;
    if (bytes_of_shape(ndim, shape, plan->output_size) == TOO_LARGE) return NULL;
    PyArrayObject *out = new_data(plan->node, ndim, shape, false);
    if (out == NULL) return NULL;
    bool done = true;
    npy_intp dimensions[] = {PyArray_SIZE(out) / (rows * columns), rows, inner, columns}, steps[9];
    if (integers) done = multiply_integers(a, b, out);
    else if (!floats) done = multiply_narrow_stacks(plan, x, y, out, dimensions);
    else {
        PyArrayObject *operands[] = {a, b, out};
        for (int i = 0; i < 3; i++) steps_of_operand(operands[i], steps + i, steps + 3 + 2 * i);
        char *pointers[] = {PyArray_BYTES(a), PyArray_BYTES(b), PyArray_BYTES(out)};
        NPY_BEGIN_THREADS_DEF;
        NPY_BEGIN_THREADS_THRESHOLDED(PyArray_SIZE(a) + PyArray_SIZE(b));
        npy_intp work = size_product(size_product(rows, inner), columns);
        share_among(work <= BY_ONE ? MOST_THREADS : 1, stack_part, &(Stack){plan, pointers, dimensions, steps},
                    dimensions[0], work / WORTH + 1);
        NPY_END_THREADS;
    }
    if (done) return wrap(out, plan->node);
    Py_DECREF(out);
    return NULL;
}

/* Multiply vectors and matrices, or stacks of matrices. */
static PyObject *multiply_any(const Plan *plan, const Operand *x, const Operand *y) {
    return PyArray_NDIM(x->data) > 2 || PyArray_NDIM(y->data) > 2 ? multiply_stacks(plan, x, y) : multiply(plan, x, y);
}

/* The same, but for stacks. */
static PyObject *multiply_flat(const Plan *plan, const Operand *x, const Operand *y) {
    return PyArray_NDIM(x->data) > 2 || PyArray_NDIM(y->data) > 2 ? NULL : multiply(plan, x, y);
}

/* Multiply rows of narrow floats, some of them at a time; `out` is of the wide type. */
static bool dot_narrow_rows(const Plan *plan, const Operand *x, const Operand *y, char *out, npy_intp rows,
                            npy_intp length) {
    Conversion in, back;
    if (!PyArray_IS_C_CONTIGUOUS(x->data) || !PyArray_IS_C_CONTIGUOUS(y->data)) return false;
    if (!find_conversion(x->node->type, plan->type, &in) || !find_conversion(plan->type, plan->node->type, &back))
        return false;
    if (rows == 0) return true; /* of any length; other rows are in memory */
    npy_intp size = sizeof(float), some = near_parts_of(rows, length), elements = size_product(some, 2 * length + 1);
    npy_intp steps[] = {length * size, length * size, size, size, size};
    PyArrayObject *scratch = (PyArrayObject *)PyArray_SimpleNew(1, &elements, NPY_FLOAT);
    if (scratch == NULL) return false;
    char *first = PyArray_BYTES(scratch), *second = first + some * length * size, *sums = second + some * length * size;
    const char *a = PyArray_BYTES(x->data), *b = PyArray_BYTES(y->data);
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(rows * length);
    for (npy_intp done = 0; done < rows; done += some) {
        npy_intp now = rows - done < some ? rows - done : some, dimensions[] = {now, length};
        char *pointers[] = {first, second, sums};
        convert_elements(&in, a + done * length * in.from_size, first, now * length);
        convert_elements(&in, b + done * length * in.from_size, second, now * length);
        plan->loop(pointers, dimensions, steps, plan->auxiliary);
        convert_elements(&back, sums, out + done * back.to_size, now);
    }
    NPY_END_THREADS;
    Py_DECREF(scratch);
    return true;
}

/* Multiply vectors, or rows of two C-contiguous matrices one by one, by the loop of (n),(n)->(). */
static PyObject *dot_rows(const Plan *plan, const Operand *x, const Operand *y) {
    PyArrayObject *a = x->data, *b = y->data;
    int axes = PyArray_NDIM(a);
    if (axes > 2 || PyArray_NDIM(b) != axes || !PyArray_SAMESHAPE(a, b)) return NULL;
    if (bytes_of_shape(axes - 1, PyArray_DIMS(a), plan->output_size) == TOO_LARGE) return NULL;
    PyArrayObject *out = new_data(plan->node, axes - 1, PyArray_DIMS(a), false);
    if (out == NULL) return NULL;
    npy_intp dimensions[] = {axes == 2 ? PyArray_DIM(a, 0) : 1, PyArray_DIM(a, axes - 1)};
    if (x->node->type != plan->type) {
        if (dot_narrow_rows(plan, x, y, PyArray_BYTES(out), dimensions[0], dimensions[1])) return wrap(out, plan->node);
        Py_DECREF(out);
        return NULL;
    }
    npy_intp steps[] = {axes == 2 ? PyArray_STRIDE(a, 0) : 0, axes == 2 ? PyArray_STRIDE(b, 0) : 0, plan->output_size,
                        PyArray_STRIDE(a, axes - 1), PyArray_STRIDE(b, axes - 1)};
    char *pointers[] = {PyArray_BYTES(a), PyArray_BYTES(b), PyArray_BYTES(out)};
    npy_intp size = size_product(dimensions[0], dimensions[1]);
    if (dimensions[0] > 0) UNLOCKED_DO(size, plan->loop(pointers, dimensions, steps, plan->auxiliary));
    return wrap(out, plan->node);
}

typedef PyObject *Product(const Plan *plan, const Operand *x, const Operand *y);

/* Convert an operand to the type of the products, unless both operands are of one type; false where its elements do not
 * lie so, or with an exception. */
static bool in_type_of(const Plan *plan, Operand *x, Type other) {
    Type type = x->node->type;
    Conversion how;
    if (type == plan->type || type == other) return true;
    if (plan->loop == NULL || plan->node->type != plan->type || !PyArray_IS_C_CONTIGUOUS(x->data) ||
        !aligned_native(x) || !find_conversion(type, plan->type, &how))
        return false;
    PyArrayObject *data = new_data(plan->node, PyArray_NDIM(x->data), PyArray_DIMS(x->data), false);
    if (data == NULL) return false;
    share_conversion(&how, PyArray_BYTES(x->data), PyArray_BYTES(data), PyArray_SIZE(data));
    Py_SETREF(x->data, data);
    x->node = plan->node;
    return true;
}

static PyObject *product(Operation *operation, PyObject *x, PyObject *y, Product *compute) {
    Call call;
    if (operation == NULL || operation->operands != 2 || !IS_ARRAY(x) || !IS_ARRAY(y)) return NULL;
    if (!begin_two(&call, operation, x, y)) return NULL;
    Type first = call.x.node->type, second = call.y.node->type;
    bool plain = in_type_of(call.plan, &call.x, second) && in_type_of(call.plan, &call.y, first) &&
                 plain_product(call.plan, &call.x, &call.y);
    PyObject *result = plain ? compute(call.plan, &call.x, &call.y) : NULL;
    end_call(&call);
    return result;
}

PyObject *quick_matmul(Operation *operation, PyObject *x, PyObject *y) {
    return product(operation, x, y, multiply_any);
}

static PyObject *product_of(Operation *operation, const Arguments *arguments, Product *compute) {
    if (arguments->names != NULL || arguments->count != 2) return NULL;
    return product(operation, arguments->values[0], arguments->values[1], compute);
}
FAST_PATH(matmul_function, product_of(operation, arguments, multiply_any))
FAST_PATH(dot, product_of(operation, arguments, multiply_flat))
FAST_PATH(vecdot, product_of(operation, arguments, dot_rows))

const NamedPath product_paths[] = {{"matmul", quick_matmul_function, false},
                                   {"dot", quick_dot, false},
                                   {"vecdot", quick_vecdot, false},
                                   {NULL, NULL, false}};
