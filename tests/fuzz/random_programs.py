"""Random programs: loops, choices and functions that call the public functions of a table, made again from their seeds.

What a program does follows from its seeds and from the shapes and dtypes of its operands, so it is the same whether it is
recorded or called step by step.
"""

import random

import arrays
import numpy as np

import supremum as xp
from supremum import jax
from supremum.jax import lax

DTYPES = [
    "float32", "float32", "float32", "float64", "int32", "int32", "int64", "bool", "uint8", "int8", "uint32", "bfloat16",
    "float16", "float8_e4m3fn", "int4", "uint4", "complex64", "complex128",
]  # fmt: skip
SHAPES = [(), (), (1,), (3,), (3,), (4,), (0,), (2, 3), (3, 4), (4, 1), (1, 3), (3, 0), (2, 3, 4), (33, 7)]
LONG = [(1000,), (20_000,), (150, 130)]
HUGE = [(300_000,), (600, 500)]
LAYOUTS = [None, None, None, *arrays.LAYOUTS]
SYSTEMS = ["jax", "jax", "jax", "numpy", "torch"]
NUMBERS = [0, 1, -1, 2, 3, 0.5, -0.0, 1.5, True, 2j]


def operand(rng, shapes):
    """Return an array of any dtype, layout and weakness."""
    if rng.random() < 0.06:
        return jax.random.key(rng.randrange(9))
    name = rng.choice(DTYPES)
    data = arrays.make(rng.randrange(2**31), name, rng.choice(shapes), rng.choice(arrays.CLASSES[:3]))
    layout = rng.choice(LAYOUTS)
    if not data.ndim and rng.random() < 0.3 and name in ("float32", "int32", "complex64", "bool"):
        return xp.asarray(data.item())
    found = xp.asarray(data)
    return found if layout is None else xp.asarray(arrays.laid_out(np.asarray(found), layout))


# -- calls --------------------------------------------------------------------------------------------------------------------


def is_key(x):
    return str(x.dtype).startswith("key")


def kind(x):
    return "k" if is_key(x) else x.node.kind


def numeric(rng, pool, kinds="biufc", ndim=0, most=9):
    """Return a value of some kinds, or None."""
    found = [x for x in pool if kind(x) in kinds and ndim <= x.ndim <= most]
    return rng.choice(found) if found else None


def index_of(rng, x, pool):
    """Return an index: numbers, slices with steps, new axes, and traced integers."""
    parts = []
    for length in x.shape[: rng.randrange(x.ndim + 1)]:
        choice = rng.randrange(6)
        i = numeric(rng, pool, "iu", most=1) if choice == 0 else None
        if i is not None and length:
            parts.append(i)
        elif choice == 1 and length:
            parts.append(rng.randrange(-length, length))
        elif choice == 2:
            parts.append(None)
        elif choice == 3:
            parts.append(slice(None, None, rng.choice([-1, 2, -2])))
        else:
            ends = sorted([rng.randrange(length + 1), rng.randrange(length + 1)])
            parts.append(slice(*ends, rng.choice([None, 1, 2])))
    if rng.random() < 0.2:
        parts.append(Ellipsis)
    return tuple(parts) if len(parts) != 1 or rng.random() < 0.5 else parts[0]


def binary(rng, pool):
    x = numeric(rng, pool)
    names = (
        ["add", "subtract", "multiply", "add", "multiply", "equal", "divide"]
        if x.node.kind != "b"
        else ["logical_or", "bitwise_xor"]
    )
    if x.node.kind in "fiu":
        names += ["maximum", "minimum", "less", "floor_divide", "remainder", "pow"]
    if x.node.kind == "f":
        names += ["hypot", "logaddexp", "atan2", "copysign"]
    f = getattr(xp, rng.choice(names))
    mates = [y for y in pool if not is_key(y) and fits(x.shape, y.shape)]
    if rng.random() < 0.9:
        near = [
            y
            for y in mates
            if y.node.strong is x.node.strong or (y.node.kind == x.node.kind and y.node.bits > 8 and x.node.bits > 8)
        ]
        mates = near
    ranks = "buifc"
    numbers = [
        y
        for y in NUMBERS
        if (1 if type(y) is bool else 3 if type(y) is int else 4 if type(y) is float else 5)
        <= 1 + ranks.index(x.node.kind) + (x.node.kind == "u")
    ]
    y = rng.choice(numbers) if numbers and rng.random() < 0.3 else rng.choice(mates)
    return f(x, y) if rng.random() < 0.7 else f(y, x) if not isinstance(y, (int, float, complex)) else x * y


def fits(a, b):
    return all(m == n or 1 in (m, n) for m, n in zip(reversed(a), reversed(b)))  # noqa: B905 - the shorter one decides


def unary(rng, pool):
    x = numeric(rng, pool)
    names = (
        ["negative", "positive", "abs", "square", "sign", "isnan", "logical_not"] if x.node.kind != "b" else ["logical_not"]
    )
    if x.node.kind in "fc":
        names += ["sin", "exp", "sqrt", "tanh", "log1p", "conj", "real", "imag", "reciprocal"]
    if x.node.kind == "f":
        names += ["floor", "round", "signbit", "trunc", "nan_to_num", "cbrt"]
    if x.node.kind in "iu":
        names += ["bitwise_invert", "conj", "real"]
    return getattr(xp, rng.choice(names))(x)


def cast(rng, pool):
    x = numeric(rng, pool)
    return x.astype(rng.choice([d for d in DTYPES if x.node.kind != "c" or d.startswith("complex")]))


def shaped(rng, pool):
    x = rng.choice(pool)
    if is_key(x):
        return x
    choice = rng.randrange(9)
    if choice == 0:
        return xp.reshape(x, (-1,))
    if choice == 1:
        return xp.reshape(x, x.shape[::-1])
    if choice == 2:
        return xp.permute_dims(x, rng.sample(range(x.ndim), x.ndim))
    if choice == 3 and x.size <= 2000 and x.ndim < 4:
        return xp.broadcast_to(x, (rng.randrange(3), *x.shape))
    if choice == 4:
        return xp.expand_dims(x, axis=rng.randrange(x.ndim + 1)) if x.ndim < 4 else x
    if choice == 5:
        return xp.flip(x)
    if choice == 6 and x.ndim:
        shift = numeric(rng, pool, "iu", most=0) if rng.random() < 0.3 else None
        return xp.roll(x, rng.randrange(-3, 4) if shift is None else shift, axis=rng.randrange(x.ndim))
    if choice == 7 and x.ndim > 1:
        return rng.choice([lambda: x.mT, lambda: xp.tril(x), lambda: xp.linalg.diagonal(x)])()
    return xp.squeeze(x) if 1 in x.shape else xp.ravel(x)


def joined(rng, pool):
    x = numeric(rng, pool, most=3)
    if x is None or x.size > 40_000:
        return None
    mates = [y for y in pool if not is_key(y) and y.shape == x.shape]
    if rng.random() < 0.5:
        mates = [y for y in mates if y.node is x.node]
    parts = [rng.choice(mates) for _ in range(rng.randrange(1, 4))]
    return xp.concat(parts, axis=rng.randrange(x.ndim)) if x.ndim and rng.random() < 0.5 else xp.stack(parts)


def indexed(rng, pool):
    x = rng.choice([x for x in pool if not is_key(x)])
    return x[index_of(rng, x, pool)]


def updated(rng, pool):
    x = numeric(rng, pool)
    index = index_of(rng, x, pool)
    at = x.at[index]
    part = x[index]
    method = rng.choice(["set", "add", "multiply", "max"] if x.node.kind not in "bc" else ["set"])
    values = [y for y in pool if not is_key(y) and (y.shape == part.shape or not y.ndim) and y.node.kind == x.node.kind]
    return getattr(at, method)(rng.choice([*values, 1]))


def reduced(rng, pool):
    x = numeric(rng, pool)
    axis = rng.choice([None, *range(x.ndim)])
    names = ["sum", "prod", "any", "all", "count_nonzero"]
    if x.node.kind != "c" and x.size:
        names += ["max", "min", "argmax", "argmin"]
    if x.node.kind in "fc" and x.size:
        names += ["mean", "var"]
    if x.ndim and rng.random() < 0.3:
        return rng.choice([xp.cumulative_sum, xp.cumulative_prod])(x, axis=rng.randrange(x.ndim))
    if x.ndim and x.node.kind != "c" and rng.random() < 0.2:
        return rng.choice([xp.sort, xp.argsort])(x, axis=rng.randrange(x.ndim))
    return getattr(xp, rng.choice(names))(x, axis=axis)


def product(rng, pool):
    x = numeric(rng, pool, ndim=1, most=2)
    if x is None or x.size > 2000:
        return None
    mates = [
        y for y in pool if not is_key(y) and 1 <= y.ndim <= 2 and y.shape[max(y.ndim - 2, 0)] == x.shape[-1] and y.size <= 2000
    ]
    return x @ rng.choice(mates) if mates else x @ x.T


def selected(rng, pool):
    mask = numeric(rng, pool, "b")
    if mask is None:
        return None
    x = rng.choice([y for y in pool if not is_key(y) and fits(y.shape, mask.shape)])
    whole = np.broadcast_shapes(x.shape, mask.shape)
    y = rng.choice([0, *[y for y in pool if not is_key(y) and fits(y.shape, whole)]])
    return xp.where(mask, x, y) if rng.random() < 0.7 else xp.where(mask, y, x)


def taken(rng, pool):
    x, i = numeric(rng, pool, ndim=1), numeric(rng, pool, "iu", most=2)
    if x is None or i is None or 0 in x.shape or i.size * x.size > 10**5:
        return None
    choice = rng.randrange(4)
    if choice == 0:
        return xp.take(x, i, axis=rng.randrange(x.ndim))
    if choice == 1:
        return xp.clip(x if x.node.kind != "c" else i, 0, 2)
    i = i if not i.ndim else xp.sum(i)
    return lax.dynamic_index_in_dim(x, i, 0, keepdims=False) if choice == 2 else lax.dynamic_slice_in_dim(x, i, 1, 0)


def windowed(rng, pool):
    """Read a window at integers that may be out of range, or write to one."""
    x, numbers = numeric(rng, pool, ndim=1, most=3), [y for y in pool if kind(y) in "iu" and not y.ndim]
    if x is None or not numbers or x.size > 40_000:
        return None
    count = rng.randrange(1, x.ndim + 1)
    index = tuple([rng.choice([*numbers, *numbers, rng.randrange(-9, 9), slice(None)]) for _ in range(count)])
    values = [y for y in pool if not is_key(y) and y.ndim <= 1 and (y.node is x.node or y.node.kind == x.node.kind)]
    choice, y = rng.randrange(5), rng.choice([*values, 1])
    at = x.at[index]
    if choice == 0:
        return at.get(mode=rng.choice([None, "clip", "fill"]), wrap_negative_indices=rng.random() < 0.7)
    if choice == 1:
        names = ["set", "set", *(["add", "subtract", "multiply", "max", "min"] if x.node.kind not in "bc" else [])]
        mode = rng.choice([None, None, "clip", "drop"])
        return getattr(at, rng.choice(names))(y, mode=mode, wrap_negative_indices=rng.random() < 0.7)
    if choice == 2:
        return at.set(x[tuple([0 if type(part) is not slice else part for part in index])])
    number = rng.choice(numbers)
    starts = [rng.choice([number, number, number.astype(number.dtype)]) for _ in range(x.ndim)]
    sizes = [rng.randrange(length + 1) for length in x.shape]
    allow = rng.random() < 0.8
    part = lax.dynamic_slice(x, starts, sizes, allow_negative_indices=allow)
    return part if choice == 3 else lax.dynamic_update_slice(x, part, starts[::-1], allow_negative_indices=allow)


def drawn(rng, pool):
    keys = [x for x in pool if is_key(x)]
    if not keys:
        return None
    key = rng.choice(keys)
    if key.ndim:
        return key[0] if key.shape[0] else None
    choice = rng.randrange(5)
    if choice == 0:
        return jax.random.split(key, 2)
    if choice == 1:
        return jax.random.fold_in(key, rng.randrange(5))
    if choice == 2:
        return jax.random.randint(key, (3,), -5, 5)
    return (jax.random.normal if choice == 3 else jax.random.uniform)(key, rng.choice([(), (3,), (2, 3)]))


# -- programs within programs -------------------------------------------------------------------------------------------------


def few(rng, pool):
    return [rng.choice(pool) for _ in range(rng.randrange(1, 4))]


def inner(rng, depth):
    return Body([rng.randrange(2**31) for _ in range(rng.randrange(1, 5))], depth + 1)


def chosen(rng, pool, depth):
    body, values = inner(rng, depth), few(rng, pool)
    other = inner(rng, depth)
    outer = few(rng, pool)

    def branch(one):
        return lambda *xs: one.carried(list(xs), outer)

    test = numeric(rng, pool, "b", most=0)
    if test is not None:
        return lax.cond(test, branch(body), branch(other), *values)
    number = numeric(rng, pool, "iu", most=0)
    if number is None:
        return None
    return lax.switch(number, [branch(body), branch(other), lambda *xs: list(xs)], *values)


def looped(rng, pool, depth):
    body, carry, outer = inner(rng, depth), few(rng, pool), few(rng, pool)
    swap = rng.random() < 0.4
    return run_loop(rng, body, carry, outer, swap, [x for x in pool if x.ndim and x.shape[0] < 6])


def run_loop(rng, body, carry, outer, swap, columns):
    """Run a loop of any form over a carry."""

    def step(values, more):
        values = list(values)
        if swap:  # values that are alike change places
            for i, x in enumerate(values):
                for j in range(i):
                    if values[j].shape == x.shape and values[j].node is x.node:
                        values[i], values[j] = values[j], values[i]
                        break
        return body.carried(values, [*outer, *more])

    choice, length = rng.randrange(4), rng.choice([1, 2, 3, 5])
    if choice == 0:
        return lax.fori_loop(rng.randrange(-1, 1), length, lambda i, c: step(c, [i]), carry)
    if choice == 1:
        limit = rng.choice([length, xp.asarray(length)])
        test = lambda c: c[0] < limit
        return lax.while_loop(test, lambda c: (c[0] + 1, step(c[1], [])), (0, carry))[1]
    xs = [x for x in columns if x.ndim and x.shape[0] == columns[0].shape[0]][:2] if columns else []
    if choice == 2 and xs:
        return [*jax.tree.leaves(lax.map(lambda e: body.carried(list(carry), [*outer, *e]), xs))]
    reverse = rng.random() < 0.3

    def pair(c, e):
        new = step(c, e or [])
        made = body.made
        return new, rng_free(made, c)

    last, ys = lax.scan(pair, carry, xs or None, None if xs else length, reverse=reverse)
    return [*last, *jax.tree.leaves(ys)]


def rng_free(made, carry):
    """Return results of a step: what it made last, and a carry that it began with."""
    return [made[-1], *list(carry)[:1]]


def jitted(rng, pool, depth):
    body, values, outer = inner(rng, depth), few(rng, pool), few(rng, pool)
    return jax.jit(lambda xs: body.carried(list(xs), outer))(values)


CALLS = [binary] * 6 + [unary] * 3 + [cast] * 2 + [shaped] * 4 + [joined] * 2 + [indexed] * 4 + [updated] * 3 + [
    reduced, reduced, product, selected, selected, taken, taken, windowed, windowed, windowed,
    drawn, drawn]  # fmt: skip
NESTED = [chosen, looped, jitted]


class Body:
    """A function of arrays: one call for each seed.

    `made` are the values of its last call.
    """

    def __init__(self, seeds, depth=0):
        self.seeds = seeds
        self.depth = depth
        self.made = []

    def __call__(self, values):
        """Return the values and what was made of them."""
        pool = list(values)
        for seed in self.seeds:
            rng = random.Random(seed)
            if self.depth < 2 and rng.random() < 0.15:
                found = rng.choice(NESTED)(rng, pool, self.depth)
            elif numeric(rng, pool) is not None:
                found = rng.choice(CALLS)(rng, pool)
            else:
                found = drawn(rng, pool)
            pool += found if isinstance(found, list) else [] if found is None else [found]
        self.made = pool
        return pool

    def carried(self, carry, outer):
        """Return values like those of a carry, of what is made of it and of others."""
        pool = self([*carry, *outer])[::-1]
        out = []
        for i, x in enumerate(carry):
            rng = random.Random(f"{self.seeds[:1]}/{i}")
            same = [y for y in pool if y.shape == x.shape and y.node is x.node]
            if is_key(x) or rng.random() < 0.4:
                out.append(rng.choice(same[:3]))
                continue
            y = next((y for y in pool if y.shape == x.shape and not is_key(y)), x)
            if rng.random() < 0.2 and not x.node.weak:
                y = xp.broadcast_to(xp.sum(next(y for y in pool if not is_key(y))), x.shape)
            if kind(x) != "c" and kind(y) == "c":
                y = xp.real(y)
            if x.node.weak:
                y = x * 1
            out.append(y if y.node is x.node else y.astype(x.dtype))
        return out


class Program:
    """A loop or a jitted function, its operands and settings, from a seed."""

    def __init__(self, seed):
        rng = random.Random(seed)
        size = rng.random()
        shapes = SHAPES if size < 0.85 else [*SHAPES, *LONG] if size < 0.97 else [*HUGE, (), ()]
        self.system = rng.choice(SYSTEMS)
        self.x64 = rng.choice(["off", "on", "explicit"])
        self.seed = rng.randrange(2**31)
        with self.settings():
            pool = [operand(rng, shapes) for _ in range(rng.randrange(2, 7))]
            if all(is_key(x) for x in pool):
                pool.append(xp.ones(3))
        self.operands = pool
        self.seeds = [rng.randrange(2**31) for _ in range(rng.randrange(1, 12))]

    def settings(self):
        return xp.config.use(x64=self.x64, promotion=self.system)

    def run(self):
        """Run it, and return the results as a list."""
        rng = random.Random(self.seed)
        with self.settings():
            body, carry, outer = Body(self.seeds), few(rng, self.operands), few(rng, self.operands)
            if rng.random() < 0.3:
                function = jax.jit(lambda xs: body([*xs, *outer]))
                return [*function(carry), *function(carry)]
            swap = rng.random() < 0.4
            columns = [x for x in self.operands if x.ndim and x.shape[0] < 6]
            return run_loop(rng, body, carry, outer, swap, columns)


def described(x):
    """Return what is compared of an array."""
    data = x if not is_key(x) else jax.random.key_data(x)
    return str(x.dtype), x.node.name, x.weak_type, x.shape, data.tobytes()


def came(program):
    """Return the results of a program, or its error."""
    try:
        return [described(x) for x in program.run()]
    except Exception as error:  # noqa: BLE001 - of any kind, which is compared
        return type(error).__name__, "" if isinstance(error, MemoryError) else str(error)
