/* Folds: sums, products, extremes, means, truths and cumulations by the loops of NumPy's ufuncs.
 *
 * A reduction is NumPy's: the loop of the ufunc with the result as first input and output, which stays in place along
 * the axes that go. Sums are NumPy's bit for bit, because the calls of the loop are: all of a contiguous buffer at
 * once, which the loop adds in pairs; blocks of NumPy's buffer size where elements are converted; along axes in the
 * order of memory. What NumPy would order differently (strides that are not those of C order) goes to the Python
 * definition. Narrow floats are folded along axes as their float32 copies would be.
 */
#include "args.h"
#include "loops/narrow_kernels.h"
#include "paths.h"
#include "run.h"
#include "threads.h"

enum { REDUCE, TOTAL, MEAN, ACCUMULATE }; /* all but the first have a dtype */
enum { BUFFER = SUMMED }; /* elements: NumPy's default buffer, by which it splits sums of converted elements */
enum {
    PARTIAL = 8 * BUFFER
}; /* elements of partial sums and products of narrow floats, see `_kernels/blocked_reductions.py` */

/* What is done to elements; all after FLOATS have another type than the loop. */
typedef struct {
    const Plan *plan;
    enum {
        AS_THEY_ARE, /* the plan's loop */
        FLOATS,      /* many float32 numbers are added by a loop of our own, more at a time than NumPy's */
        CONVERTED,   /* the plan's loop, after a conversion */
        ADDED,       /* the same of float32 sums, in pairs */
        CODES,       /* a kernel of the elements' codes: the extreme of two narrow floats */
    } mode;
    bool far;      /* whether no cache holds all elements */
    npy_intp size; /* of a result until it is rounded */
    Type from;
    Conversion how;
    Kernel *kernel;
    char *scratch; /* for buffers of converted elements, of which each thread has one */
    size_t scratch_size;
    int threads;
} Fold;

static bool is_extreme(const Plan *plan) { return plan->what == A_LEAST || plan->what == A_GREATEST; }

/* Prepare a fold; false where elements cannot be converted or there is no memory. (An exception is set for the latter.)
 */
static bool begin_fold(Fold *fold, const Plan *plan, Type from, npy_intp count) {
    enum { MANY_FLOATS = 4096 };
    *fold = (Fold){.plan = plan, .size = plan->input_size, .from = from, .threads = MOST_THREADS};
    fold->far = count >= MANY;
    if (from == plan->type) {
        if (count >= MANY_FLOATS && plan->what == A_SUM && plan->type == E_FLOAT32) fold->mode = FLOATS;
        return true;
    }
    if (!find_conversion(from, plan->type, &fold->how)) return false;
    fold->mode = plan->what == A_SUM && plan->type == E_FLOAT32 ? ADDED : CONVERTED;
    fold->scratch_size = (size_t)(count < BUFFER ? count : BUFFER) * plan->input_size + plan->input_size;
    fold->threads = threads_for(count, 1);
    fold->scratch = PyMem_RawMalloc((size_t)size_product((npy_intp)fold->scratch_size, fold->threads));
    if (fold->scratch == NULL) PyErr_NoMemory();
    return fold->scratch != NULL;
}

/* Return the fold as one of the threads does it that share it. */
static Fold own_fold(const Fold *fold, int thread) {
    Fold own = *fold;
    if (own.scratch != NULL) own.scratch += thread * own.scratch_size;
    return own;
}

/* Have extremes along axes found by the codes of elements, of which they are some; false where there is no kernel. */
static bool fold_codes(Fold *fold) {
    Kernels kernels;
    _Alignas(2) char code[2] = {0}, found[2];
    if (fold->mode != CONVERTED || !is_extreme(fold->plan) || fold->plan->node->type != fold->from ||
        !find_extreme(fold->from, code, 1, true, found) ||
        !find_kernels(fold->plan->what == A_GREATEST ? "maximum" : "minimum", fold->from, &kernels))
        return false;
    fold->mode = CODES;
    fold->kernel = kernels.levels[loop_level];
    fold->size = size_of_narrow(fold->from);
    return true;
}

/* -- contiguous elements -- */

/* Fold `count` contiguous elements of the loop's type into `out`, which has the identity or the first element already.
 */
static void fold_same(const Plan *plan, char *out, const char *in, npy_intp count) {
    char *pointers[] = {out, (char *)in, out};
    npy_intp steps[] = {0, plan->input_size, 0};
    plan->loop(pointers, &count, steps, plan->auxiliary);
}

/* Add in pairs as NumPy's loop adds converted elements, had it all of them at once. */
static float pairwise_sum(const Fold *fold, const char *in, npy_intp count) {
    if (count == BUFFER) return sum_converted(&fold->how, in);
    if (count < BUFFER) {
        convert_elements(&fold->how, in, fold->scratch, count);
        return sum_floats((const float *)fold->scratch, count, false);
    }
    npy_intp half = count / 2;
    half -= half % 8;
    return pairwise_sum(fold, in, half) + pairwise_sum(fold, in + half * fold->how.from_size, count - half);
}

/* Fold contiguous elements into `out` as one call of the loop would. */
static void fold_run(const Fold *fold, char *out, const char *in, npy_intp count) {
    _Alignas(2) char found[2];
    const bool greatest = fold->plan->what == A_GREATEST;
    switch (fold->mode) {
    case AS_THEY_ARE: fold_same(fold->plan, out, in, count); return;
    case FLOATS: *(float *)out += sum_floats((const float *)in, count, fold->far); return;
    case ADDED: *(float *)out += pairwise_sum(fold, in, count); return;
    case CODES:
        find_extreme(fold->from, in, count, greatest, found);
        fold->kernel(out, found, out, 1, layout_of(fold->from));
        return;
    default: break;
    }
    if (is_extreme(fold->plan) && count > 1 && find_extreme(fold->from, in, count, greatest, found)) {
        in = found; /* one element to fold */
        count = 1;
    }
    for (npy_intp done = 0; done < count; done += BUFFER) {
        npy_intp now = count - done < BUFFER ? count - done : BUFFER;
        convert_elements(&fold->how, in + done * fold->how.from_size, fold->scratch, now);
        fold_same(fold->plan, out, fold->scratch, now);
    }
}

/* Copy the first element of a fold, converted if need be. */
static void fold_first(const Fold *fold, char *out, const char *in) {
    if (fold->mode == CONVERTED || fold->mode == ADDED) convert_elements(&fold->how, in, out, 1);
    else memcpy(out, in, fold->size);
}

/* Fill a contiguous buffer with 0 or 1. */
static void fill_identity(const Plan *plan, char *place, npy_intp count) {
    uint8_t one = 1;
    Conversion how;
    memset(place, plan->type == E_BOOL && plan->identity, (size_t)count * plan->input_size);
    if (plan->type != E_BOOL && plan->identity && find_conversion(E_BOOL, plan->type, &how))
        for (npy_intp i = 0; i < count; i++)
            convert_elements(&how, (const char *)&one, place + i * plan->input_size, 1);
}

/* A contiguous buffer of which threads fold pieces, each into a result of its own. */
typedef struct {
    const Fold *fold;
    const char *in;
    char *partial;
    npy_intp count, piece, itemsize;
    int depth; /* of sums in pairs: how often they are halved until they are pieces; or -1 */
} Pieces;

static void fold_pieces(void *context, int thread, npy_intp begin, npy_intp end) {
    const Pieces *all = context;
    Fold fold = own_fold(all->fold, thread);
    npy_intp size = fold.plan->input_size;
    for (npy_intp i = begin; i < end; i++) {
        npy_intp first = i * all->piece, rest = all->count - first, now = rest < all->piece ? rest : all->piece;
        if (all->depth >= 0) { /* complex numbers count as two */
            int parts = fold.plan->type >= E_COMPLEX64 ? 2 : 1;
            find_piece(all->count * parts, all->depth, i, &first, &now);
            first /= parts;
            now /= parts;
        }
        const char *in = all->in + first * all->itemsize;
        bool begins = fold.plan->identity < 0;
        if (begins) fold_first(&fold, all->partial + i * size, in);
        fold_run(&fold, all->partial + i * size, in + begins * all->itemsize, now - begins);
    }
}

/* Fold a whole contiguous buffer of at least one element into `out`, by one thread and without partial results. */
static void fold_plainly(const Fold *fold, const char *in, npy_intp count, npy_intp itemsize, char *out) {
    bool extreme = fold->plan->identity < 0;
    npy_intp piece = fold->mode > FLOATS && !extreme ? BUFFER : count;
    if (extreme) fold_first(fold, out, in); /* which begin with the first element */
    for (npy_intp done = extreme; done < count; done += piece)
        fold_run(fold, out, in + done * itemsize, count - done < piece ? count - done : piece);
}

/* The same by threads that share it; false with an exception. */
static bool fold_all(const Fold *fold, const Operand *x, char *out) {
    npy_intp size = fold->plan->input_size, parts = 0;
    Pieces all = {fold, PyArray_BYTES(x->data), NULL, PyArray_SIZE(x->data), 0, PyArray_ITEMSIZE(x->data), -1};
    if (all.count <= PARTIAL) {
        UNLOCKED_DO(all.count, fold_plainly(fold, all.in, all.count, all.itemsize, out));
        return true;
    }
    bool extreme = fold->plan->identity < 0, large = all.count >= SHARED && threads_for(all.count, 1) > 1;
    bool in_parts = !extreme && all.count > PARTIAL && !is_native(x->node->type) && x->node->type != E_BFLOAT16;
    if (in_parts) all.piece = PARTIAL;
    else if (large && (extreme || fold->plan->type < E_FLOAT32)) all.piece = PIECE; /* which are associative */
    else if (large && fold->mode > FLOATS && fold->plan->what == A_SUM) all.piece = BUFFER;
    else if (large && fold->plan->what == A_SUM) {
        all.piece = PIECE;
        all.depth = depth_of_pieces(all.count);
    }
    if (all.piece > 0) {
        parts = all.depth >= 0 ? (npy_intp)1 << all.depth : (all.count + all.piece - 1) / all.piece;
        all.partial = PyMem_RawMalloc((size_t)size_product(parts, size));
        if (all.partial == NULL) {
            PyErr_NoMemory();
            return false;
        }
        if (!extreme) fill_identity(fold->plan, all.partial, parts);
    }
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(all.count);
    if (parts) {
        share_among(fold->threads, fold_pieces, &all, parts, all.piece);
        for (int level = 0; level < all.depth; level++) /* add in pairs */
            for (npy_intp i = 0; i < parts; i += (npy_intp)2 << level)
                fold_same(fold->plan, all.partial + i * size, all.partial + (i + ((npy_intp)1 << level)) * size, 1);
        if (extreme) memcpy(out, all.partial, size);
        if (in_parts) fold_same(fold->plan, out, all.partial, parts);
        else
            for (npy_intp i = 0; i < (all.depth >= 0 ? 1 : parts); i++)
                fold_same(fold->plan, out, all.partial + i * size, 1);
    } else fold_plainly(fold, all.in, all.count, all.itemsize, out);
    NPY_END_THREADS;
    PyMem_RawFree(all.partial);
    return true;
}

/* -- along axes -- */

/* Adjacent axes of a C-contiguous buffer that are all kept or all folded, as one. */
typedef struct {
    int ndim;
    npy_intp shape[NPY_MAXDIMS];
    bool folded[NPY_MAXDIMS];
} Axes;

static void merge_axes(Axes *axes, PyArrayObject *data, const bool *folded) {
    axes->ndim = 0;
    for (int axis = 0; axis < PyArray_NDIM(data); axis++) {
        npy_intp length = PyArray_DIM(data, axis);
        if (length == 1) continue;
        if (axes->ndim > 0 && axes->folded[axes->ndim - 1] == folded[axis]) axes->shape[axes->ndim - 1] *= length;
        else {
            axes->shape[axes->ndim] = length;
            axes->folded[axes->ndim++] = folded[axis];
        }
    }
}

/* Begin extremes with the elements whose place along every folded axis is 0; or with the identity. */
static void begin_axes(const Fold *fold, const Axes *axes, int axis, char *out, const char *in,
                       const npy_intp *out_steps, const npy_intp *in_steps) {
    if (axis == axes->ndim) {
        fold_first(fold, out, in);
        return;
    }
    npy_intp length = axes->folded[axis] ? 1 : axes->shape[axis];
    for (npy_intp i = 0; i < length; i++)
        begin_axes(fold, axes, axis + 1, out + i * out_steps[axis], in + i * in_steps[axis], out_steps, in_steps);
}

/* Combine contiguous elements with as many results. */
static void combine(const Fold *fold, char *out, const char *in, npy_intp count) {
    npy_intp size = fold->size, steps[] = {size, size, size};
    if (fold->mode == CODES) {
        fold->kernel(out, in, out, count, layout_of(fold->from));
        return;
    }
    const bool converts = fold->mode > FLOATS;
    for (npy_intp done = 0; done < count; done += BUFFER) {
        npy_intp now = count - done < BUFFER ? count - done : BUFFER;
        const char *from = in + done * (converts ? fold->how.from_size : size);
        if (converts) convert_elements(&fold->how, from, fold->scratch, now);
        char *pointers[] = {out + done * size, converts ? fold->scratch : (char *)from, out + done * size};
        fold->plan->loop(pointers, &now, steps, fold->plan->auxiliary);
    }
}

/* Combine elements along a kept axis, the `lanes`, for each place along the axes from `axis` on. */
static void fold_lanes(const Fold *fold, const Axes *axes, int lanes, npy_intp count, int axis, char *out,
                       const char *in, const npy_intp *out_steps, const npy_intp *in_steps) {
    if (axis == axes->ndim) {
        char *pointers[] = {out, (char *)in, out};
        const npy_intp steps[] = {out_steps[lanes], in_steps[lanes], out_steps[lanes]};
        fold->plan->loop(pointers, &count, steps, fold->plan->auxiliary);
        return;
    }
    for (npy_intp i = 0; i < axes->shape[axis]; i++)
        fold_lanes(fold, axes, lanes, count, axis + 1, out + i * out_steps[axis], in + i * in_steps[axis], out_steps,
                   in_steps);
}

/* Whether calls along an axis are longer than rows are and have the same results: sums (not all products have), and not
 * those of eight numbers or more, which are in pairs, or of rows that are added to others as a whole. */
static bool has_lanes(const Fold *fold, const Axes *axes, int axis) {
    npy_intp row = axes->shape[axes->ndim - 1];
    bool whole = axes->ndim > 2 || row * (fold->plan->type >= E_COMPLEX64 ? 2 : 1) >= 8;
    return fold->mode == AS_THEY_ARE && (fold->plan->what == A_SUM || fold->plan->type < E_FLOAT32) &&
           !axes->folded[axis] && axes->shape[axis] > row && !(whole && axes->folded[axes->ndim - 1]);
}

static void fold_axes(const Fold *fold, const Axes *axes, int axis, char *out, const char *in,
                      const npy_intp *out_steps, const npy_intp *in_steps) {
    enum { LANES = 1024 };
    if (axis >= axes->ndim - 1) {
        npy_intp count = axes->ndim == 0 ? 1 : axes->shape[axis];
        if (axes->ndim == 0 || axes->folded[axis]) fold_run(fold, out, in, count);
        else combine(fold, out, in, count);
        return;
    }
    if (has_lanes(fold, axes, axis)) {
        for (npy_intp i = 0, length = axes->shape[axis]; i < length; i += LANES)
            fold_lanes(fold, axes, axis, length - i < LANES ? length - i : LANES, axis + 1, out + i * out_steps[axis],
                       in + i * in_steps[axis], out_steps, in_steps);
        return;
    }
    if (axis == axes->ndim - 2 && axes->folded[axis]) { /* so the last axis is kept */
        npy_intp rows = axes->shape[axis], columns = axes->shape[axis + 1];
        if (fold->mode == ADDED) {
            sum_columns(&fold->how, in, rows, columns, columns, (float *)fold->scratch, (float *)out);
            return;
        }
        if (fold->mode == CODES &&
            extremes_of_columns(fold->from, in, rows, columns, fold->plan->what == A_GREATEST, out))
            return;
    }
    for (npy_intp i = 0; i < axes->shape[axis]; i++)
        fold_axes(fold, axes, axis + 1, out + i * out_steps[axis], in + i * in_steps[axis], out_steps, in_steps);
}

enum { COLUMNS = 2048 };

/* A buffer that is folded along axes, of whose results threads compute parts. */
typedef struct {
    const Fold *fold;
    Axes axes;
    npy_intp out_steps[NPY_MAXDIMS], in_steps[NPY_MAXDIMS];
    char *to;
    const char *from;
    int shared; /* the first axis that is kept, whose places are shared, `unit` of them at a time */
    npy_intp unit;
} Along;

static void along_part(void *context, int thread, npy_intp first, npy_intp last) {
    const Along *all = context;
    Fold fold = own_fold(all->fold, thread);
    Axes axes = all->axes;
    first *= all->unit;
    last = last * all->unit < axes.shape[all->shared] ? last * all->unit : axes.shape[all->shared];
    char *to = all->to + first * all->out_steps[all->shared];
    const char *from = all->from + first * all->in_steps[all->shared];
    axes.shape[all->shared] = last - first;
    if (fold.plan->identity < 0) begin_axes(&fold, &axes, 0, to, from, all->out_steps, all->in_steps);
    if (all->shared == 0 || all->shared < axes.ndim - 1 || last - first == all->axes.shape[all->shared])
        fold_axes(&fold, &axes, 0, to, from, all->out_steps, all->in_steps);
    else if (fold.mode == ADDED)
        sum_columns(&fold.how, from, axes.shape[0], last - first, all->axes.shape[1], (float *)fold.scratch,
                    (float *)to);
    else
        for (npy_intp row = 0; row < axes.shape[0]; row++)
            combine(&fold, to, from + row * all->in_steps[0], last - first);
}

/* Fold a C-contiguous buffer along axes into `out`, which is C-contiguous. */
static void fold_along(const Fold *fold, PyArrayObject *data, const bool *folded, PyArrayObject *out) {
    Along all; /* of which few axes are set */
    all.fold = fold;
    all.to = PyArray_BYTES(out);
    all.from = PyArray_BYTES(data);
    const Axes *axes = &all.axes;
    merge_axes(&all.axes, data, folded);
    npy_intp out_step = fold->size, in_step = PyArray_ITEMSIZE(data), size = PyArray_SIZE(data);
    for (int axis = axes->ndim - 1; axis >= 0; axis--) {
        all.in_steps[axis] = in_step;
        in_step *= axes->shape[axis];
        all.out_steps[axis] = axes->folded[axis] ? 0 : out_step;
        if (!axes->folded[axis]) out_step *= axes->shape[axis];
    }
    all.shared = axes->ndim > 0 && axes->folded[0];
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(size);
    if (axes->ndim == 0 || size < SHARED) {
        if (fold->plan->identity < 0) begin_axes(fold, axes, 0, all.to, all.from, all.out_steps, all.in_steps);
        fold_axes(fold, axes, 0, all.to, all.from, all.out_steps, all.in_steps);
    } else {
        npy_intp kept = axes->shape[all.shared];
        bool columns =
            all.shared == 1 && axes->ndim == 2; /* of which each thread reads parts of rows, not too short ones */
        all.unit = columns ? COLUMNS : 1;
        divide_work(fold->mode == CODES && all.shared ? 1 : fold->threads, along_part, &all,
                    kept / all.unit + (kept % all.unit > 0), size_product(size / kept, all.unit));
    }
    NPY_END_THREADS;
}

/* -- results -- */

/* Divide sums by a count; of complex numbers, each part. */
static void divide(Type type, char *place, npy_intp count, npy_intp divisor) {
    if (type == E_FLOAT32 || type == E_COMPLEX64)
        for (npy_intp i = 0; i < count * (1 + (type == E_COMPLEX64)); i++) ((float *)place)[i] /= (float)divisor;
    else
        for (npy_intp i = 0; i < count * (1 + (type == E_COMPLEX128)); i++) ((double *)place)[i] /= (double)divisor;
}

/* Read an axis that counts from either end into `folded`; false where it is none or comes twice. */
static bool mark_axis(PyObject *axis, int ndim, bool *folded) {
    int place = read_axis(axis, ndim);
    if (place < 0 || folded[place]) return false;
    return folded[place] = true;
}

static bool mark_axes(PyObject *axis, int ndim, bool *folded) {
    memset(folded, axis == NULL || axis == Py_None, ndim * sizeof(bool));
    if (axis == NULL || axis == Py_None) return true;
    if (ndim == 0) return false;
    if (!PyTuple_CheckExact(axis)) return mark_axis(axis, ndim, folded);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(axis); i++)
        if (!mark_axis(PyTuple_GET_ITEM(axis, i), ndim, folded)) return false;
    return true;
}

/* Convert folded sums to the dtype of the result; takes over `folded`. */
static PyArrayObject *rounded(const Plan *plan, PyArrayObject *folded) {
    Conversion how;
    if (!find_conversion(plan->type, plan->node->type, &how)) return folded; /* the same type */
    PyArrayObject *out = new_data(plan->node, PyArray_NDIM(folded), PyArray_DIMS(folded), false);
    if (out != NULL) convert_elements(&how, PyArray_BYTES(folded), PyArray_BYTES(out), PyArray_SIZE(folded));
    Py_DECREF(folded);
    return out;
}

/* Make the buffer that is folded into: of the plan's own dtype. */
static PyArrayObject *new_folded(const Plan *plan, int ndim, const npy_intp *shape) {
    if (plan->input == plan->node->dtype) return new_data(plan->node, ndim, shape, false);
    return new_buffer(plan->input, ndim, shape, NULL, false);
}

static PyObject *reduce(const Plan *plan, const Operand *x, PyObject *axis, bool keepdims, int how) {
    PyArrayObject *data = x->data;
    int ndim = PyArray_NDIM(data), kept = 0;
    bool folded[NPY_MAXDIMS], everything = true;
    npy_intp shape[NPY_MAXDIMS], size = PyArray_SIZE(data);
    if (!mark_axes(axis, ndim, folded)) return NULL;
    if (how == MEAN && (plan->type < E_FLOAT32 || plan->type > E_COMPLEX128))
        return NULL; /* of integers, as some systems have it */
    for (int i = 0; i < ndim; i++) {
        everything = everything && (folded[i] || PyArray_DIM(data, i) == 1);
        if (!folded[i]) shape[kept++] = PyArray_DIM(data, i);
        else if (keepdims) shape[kept++] = 1;
    }
    if (size == 0 && (plan->identity < 0 || how == MEAN)) return NULL;
    if (!(PyArray_IS_C_CONTIGUOUS(data) || (everything && PyArray_IS_F_CONTIGUOUS(data)))) return NULL;
    /* A buffer of NumPy's may split sums of converted floats where this would not; integers and truths are exact in any
     * order. */
    if (x->node->type != plan->type && is_native(x->node->type) && !everything && plan->type >= E_FLOAT32 &&
        (size > BUFFER || type_size[x->node->type] > 4))
        return NULL;
    if (bytes_of_shape(kept, shape, plan->input_size) == TOO_LARGE)
        return NULL; /* of nothing, there may be more results than fit */
    Fold fold;
    if (!begin_fold(&fold, plan, x->node->type, size)) return NULL;
    bool codes = !everything && fold_codes(&fold);
    PyArrayObject *out = codes ? new_data(plan->node, kept, shape, false) : new_folded(plan, kept, shape);
    npy_intp results = out == NULL ? 0 : PyArray_SIZE(out);
    if (out != NULL && plan->identity >= 0) fill_identity(plan, PyArray_BYTES(out), results);
    if (out != NULL && size != 0) {
        if (!everything) fold_along(&fold, data, folded, out);
        else if (!fold_all(&fold, x, PyArray_BYTES(out))) Py_CLEAR(out);
    }
    PyMem_RawFree(fold.scratch);
    if (out == NULL) return NULL;
    if (how == MEAN && results) divide(plan->type, PyArray_BYTES(out), results, size / results);
    return wrap(codes ? out : rounded(plan, out), plan->node);
}

/* Cumulate contiguous elements into results that are rounded: block by block, each after the last result of the one
 * before. */
static void cumulate_rounded(const Fold *fold, const Conversion *rounding, const char *in, char *out, npy_intp count) {
    npy_intp size = fold->plan->input_size, steps[] = {size, size, size};
    fold_first(fold, fold->scratch, in);
    convert_elements(rounding, fold->scratch, out, 1);
    for (npy_intp done = 1; done < count; done += BUFFER) {
        npy_intp now = count - done < BUFFER ? count - done : BUFFER;
        char *pointers[] = {fold->scratch, fold->scratch + size, fold->scratch + size};
        convert_elements(&fold->how, in + done * fold->how.from_size, fold->scratch + size, now);
        fold->plan->loop(pointers, &now, steps, fold->plan->auxiliary);
        convert_elements(rounding, fold->scratch + size, out + done * rounding->to_size, now);
        memcpy(fold->scratch, fold->scratch + now * size, size);
    }
}

/* Cumulate one axis of a contiguous buffer, as NumPy does: the first element, then each result from the one before it.
 */
static PyObject *accumulate(const Plan *plan, const Operand *x, PyObject *axis) {
    PyArrayObject *data = x->data;
    bool folded = false;
    if (PyArray_NDIM(data) != 1 || !PyArray_IS_C_CONTIGUOUS(data)) return NULL;
    if (axis != NULL && axis != Py_None && !mark_axis(axis, 1, &folded)) return NULL;
    Conversion rounding;
    bool rounds = find_conversion(plan->type, plan->node->type, &rounding);
    if (rounds && x->node->type == plan->type) return NULL;
    Fold fold;
    npy_intp count = PyArray_DIM(data, 0), step = plan->input_size;
    if (!begin_fold(&fold, plan, x->node->type, count)) return NULL;
    PyArrayObject *out = rounds ? new_data(plan->node, 1, &count, false) : new_folded(plan, 1, &count);
    if (out != NULL && count > 0) {
        char *to = PyArray_BYTES(out), *from = PyArray_BYTES(data);
        NPY_BEGIN_THREADS_DEF;
        NPY_BEGIN_THREADS_THRESHOLDED(count);
        if (rounds) cumulate_rounded(&fold, &rounding, from, to, count);
        else {
            if (fold.mode > FLOATS) { /* the result holds the converted elements until each is overwritten */
                convert_elements(&fold.how, from, to, count);
                from = to;
            } else memcpy(to, from, step);
            char *pointers[] = {to, from + step, to + step};
            npy_intp steps[] = {step, step, step}, rest = count - 1;
            plan->loop(pointers, &rest, steps, plan->auxiliary);
        }
        NPY_END_THREADS;
    }
    PyMem_RawFree(fold.scratch);
    return wrap(out, plan->node);
}

/* Whether elements of a dtype that is requested are what the loop folds: it converts them as a cast before it would,
 * see `operand_data` in `_core/reduction_rows.py`. */
static bool folds_as_wanted(const Plan *plan, int how, const Node *from, const Node *wanted) {
    if (plan->node != wanted) return false;
    if (from->type == wanted->type) return true;
    bool drops = (strchr("fc", from->kind) != NULL && strchr("biu", wanted->kind) != NULL) ||
                 (from->kind == 'c' && wanted->kind == 'f');
    /* Means of integers add in float64. */
    if (drops || (how == MEAN && strchr("iu", from->kind) != NULL && wanted->type == E_FLOAT32)) return false;
    return plan->type == wanted->type && (is_native(from->type) || from->kind == wanted->kind);
}

static PyObject *fold_array(Operation *operation, int how, PyObject *array, PyObject *axis, bool keepdims,
                            const Node *wanted) {
    Call call = {operand_of(array), {NULL}, NULL};
    PyObject *result = NULL;
    call.plan = plan_of_one(operation, wanted == NULL ? call.x : (Operand){call.x.data, wanted});
    if (!begun(&call)) return NULL;
    if (call.plan->loop != NULL && aligned_native(&call.x) &&
        (wanted == NULL || folds_as_wanted(call.plan, how, call.x.node, wanted))) {
        if (how == ACCUMULATE) result = accumulate(call.plan, &call.x, axis);
        else result = reduce(call.plan, &call.x, axis, keepdims, how);
    }
    end_call(&call);
    return result;
}

/* Read the dtype of a fold; false where it is none that C knows. */
static bool read_dtype(PyObject *dtype, const Node **wanted) {
    *wanted = NULL;
    if (dtype == NULL || dtype == Py_None) return true;
    State *state = current_state();
    return state != NULL && (*wanted = node_of_argument(state, dtype)) != NULL;
}

static PyObject *quick_fold(Operation *operation, int how, const Arguments *arguments) {
    PyObject *found[4] = {NULL}, *const parameters[4] = {names.a, names.axis, how == REDUCE ? NULL : names.dtype,
                                                         names.keepdims};
    const Node *wanted;
    /* The axis of `cumulative_sum` comes by its name alone. */
    if (!arguments_by_name(arguments, parameters, how == ACCUMULATE ? 1 : 2, how == ACCUMULATE ? 3 : 4, found))
        return NULL;
    PyObject *x = found[0], *keepdims = found[3];
    if (x == NULL || (keepdims != NULL && !PyBool_Check(keepdims)) || !read_dtype(found[2], &wanted)) return NULL;
    PyObject *array = IS_ARRAY(x) ? Py_NewRef(x) : PyArray_CheckExact(x) ? plain_operand(x) : NULL;
    PyObject *result = array == NULL ? NULL : fold_array(operation, how, array, found[1], keepdims == Py_True, wanted);
    Py_XDECREF(array);
    return result;
}

FAST_PATH(reduce, quick_fold(operation, REDUCE, arguments))
FAST_PATH(total, quick_fold(operation, TOTAL, arguments))
FAST_PATH(mean, quick_fold(operation, MEAN, arguments))
FAST_PATH(accumulate, quick_fold(operation, ACCUMULATE, arguments))

const NamedPath fold_paths[] = {{"reduce", quick_reduce, true},
                                {"mean", quick_mean, true},
                                {"total", quick_total, true},
                                {"accumulate", quick_accumulate, true},
                                {NULL, NULL, false}};
