/* Program: recorded calls that run one after the other, without Python between them.
 *
 * A program is made once, for given shapes and nodes (see supremum.jax._compiling). Its values are slots. Elements that
 * loops read and write are in one block of memory, the arena, at places that were chosen when the program was made;
 * what calls of functions take and return are Arrays. A slot may have both. The arena belongs to a run and not to the
 * program, so threads may run one program at the same time, and a call may run the program that it is part of.
 *
 * A step is a loop of a plan, a reduction or a product by one, a move of elements, maybe from or to a window that
 * integers among the values move, a selection by a condition, a loop or a choice whose steps are programs, or a call of
 * a function, which may run Python.
 * A program without calls runs without the lock, if it takes long, which is taken every few milliseconds for signals.
 *
 * Programs are immutable, but for loops and choices that come upon arrays in another order: they are called from then
 * on. They own plans, functions and constant arguments; the garbage collector may clear them, but none that runs, since
 * a run owns its program.
 */
#include "program.h"

#include "args.h"
#include "parts.h"
#include "scalars.h"

PyTypeObject *ProgramType;

enum { LONGEST_ROW = 4096 }; /* elements of a nest, up to which operations of one call use one too */

/* -- making -- */

/* Whether an object is a tuple; false with an exception. */
static bool is_row(PyObject *x) {
    if (!PyTuple_Check(x)) PyErr_Format(PyExc_TypeError, "Program: expected a tuple, got %R", x);
    return PyTuple_Check(x);
}

/* Say what is wrong with what was given: false, with an exception. */
static bool refuse(PyObject *x, const char *why) {
    PyErr_Format(PyExc_ValueError, "Program: %R %s", x, why);
    return false;
}

/* Read a tuple of numbers of slots. */
static bool read_slots(const Program *self, PyObject *tuple, int *count, int **found) {
    if (!is_row(tuple)) return false;
    Py_ssize_t length = PyTuple_GET_SIZE(tuple);
    *found = zeroed(length, sizeof(int));
    if (*found == NULL) return false;
    *count = (int)length;
    for (Py_ssize_t i = 0; i < length; i++) {
        npy_intp value = PyNumber_AsSsize_t(PyTuple_GET_ITEM(tuple, i), NULL);
        if (value < 0 || value >= self->slot_count)
            return refuse(PyTuple_GET_ITEM(tuple, i), "is the number of no slot");
        (*found)[i] = (int)value;
    }
    return true;
}

/* Read (node, shape, offset). */
static bool read_slot(Program *self, Slot *slot, PyObject *row) {
    PyObject *node, *shape;
    Py_ssize_t offset;
    if (!is_row(row)) return false;
    if (!PyArg_ParseTuple(row, "OO!n:Program", &node, &PyTuple_Type, &shape, &offset)) return false;
    slot->node = node_of(node);
    if (slot->node == NULL) return false;
    slot->shape = zeroed(PyTuple_GET_SIZE(shape), sizeof(npy_intp));
    if (slot->shape == NULL) return false;
    slot->ndim = (int)PyTuple_GET_SIZE(shape);
    slot->size = 1;
    bool good = !PyDataType_REFCHK(slot->node->dtype) && slot->ndim <= NPY_MAXDIMS && offset >= 0;
    for (int i = 0; good && i < slot->ndim; i++) {
        slot->shape[i] = PyNumber_AsSsize_t(PyTuple_GET_ITEM(shape, i), NULL);
        good = slot->shape[i] >= 0;
        if (good) slot->size = size_product(slot->size, slot->shape[i]);
    }
    if (!good) return refuse(row, "is no slot");
    slot->bytes = size_product(slot->size, PyDataType_ELSIZE(slot->node->dtype));
    slot->offset = offset;
    if (size_sum(offset, slot->bytes) < TOO_LARGE - (npy_intp)ALIGNMENT) return true;
    return refuse(row, "has elements that do not fit in memory");
}

static bool same_shapes(const Slot *a, const Slot *b) {
    return a->ndim == b->ndim && PyArray_CompareLists(a->shape, b->shape, a->ndim);
}

/* Append the bytes of a number to those of the program; their place in the arena, relative to the numbers' start. */
static npy_intp add_scalar(Program *self, const char *element) {
    char *grown = PyMem_Realloc(self->scalars, (size_t)(self->scalar_count + 1) * SCALAR);
    if (grown == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    self->scalars = grown;
    memcpy(grown + self->scalar_count * SCALAR, element, SCALAR);
    return self->scalar_count++ * SCALAR;
}

/* Lay out a nest of loops over the elements of a slot, with two operands and a result that broadcast to it; others than
 * it lack the axes that are bits of `folded`. False where their shapes do not fit, or with an exception. */
static bool make_nest(Step *step, const Slot *whole, const Slot *const *all, unsigned long long folded) {
    Nest nest = {.ndim = whole->ndim};
    memcpy(nest.shape, whole->shape, whole->ndim * sizeof(npy_intp));
    for (int i = 0; i < 3; i++) { /* NULL is a number */
        int own = all[i] == NULL ? -1 : all[i]->ndim - 1;
        npy_intp stride = own < 0 ? 0 : PyDataType_ELSIZE(all[i]->node->dtype);
        for (int axis = whole->ndim - 1; axis >= 0; axis--) {
            bool lacks = own < 0 || (all[i] != whole && folded >> axis & 1);
            npy_intp length = lacks ? 1 : all[i]->shape[own--];
            if (length != 1 && length != whole->shape[axis]) return false;
            nest.strides[i][axis] = length == 1 ? 0 : stride;
            stride *= length;
        }
        if (own >= 0) return false;
    }
    coalesce(&nest);
    step->nest = zeroed(0, sizeof(Nest));
    if (step->nest == NULL) return false;
    *step->nest = nest;
    return true;
}

/* Find out how a plan's loop computes a step, which is a call otherwise; false with an exception. */
static bool resolve_loop(Program *self, Step *step, PyObject *planned) {
    Plan *plan = (Plan *)planned;
    Py_ssize_t count = PyTuple_GET_SIZE(step->args);
    if (plan->loop == NULL || count < 1 || count > 2 || step->names != NULL || step->out_count != 1) return true;
    const Slot *operands[2] = {NULL, NULL}, *out = &self->slots[step->outs[0]];
    if (out->node != plan->node || out->size == 0) return true;
    for (int i = 0; i < step->place_count; i++) operands[step->places[2 * i]] = &self->slots[step->places[2 * i + 1]];
    step->operands = (int)count;
    bool flat = true, mixed = false;
    for (int i = 0; i < count; i++) {
        const Slot *x = operands[i];
        if (x == NULL) {
            _Alignas(16) char element[SCALAR] = {0};
            PyObject *scalar = PyTuple_GET_ITEM(step->args, i);
            Scalar kind = scalar_kind(scalar);
            int written = kind == S_NONE ? 0 : write_scalar(plan, scalar, kind, element);
            if (written < 0) return false;
            if (written == 0) return true;
            npy_intp place = add_scalar(self, element);
            if (place < 0) return false;
            step->at[i] = -1 - place; /* until the size of the arena is known */
            step->types[i] = plan->type;
            continue;
        }
        step->at[i] = x->offset;
        step->types[i] = x->node->type;
        bool alike = same_shapes(x, out);
        step->steps[i] = alike ? PyDataType_ELSIZE(x->node->dtype) : 0;
        flat = flat && (alike || (x->size == 1 && x->ndim <= out->ndim));
        if (x->node->type == plan->type) continue;
        mixed = true;
        if (!find_operand_conversion(x->node->type, plan->type, &step->conversions[i])) return true;
    }
    step->at[count] = out->offset;
    step->steps[count] = plan->output_size;
    step->count = out->size;
    if (!flat) {
        const Slot *all[] = {operands[0], operands[count - 1], out};
        if (mixed || out->size > LONGEST_ROW || !make_nest(step, out, all, 0)) return !PyErr_Occurred();
        step->kind = NEST;
    } else step->kind = mixed ? BLOCKS : LOOP;
    step->plan = (Plan *)Py_NewRef(planned);
    return true;
}

/* Read (plan, axes): elements are combined with those of the result, over the axes that are bits of a number. */
static bool read_fold(Program *self, Step *step, PyObject *row) {
    Plan *plan;
    unsigned long long axes;
    if (!PyArg_ParseTuple(row, "O!K:Program", PlanType, &plan, &axes)) return false;
    bool good = step->place_count == 2 && step->out_count == 1 && step->places[1] == step->outs[0];
    const Slot *out = good ? &self->slots[step->outs[0]] : NULL, *x = good ? &self->slots[step->places[3]] : NULL;
    if (!good || plan->loop == NULL || x->node->type != plan->type || out->node->type != plan->type || x->size == 0 ||
        plan->output_size != plan->input_size || !make_nest(step, x, (const Slot *[]){out, x, out}, axes))
        return PyErr_Occurred() ? false : refuse(row, "is no reduction");
    step->kind = NEST;
    step->plan = (Plan *)Py_NewRef((PyObject *)plan);
    step->operands = 2;
    step->at[0] = step->at[2] = out->offset;
    step->at[1] = x->offset;
    step->count = x->size;
    return true;
}

/* Whether a slot has elements of a type for each place of a matrix, so many bytes apart. */
static bool has_matrix(const Slot *slot, Type type, npy_intp rows, npy_intp columns, const npy_intp *steps) {
    npy_intp size = slot->size > 0 ? slot->bytes / slot->size : 0;
    return slot->node->type == type && rows > 0 && columns > 0 && steps[0] >= 0 && steps[1] >= 0 && size > 0 &&
           steps[0] % size + steps[1] % size == 0 &&
           size_sum(size_product(rows - 1, steps[0]), size_product(columns - 1, steps[1])) <= slot->bytes - size;
}

/* Read (plan, sizes, steps): the product of two matrices; or, with a name in place of the plan, the places of extremes
 * in rows. Vectors are matrices with an axis of length 1. */
static bool read_product(Program *self, Step *step, PyObject *row) {
    PyObject *plan;
    npy_intp *sizes = step->sizes, *steps = sizes + 7;
    if (!PyArg_ParseTuple(row, "O(nnn)(nnnnnn):Program", &plan, &sizes[1], &sizes[2], &sizes[3], &steps[0], &steps[1],
                          &steps[2], &steps[3], &steps[4], &steps[5]))
        return false;
    bool good = step->out_count == 1 && step->place_count == 1 + Py_IS_TYPE(plan, PlanType);
    const Slot *x = good ? &self->slots[step->places[1]] : NULL, *out = good ? &self->slots[step->outs[0]] : NULL;
    Type type = good ? x->node->type : E_BOOL, to = type;
    sizes[0] = 1;
    if (good && Py_IS_TYPE(plan, PlanType)) {
        const Slot *y = &self->slots[step->places[3]];
        step->plan = (Plan *)Py_NewRef(plan);
        good = step->plan->loop != NULL && type == step->plan->type && out->node == step->plan->node &&
               has_matrix(y, type, sizes[2], sizes[3], steps + 2);
        step->at[1] = y->offset;
        step->at[2] = out->offset;
    } else if (good && (good = PyUnicode_Check(plan) && is_native(type))) {
        PyArray_ArrFuncs *own = PyDataType_GetArrFuncs(x->node->dtype);
        step->extreme = PyUnicode_CompareWithASCIIString(plan, "argmax") == 0 ? own->argmax : own->argmin;
        step->at[1] = out->offset;
        to = out->node->type;
        good = steps[1] == type_size[type] && (to == E_INT32 || to == E_INT64);
    }
    if (!good || !has_matrix(x, type, sizes[1], sizes[2], steps) || !has_matrix(out, to, sizes[1], sizes[3], steps + 4))
        return refuse(row, "is no product");
    step->kind = step->plan == NULL ? PLACE : PRODUCT;
    step->at[0] = x->offset;
    step->itemsize = type_size[to];
    step->count = size_product(size_product(sizes[1], sizes[2]), sizes[3]);
    return true;
}

/* Read the integers that move a window: (slot, elements apart, most, length, beyond). The number of elements by which
 * they move it at most; -1 with an exception. */
static npy_intp read_positions(Program *self, Step *step, PyObject *rows, npy_intp *windows) {
    npy_intp reach = 0;
    step->positions = zeroed(PyTuple_GET_SIZE(rows), sizeof(Position));
    if (step->positions == NULL) return -1;
    step->position_count = (int)PyTuple_GET_SIZE(rows);
    for (int i = 0; i < step->position_count; i++) {
        Py_ssize_t slot, apart, most, length;
        int beyond;
        PyObject *row = PyTuple_GET_ITEM(rows, i);
        if (!is_row(row) || !PyArg_ParseTuple(row, "nnnni:Program", &slot, &apart, &most, &length, &beyond)) return -1;
        bool good = slot >= 0 && slot < self->slot_count && apart >= 0 && most >= 0 && length >= 0 && beyond >= CLIP &&
                    beyond <= REFUSE && self->slots[slot].size > 0;
        npy_intp size = good ? self->slots[slot].size : 1, next = size > 1 ? self->slots[slot].bytes / size : 0;
        good = good && (size == 1 || *windows == 1 || *windows == size);
        if (size > 1) *windows = size;
        Cast *cast = good ? cast_between(self->slots[slot].node->type, E_INT64) : NULL;
        reach = good ? size_sum(reach, size_product(apart, most)) : 0;
        if (cast == NULL || self->slots[slot].node->type >= E_UINT64 || reach >= TOO_LARGE) {
            refuse(row, "moves no window");
            return -1;
        }
        self->slots[slot].placed = true;
        apart *= step->itemsize;
        step->positions[i] = (Position){self->slots[slot].offset, next, apart, most, length, cast, beyond};
    }
    return reach;
}

/* Whether `count` elements of a slot, `apart` elements apart, exist even if they are moved by so many elements. */
static bool exist(const Slot *slot, npy_intp first, npy_intp apart, npy_intp count, npy_intp reach) {
    npy_intp size = slot->size; /* bounds all products */
    if (count < 1 || first < 0 || first >= size || apart < -size || apart > size || (apart != 0 && count > size))
        return false;
    npy_intp last = first + apart * (count - 1);
    return last >= 0 && (last > first ? last : first) < size - reach;
}

/* Read the runs of elements that a step moves: (slot, first element, elements apart, number), and where to if it writes
 * them to a window: first element, elements apart, number of the window; and the integers that move the windows. */
static bool read_runs(Program *self, Step *step, PyObject *how) {
    PyObject *moves, *positions = NULL;
    if (!PyTuple_Check(how) || step->out_count != 1) {
        PyErr_SetString(PyExc_TypeError, "Program: moves are a tuple, of one result");
        return false;
    }
    if (!PyArg_ParseTuple(how, "O!|O!p:Program", &PyTuple_Type, &moves, &PyTuple_Type, &positions, &step->writes))
        return false;
    const Slot *out = &self->slots[step->outs[0]];
    step->itemsize = PyDataType_ELSIZE(out->node->dtype);
    npy_intp windows = 1, reach = positions == NULL ? 0 : read_positions(self, step, positions, &windows), done = 0;
    if (reach < 0) return false;
    step->run_count = (int)PyTuple_GET_SIZE(moves);
    step->runs = zeroed(step->run_count, sizeof(Run));
    if (step->runs == NULL) return false;
    for (int i = 0; i < step->run_count; i++) {
        Py_ssize_t slot, first, apart, count, to = done, spread = 1, window = 0;
        PyObject *row = PyTuple_GET_ITEM(moves, i);
        if (!is_row(row) ||
            !PyArg_ParseTuple(row, "nnnn|nnn:Program", &slot, &first, &apart, &count, &to, &spread, &window))
            return false;
        if (slot < 0 || slot >= self->slot_count || window < 0 || window >= windows ||
            PyDataType_ELSIZE(self->slots[slot].node->dtype) != step->itemsize ||
            !exist(&self->slots[slot], first, apart, count, step->writes ? 0 : reach) ||
            !exist(out, to, spread, count, step->writes ? reach : 0) || (!step->writes && (to != done || spread != 1)))
            return refuse(row, "moves elements that do not exist");
        self->slots[slot].placed = true;
        npy_intp from = self->slots[slot].offset + first * step->itemsize, into = out->offset + to * step->itemsize;
        step->runs[i] = (Run){from, apart * step->itemsize, into, spread * step->itemsize, count, window};
        done += count;
    }
    if (done != out->size && step->run_count > 0 && !step->writes) return refuse(moves, "leaves elements out");
    step->kind = step->run_count > 0 ? MOVE : NOTHING;
    step->count = done;
    return true;
}

/* Read a selection: of the elements of two operands, by a condition before them. */
static bool read_selection(Program *self, Step *step, PyObject *row) {
    bool good = step->place_count == 3 && step->out_count == 1;
    const Slot *out = good ? &self->slots[step->outs[0]] : NULL;
    for (int i = 0; good && i < 4; i++) {
        const Slot *x = i < 3 ? &self->slots[step->places[2 * i + 1]] : out;
        npy_intp itemsize = PyDataType_ELSIZE(x->node->dtype);
        good = (x->size == 1 || same_shapes(x, out)) && (i > 0 ? x->node->dtype == out->node->dtype : itemsize == 1);
        step->at[i] = x->offset;
        step->steps[i] = same_shapes(x, out) ? itemsize : 0;
    }
    if (!good) return refuse(row, "is no selection");
    step->kind = SELECT;
    step->count = out->size;
    return true;
}

/* Whether a slot has the elements of a slot of a program that is a step, or so many times as many. */
static bool is_like(const Slot *slot, const Slot *inner, npy_intp times) {
    return slot->node->dtype == inner->node->dtype && slot->bytes == size_product(inner->bytes, times);
}

/* Read (length, reverse, programs): a loop of one, or a choice by an integer, which is before the inputs of several. */
static bool read_inner(Program *self, Step *step, PyObject *row) {
    PyObject *programs;
    if (!PyArg_ParseTuple(row, "npO!:Program", &step->length, &step->reverse, &PyTuple_Type, &programs)) return false;
    step->inner = Py_NewRef(programs);
    int used = PyTuple_GET_SIZE(programs) > 1;
    bool good = PyTuple_GET_SIZE(programs) > 0 && step->out_count > 0 && step->place_count >= used;
    if (good && used > 0) {
        Slot *chosen = &self->slots[step->places[1]];
        good = chosen->placed = chosen->node->type == E_INT32 && chosen->size == 1;
    }
    for (Py_ssize_t k = 0; good && k < PyTuple_GET_SIZE(programs); k++) {
        const Program *inner = (Program *)PyTuple_GET_ITEM(programs, k);
        good = Py_IS_TYPE(inner, ProgramType) && !inner->cleared && inner->output_count == step->out_count &&
               inner->input_count <= step->place_count - used && (step->length < 0 || (inner->test < 0 && k == 0));
        bool once = good && step->length < 0 && inner->test < 0;
        good = good &&
               (once ? inner->carried + inner->columns == 0 : inner->test < 0 || inner->carried == step->out_count);
        for (int i = 0; good && i < step->out_count; i++)
            good = is_like(&self->slots[step->outs[i]], &inner->slots[inner->outputs[i]],
                           once || i < inner->carried ? 1 : step->length);
        for (int i = 0; good && i < inner->input_count; i++, used++) {
            Slot *slot = &self->slots[step->places[2 * used + 1]];
            const Slot *into = &inner->slots[inner->inputs[i]];
            bool column = i >= inner->input_count - inner->columns;
            good = is_like(slot, into, column ? step->length : 1);
            slot->placed = slot->placed || into->placed || column;
            slot->kept = slot->kept || (into->kept && !column);
        }
        if (good) self->calls += inner->locked;
    }
    if (!good || used != step->place_count) return refuse(row, "is no program that is a step");
    step->kind = INNER;
    return true;
}

/* Read (function, args, names, places, outs, drops, how). */
static bool read_step(Program *self, Step *step, PyObject *row) {
    PyObject *function, *args, *names, *places, *outs, *drops, *how;
    if (!is_row(row)) return false;
    if (!PyArg_ParseTuple(row, "OO!OO!OOO:Program", &function, &PyTuple_Type, &args, &names, &PyTuple_Type, &places,
                          &outs, &drops, &how))
        return false;
    step->function = Py_NewRef(function);
    step->args = Py_NewRef(args);
    step->names = names == Py_None ? NULL : Py_NewRef(names);
    Py_ssize_t given = PyTuple_GET_SIZE(args), named = step->names == NULL    ? 0
                                                       : PyTuple_Check(names) ? PyTuple_GET_SIZE(names)
                                                                              : -1;
    step->places = zeroed(2 * PyTuple_GET_SIZE(places), sizeof(int));
    if (step->places == NULL) return false;
    step->place_count = (int)PyTuple_GET_SIZE(places);
    for (int i = 0; i < step->place_count; i++) {
        PyObject *pair = PyTuple_GET_ITEM(places, i);
        if (!is_row(pair) || !PyArg_ParseTuple(pair, "ii:Program", &step->places[2 * i], &step->places[2 * i + 1]))
            return false;
        if (step->places[2 * i] < 0 || step->places[2 * i] >= given || step->places[2 * i + 1] < 0 ||
            step->places[2 * i + 1] >= self->slot_count)
            named = -1;
    }
    if (named < 0 || named > given) return refuse(row, "is no step");
    if (!read_slots(self, outs, &step->out_count, &step->outs) ||
        !read_slots(self, drops, &step->drop_count, &step->drops))
        return false;
    if (Py_IS_TYPE(how, PlanType)) return resolve_loop(self, step, how);
    if (how == Py_True) return read_selection(self, step, row);
    PyObject *first = PyTuple_Check(how) && PyTuple_GET_SIZE(how) > 1 ? PyTuple_GET_ITEM(how, 0) : Py_None;
    if (PyLong_Check(first)) return read_inner(self, step, how);
    if (Py_IS_TYPE(first, PlanType) && PyTuple_GET_SIZE(how) == 2) return read_fold(self, step, how);
    if (Py_IS_TYPE(first, PlanType) || PyUnicode_Check(first)) return read_product(self, step, how);
    return how == Py_None || read_runs(self, step, how);
}

/* Whether results that are carried are like the operands that they become. */
static bool carries_fit(const Program *self) {
    for (int i = 0; i < self->carried; i++) {
        const Slot *from = &self->slots[self->outputs[i]];
        const Slot *into = &self->slots[self->inputs[self->input_count - self->columns - self->carried + i]];
        if (from->node != into->node || !same_shapes(from, into)) return false;
    }
    return true;
}

/* Find out which slots have elements in the arena, and of which there are Arrays: what steps read decides. */
static void mark_slots(Program *self, bool part) {
    for (int i = 0; i < self->step_count; i++) {
        const Step *step = &self->steps[i];
        bool call = step->kind == CALL;
        self->calls += call;
        self->work += 8 + step->count;
        for (int j = step->kind == INNER ? step->place_count : 0; j < step->place_count + step->out_count; j++) {
            int number = j < step->place_count ? step->places[2 * j + 1] : step->outs[j - step->place_count];
            *(call ? &self->slots[number].kept : &self->slots[number].placed) = true;
        }
    }
    for (int k = self->carried; k < self->output_count; k++) /* results of each step that are inputs */
        if (self->carried + self->columns > 0) self->slots[self->outputs[k]].placed = true;
    if (self->test >= 0) self->slots[self->test].placed = true;
    for (int k = 0; k < self->input_count; k++) { /* what no step reads */
        Slot *slot = &self->slots[self->inputs[k]];
        if (!slot->placed) *(part && self->calls == 0 ? &slot->placed : &slot->kept) = true;
    }
    self->locked = self->calls > 0;
    for (int k = 0; k < self->slot_count; k++) {
        npy_intp end = self->slots[k].offset + self->slots[k].bytes;
        if (self->slots[k].placed && end > self->arena) self->arena = end;
        self->locked = self->locked || self->slots[k].kept;
    }
}

/* Find out where scalars, pointers and programs that are steps are behind the slots; false with an exception. */
static bool place_rest(Program *self) {
    self->arena = (self->arena + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    npy_intp own = size_sum(self->arena, self->scalar_count * SCALAR), most = 0;
    own = size_sum(own, (self->columns + self->output_count) * (npy_intp)sizeof(char *) + ALIGNMENT);
    own = own / ALIGNMENT * ALIGNMENT;
    int slots = 0;
    for (int i = 0; i < self->step_count; i++) {
        Step *step = &self->steps[i];
        for (int j = 0; j < step->operands; j++)
            if (step->at[j] < 0) step->at[j] = self->arena + (-1 - step->at[j]);
        for (Py_ssize_t k = 0; step->inner != NULL && k < PyTuple_GET_SIZE(step->inner); k++) {
            const Program *inner = (Program *)PyTuple_GET_ITEM(step->inner, k);
            step->at[0] = own; /* one after the other, they use the same memory */
            if (inner->bytes > most) most = inner->bytes;
            if (inner->all_slots > slots) slots = inner->all_slots;
        }
    }
    self->bytes = size_sum(own, most);
    self->all_slots = self->slot_count + slots;
    if (self->bytes >= TOO_LARGE - (npy_intp)ALIGNMENT) return refuse((PyObject *)self, "does not fit in memory");
    return true;
}

static bool read_all(Program *self, PyObject *slots, PyObject *steps, PyObject *inputs, PyObject *outputs) {
    self->slots = zeroed(PyTuple_GET_SIZE(slots), sizeof(Slot));
    self->steps = self->slots == NULL ? NULL : zeroed(PyTuple_GET_SIZE(steps), sizeof(Step));
    if (self->steps == NULL) return false;
    self->slot_count = (int)PyTuple_GET_SIZE(slots);
    for (int i = 0; i < self->slot_count; i++)
        if (!read_slot(self, &self->slots[i], PyTuple_GET_ITEM(slots, i))) return false;
    self->step_count = (int)PyTuple_GET_SIZE(steps);
    for (int i = 0; i < self->step_count; i++)
        if (!read_step(self, &self->steps[i], PyTuple_GET_ITEM(steps, i))) return false;
    return read_slots(self, inputs, &self->input_count, &self->inputs) &&
           read_slots(self, outputs, &self->output_count, &self->outputs);
}

static PyObject *program_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *keywords[] = {"slots",   "steps", "inputs", "outputs", "carried",
                               "columns", "test",  "split",  "part",    NULL};
    PyObject *slots, *steps, *inputs, *outputs;
    int carried = 0, columns = 0, test = -1, split = 0, part = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!O!OO|iiiip:Program", keywords, &PyTuple_Type, &slots,
                                     &PyTuple_Type, &steps, &inputs, &outputs, &carried, &columns, &test, &split,
                                     &part))
        return NULL;
    Program *self = (Program *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    self->carried = carried;
    self->columns = columns;
    self->test = test;
    self->split = split;
    bool good = read_all(self, slots, steps, inputs, outputs);
    if (good && (carried < 0 || columns < 0 || carried > self->output_count || carried + columns > self->input_count ||
                 test < -1 || test >= self->slot_count || split < 0 || split > self->step_count ||
                 (test >= 0 && (self->slots[test].node->type != E_BOOL || self->slots[test].size != 1)) ||
                 !carries_fit(self))) {
        PyErr_SetString(PyExc_ValueError, "Program: the numbers of carries, columns and steps do not fit");
        good = false;
    }
    if (good) mark_slots(self, part != 0);
    if (!good || !place_rest(self)) Py_CLEAR(self);
    return (PyObject *)self;
}

/* -- the type -- */

static int program_traverse(PyObject *object, visitproc visit, void *arg) {
    Program *self = (Program *)object;
    for (int i = 0; i < self->step_count; i++) {
        Py_VISIT(self->steps[i].function);
        Py_VISIT(self->steps[i].args);
        Py_VISIT(self->steps[i].plan);
        Py_VISIT(self->steps[i].inner);
    }
    Py_VISIT(Py_TYPE(object));
    return 0;
}

/* Only constant arguments can be in a cycle that goes through a program, and the functions that the user wrote. */
static int program_clear(PyObject *object) {
    Program *self = (Program *)object;
    int count = self->step_count;
    self->step_count = 0;
    self->cleared = true;
    for (int i = 0; i < count; i++) {
        Step *step = &self->steps[i];
        Py_CLEAR(step->function);
        Py_CLEAR(step->args);
        Py_CLEAR(step->names);
        Py_CLEAR(step->plan);
        Py_CLEAR(step->inner);
        PyMem_Free(step->places);
        PyMem_Free(step->outs);
        PyMem_Free(step->drops);
        PyMem_Free(step->nest);
        PyMem_Free(step->runs);
        PyMem_Free(step->positions);
    }
    return 0;
}

static void program_dealloc(PyObject *object) {
    Program *self = (Program *)object;
    PyObject_GC_UnTrack(object);
    program_clear(object);
    for (int i = 0; i < self->slot_count; i++) PyMem_Free(self->slots[i].shape);
    PyMem_Free(self->slots);
    PyMem_Free(self->steps);
    PyMem_Free(self->inputs);
    PyMem_Free(self->outputs);
    PyMem_Free(self->scalars);
    free_object(object);
}

static PyMethodDef program_methods[] = {
    {"run", FASTCALL(run_program),
     PyDoc_STR(
         "run(operands, length=None, reverse=False, /)\n--\n\nReturn the results as a list, or NotImplemented where "
         "arrays are not like those that were recorded; or the slot of an array whose elements are not in C's "
         "order.")},
    {NULL, NULL, 0, NULL},
};
static PyMemberDef program_members[] = {
    {"calls", T_INT, offsetof(Program, calls), READONLY, PyDoc_STR("How many steps call functions.")},
    {NULL, 0, 0, 0, NULL},
};
static PyType_Slot program_slots[] = {
    {Py_tp_doc, (void *)PyDoc_STR(
                    "Program(slots, steps, inputs, outputs, carried=0, columns=0, test=-1, split=0, part=False)\n--\n\n"
                    "Recorded calls that run one after the other.")},
    {Py_tp_new, program_new},
    COLLECTED_SLOTS(program),
    {Py_tp_methods, program_methods},
    {Py_tp_members, program_members},
    {0, NULL},
};
PyType_Spec program_spec = {"supremum._native.Program", sizeof(Program), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                            program_slots};
