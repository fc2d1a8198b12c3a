/* What a program is: see program.c, which makes it, and run_program.c, which runs it. */
#ifndef SUPREMUM_PROGRAM_H
#define SUPREMUM_PROGRAM_H

#include "cast.h"
#include "run.h"

enum { ALIGNMENT = 64, SCALAR = 16 }; /* bytes: of the arena, and of a number among the operands of a loop */

typedef struct Program Program;

/* A value: what it is like, and where its elements are in the arena. */
typedef struct {
    const Node *node;
    int ndim;
    npy_intp *shape; /* owned */
    npy_intp offset, size, bytes;
    bool placed; /* whether its elements are in the arena */
    bool kept;   /* whether there is an Array of it */
} Slot;

/* Elements `step` bytes apart that become elements `apart` bytes apart, and the number of their window. */
typedef struct {
    npy_intp from, step, to, apart, count, window;
} Run;

/* An integer that says by how many `step` bytes a window is moved: one that is negative counts from `length`, and then
 * it is at most `most`. Those of several windows are `next` bytes apart. */
typedef struct {
    npy_intp at, next, step, most, length;
    Cast *cast;
    enum { CLIP, DROP, REFUSE } beyond; /* what becomes of others: the nearest, no update, or the function's error */
} Position;

typedef enum { CALL, LOOP, BLOCKS, NEST, MOVE, SELECT, PRODUCT, PLACE, INNER, NOTHING } Kind;

typedef struct {
    Kind kind;
    PyObject *function, *args, *names; /* owned; of a call, with None where operands go; `names` may be NULL */
    int place_count, *places;          /* owned; pairs of an argument and a slot */
    int out_count, *outs;              /* owned */
    int drop_count, *drops;            /* owned; slots of which the Arrays are not used afterwards */
    Plan *plan;                        /* owned, or NULL */
    int operands;
    npy_intp at[4], steps[4]; /* in the arena; the result is behind the operands */
    Type types[2];
    Conversion conversions[2];
    Nest *nest;               /* owned, or NULL */
    npy_intp sizes[13];       /* of the loop of a product, and behind them its steps; of places, those of rows */
    PyArray_ArgFunc *extreme; /* finds the place of one in a row */
    int run_count, position_count;
    Run *runs;           /* owned, or NULL */
    Position *positions; /* owned, or NULL; of the window that is read, or written to */
    int writes;          /* whether it is the latter */
    npy_intp itemsize, count;
    PyObject *inner; /* owned, or NULL; programs, of which one runs: places are the inputs of one after the other */
    npy_intp length; /* of a loop that is a step; -1 if a condition ends it, or if it is none */
    int reverse;
} Step;

struct Program {
    PyObject_HEAD
    int slot_count, step_count, input_count, output_count;
    Slot *slots; /* owned, like the following */
    Step *steps;
    int *inputs, *outputs;
    int carried, columns; /* the last inputs are carries and columns; the first outputs are carries */
    int test, split;      /* the slot of a loop's condition, or -1; the step at which its body begins */
    int calls;            /* steps that may run Python */
    bool locked;          /* whether a run needs the lock */
    bool cleared;         /* whether the collector took the steps, so that it cannot run */
    npy_intp work;        /* elements that one run computes, about */
    npy_intp arena;       /* bytes of slots; behind them are scalars and pointers to columns and results */
    npy_intp bytes;       /* of all of these, and of programs that are steps */
    int all_slots;        /* with those of programs that are steps */
    int scalar_count;
    char *scalars; /* owned; numbers among the operands of loops */
};

/* The method `run`. May run Python. */
PyObject *run_program(PyObject *program, PyObject *const *args, Py_ssize_t count);

#endif
