"""Programs that lose digits, each at a line that is marked with the function and the kind of the loss.

A program gets a namespace and a dtype, and returns what the marked line made last. `record_lens_gallery.py` runs them with
numbers of 60 digits, and writes the results into lens_gallery.json.
"""


def quadratic(xp, dtype):
    b, c = xp.asarray(3000.0, dtype=dtype), xp.asarray(1.7, dtype=dtype)
    root = xp.sqrt(b * b - 4 * c)
    return b - root  # loses: subtract cancellation


def variance(xp, dtype):
    x = xp.asarray([4.0, 7.0, 13.0, 16.0], dtype=dtype) + 12345.0
    return xp.mean(x**2) - xp.mean(x) ** 2  # loses: subtract cancellation


def variance_of_differences(xp, dtype):
    x = xp.asarray([4.0, 7.0, 13.0, 16.0], dtype=dtype) + 12345.0
    return xp.mean((x - xp.mean(x)) ** 2)


def softmax(xp, dtype):
    x = xp.asarray([12.5, 10.0, 3.0], dtype=dtype)
    return xp.exp(x)  # loses: exp overflow


def softmax_with_shift(xp, dtype):
    x = xp.asarray([12.5, 10.0, 3.0], dtype=dtype)
    e = xp.exp(x - xp.max(x))
    return e / xp.sum(e)


def logsumexp(xp, dtype):
    x = xp.asarray([-20.0, -21.0], dtype=dtype)
    return xp.exp(x)  # loses: exp underflow


def logsumexp_with_shift(xp, dtype):
    x = xp.asarray([-20.0, -21.0], dtype=dtype)
    return xp.log(xp.sum(xp.exp(x - xp.max(x)))) + xp.max(x)


def layer_norm(xp, dtype):
    x = xp.asarray([0.5, 0.5, 0.5, 0.5], dtype=dtype)
    spread = xp.mean((x - xp.mean(x)) ** 2)
    return spread + 1e-8  # loses: add underflow


def running_sum(xp, dtype):
    x = xp.asarray([0.25] * 2000, dtype=dtype)
    total = xp.asarray(0.0, dtype=dtype)
    for i in range(2000):
        total = total + x[i]  # loses: add absorption
    return total


def sum_at_once(xp, dtype):
    return xp.sum(xp.asarray([0.25] * 2000, dtype=dtype))


def finite_difference(xp, dtype):
    x, step = xp.asarray(1.0, dtype=dtype), xp.asarray(2.0**-20, dtype=dtype)
    ahead, here = xp.sin(x + step), xp.sin(x)
    return ahead - here  # loses: subtract cancellation


def horner(xp, dtype):
    x = xp.asarray([1.01, 0.98], dtype=dtype)
    value = xp.asarray([0.0, 0.0], dtype=dtype)
    for coefficient in (1.0, -5.0, 10.0, -10.0, 5.0, -1.0):
        value = value * x + coefficient  # loses: add cancellation
    return value


def gram_schmidt_classical(xp, dtype):
    e = 2.0**-13
    columns = [xp.asarray(column, dtype=dtype) for column in ([1, e, 0, 0], [1, 0, e, 0], [1, 0, 0, e])]
    basis = []
    for column in columns:
        rest = column
        for one in basis:
            rest = rest - xp.sum(one * column) * one  # loses: subtract cancellation
        basis.append(rest / xp.sqrt(xp.sum(rest * rest)))
    return basis[2][1:]


def gram_schmidt_modified(xp, dtype):
    e = 2.0**-13
    columns = [xp.asarray(column, dtype=dtype) for column in ([1, e, 0, 0], [1, 0, e, 0], [1, 0, 0, e])]
    basis = []
    for column in columns:
        rest = column
        for one in basis:
            rest = rest - xp.sum(one * rest) * one
        basis.append(rest / xp.sqrt(xp.sum(rest * rest)))
    return basis[2][1:]


def hilbert(xp, dtype):
    n = 6
    matrix = 1 / (xp.reshape(xp.arange(n, dtype=dtype), (n, 1)) + xp.arange(1, n + 1, dtype=dtype))
    return xp.linalg.solve(matrix, xp.sum(matrix, axis=1))  # loses: linalg.solve rounding


def adam(xp, dtype):
    weight = xp.asarray([1.0, -2.0], dtype=dtype)
    first, second = 0 * weight, 0 * weight
    gradient = xp.asarray([0.5, -0.25], dtype=dtype)
    for i in range(1, 51):
        first = 0.875 * first + 0.125 * gradient
        second = 0.96875 * second + 0.03125 * gradient**2
        step = first / (1 - 0.875**i) / (xp.sqrt(second / (1 - 0.96875**i)) + 1e-6)
        weight = weight - 0.001 * step  # loses: subtract absorption
    return weight


def attention(xp, dtype):
    queries = xp.asarray([[8.0] * 16, [6.0] * 16], dtype=dtype)
    keys = xp.asarray([[8.0] * 16, [0.5] * 16], dtype=dtype)
    return xp.matmul(queries, keys.T)  # loses: matmul overflow


def attention_with_scale(xp, dtype):
    queries = xp.asarray([[8.0] * 16, [6.0] * 16], dtype=dtype)
    keys = xp.asarray([[8.0] * 16, [0.5] * 16], dtype=dtype)
    return xp.matmul(queries / 4, keys.T)


def time_steps(xp, dtype):
    t, dt = xp.asarray(0.0, dtype=dtype), xp.asarray(0.01, dtype=dtype)
    for _ in range(3000):
        t += dt  # loses: add rounding
    return t


def time_by_multiplication(xp, dtype):
    dt = xp.asarray(0.01, dtype=dtype)
    for i in range(1, 3001):
        t = i * dt
    return t


def coordinates(xp, dtype):
    here, there = xp.asarray([4.2e6, 1.1e6], dtype=dtype), xp.asarray([4.2e6, 1.1e6], dtype=dtype) + 0.3
    return there - here  # loses: subtract cancellation


def mandelbrot(xp, dtype):
    real, imaginary = xp.asarray([-0.7436447860] * 9, dtype=dtype), xp.arange(9, dtype=dtype) * 2.0**-20 + 0.1318252536
    x, y, steps = 0 * real, 0 * imaginary, xp.asarray([0] * 9)
    for _ in range(600):
        x, y = xp.clip(x * x - y * y + real, -9.0, 9.0), xp.clip(2 * x * y + imaginary, -9.0, 9.0)
        inside = x * x + y * y < 4  # loses: less flip
        steps = steps + xp.astype(inside, "int32")
    return steps


#: The dtype in which each program loses digits. Those of None lose none there, beside another one that does.
DTYPES = {
    quadratic: "float32", variance: "float32", variance_of_differences: "float32", softmax: "float16",
    softmax_with_shift: "float16", logsumexp: "float16", logsumexp_with_shift: "float16", layer_norm: "float16",
    running_sum: "bfloat16", sum_at_once: "bfloat16", finite_difference: "float32", horner: "float32",
    gram_schmidt_classical: "float32", gram_schmidt_modified: "float32", hilbert: "float32", adam: "bfloat16",
    attention: "float8_e4m3fn", attention_with_scale: "float8_e4m3fn", time_steps: "float32",
    time_by_multiplication: "float32", coordinates: "float32", mandelbrot: "float32",
}  # fmt: skip
