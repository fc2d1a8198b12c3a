/* Nests of loops over two operands and a result. */
#include "run.h"
#include "threads.h"

int broadcast(int count, PyArrayObject *const *arrays, npy_intp *shape) {
    int ndim = 0;
    for (int i = 0; i < count; i++) ndim = PyArray_NDIM(arrays[i]) > ndim ? PyArray_NDIM(arrays[i]) : ndim;
    for (int axis = 0; axis < ndim; axis++) {
        shape[axis] = 1;
        for (int i = 0; i < count; i++) {
            int own = axis - ndim + PyArray_NDIM(arrays[i]);
            npy_intp length = own < 0 ? 1 : PyArray_DIM(arrays[i], own);
            if (length == 1 || length == shape[axis]) continue;
            if (shape[axis] != 1) return -1;
            shape[axis] = length;
        }
    }
    return ndim;
}

void coalesce(Nest *nest) {
    int kept = 0;
    for (int axis = 0; axis < nest->ndim; axis++) {
        if (nest->shape[axis] == 1) continue;
        bool merges = kept > 0;
        for (int i = 0; merges && i < 3; i++)
            merges = nest->strides[i][kept - 1] == nest->strides[i][axis] * nest->shape[axis];
        int target = merges ? kept - 1 : kept++;
        nest->shape[target] = merges ? nest->shape[target] * nest->shape[axis] : nest->shape[axis];
        for (int i = 0; i < 3; i++) nest->strides[i][target] = nest->strides[i][axis];
    }
    nest->ndim = kept;
}

static void run_nest(const Plan *plan, const Nest *nest, char *const *starts) {
    int last = nest->ndim - 1;
    npy_intp count = last < 0 ? 1 : nest->shape[last], place[NPY_MAXDIMS] = {0};
    npy_intp steps[3];
    char *pointers[3] = {starts[0], starts[1], starts[2]};
    for (int i = 0; i < 3; i++) steps[i] = last < 0 ? 0 : nest->strides[i][last];
    for (;;) {
        char *now[3] = {pointers[0], pointers[1], pointers[2]};
        plan->loop(now, &count, steps, plan->auxiliary);
        int axis = last - 1;
        for (; axis >= 0; axis--) {
            for (int i = 0; i < 3; i++) pointers[i] += nest->strides[i][axis];
            if (++place[axis] < nest->shape[axis]) break;
            for (int i = 0; i < 3; i++) pointers[i] -= nest->strides[i][axis] * nest->shape[axis];
            place[axis] = 0;
        }
        if (axis < 0) return;
    }
}

/* A nest, of whose outer axis threads compute parts. */
typedef struct {
    const Plan *plan;
    const Nest *nest;
    char *const *starts;
} NestCall;

static void nest_part(void *context, int Py_UNUSED(thread), npy_intp first, npy_intp last) {
    const NestCall *call = context;
    Nest nest = *call->nest;
    char *starts[3];
    nest.shape[0] = last - first;
    for (int i = 0; i < 3; i++) starts[i] = call->starts[i] + first * nest.strides[i][0];
    run_nest(call->plan, &nest, starts);
}

void share_nest(const Plan *plan, const Nest *nest, char *const *starts, npy_intp size) {
    if (size < SHARED || nest->ndim == 0) run_nest(plan, nest, starts);
    else divide_work(MOST_THREADS, nest_part, &(NestCall){plan, nest, starts}, nest->shape[0], size / nest->shape[0]);
}

static npy_intp size_of_step(npy_intp step) { return step < 0 ? -step : step; }

/* Whether an axis lies outside of another one: 1, or -1 the reverse, or 0 where no operand has both. Where they
 * differ, C's order wins. */
static int compare_axes(const Nest *nest, int axis, int other) {
    int found = 0;
    for (int i = 0; i < 2; i++) {
        npy_intp step = nest->strides[i][axis], next = nest->strides[i][other];
        if (step == 0 || next == 0) continue;
        if (size_of_step(step) >= size_of_step(next)) return 1;
        found = -1;
    }
    return found;
}

PyArrayObject *new_like_operands(const Plan *plan, const Nest *nest) {
    int order[NPY_MAXDIMS], ndim = nest->ndim;
    bool plain = true;
    for (int axis = 0; axis < ndim; axis++) { /* from the inside, each is put outside of those that lie within it */
        int place = axis, own = ndim - 1 - axis;
        for (int i = axis - 1; i >= 0; i--) {
            int compared = compare_axes(nest, own, order[i]);
            if (compared > 0) break;
            if (compared < 0) place = i;
        }
        memmove(order + place + 1, order + place, (axis - place) * sizeof *order);
        order[place] = own;
        plain = plain && place == axis;
    }
    if (plain) return new_data(plan->node, ndim, nest->shape, false);
    npy_intp strides[NPY_MAXDIMS], step = plan->output_size;
    for (int i = 0; i < ndim; i++) {
        strides[order[i]] = step;
        if (nest->shape[order[i]] > 0) step = size_product(step, nest->shape[order[i]]);
    }
    return new_buffer(plan->node->dtype, ndim, nest->shape, strides, false);
}
