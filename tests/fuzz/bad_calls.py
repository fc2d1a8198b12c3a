"""Call functions with bad input: the functions, their arguments, and the outcomes that are allowed."""

import contextlib
import functools
import importlib
import inspect
import operator
import random
import re
import signal
import threading
import warnings
from dataclasses import dataclass

import hostile
import numpy as np

import supremum as xp
from supremum._base.python_operators import ARITHMETIC, COMPARING
from supremum.promotion import TypePromotionError

#: The functions of Python's operators.
_FUNCTIONS = {name: row for name, (_, row) in ARITHMETIC.items()}
_FUNCTIONS.update(matmul="matmul", divmod="divmod")
COMPARISONS = {name: row for name, (_, row) in COMPARING.items()}
#: Exceptions that a function may raise, with a message that names it.
ERRORS = (
    TypeError, ValueError, IndexError, OverflowError, ZeroDivisionError, MemoryError, NotImplementedError, TypePromotionError,
)  # fmt: skip
#: Subclasses of these that a function may not raise: they indicate a bug.
NEVER = (RecursionError, UnicodeError)
#: Messages of NumPy's and Python's internals, which do not help a user.
INTERNAL = re.compile(
    r"\bufunc '|_array_ufunc|object of type '|object is not (iterable|callable|subscriptable)|has no attribute|_UFunc|"
    r"object cannot be interpreted|must be real number|unhashable|to unpack|_NoValue|gufunc|"
    r"__array_ufunc|unsupported operand|not supported between|could not convert string|must be str|descriptor '"
)
#: Names that are not public: modules, classes and methods.
PRIVATE = re.compile(r"\bsupremum\.(\w+\.)*_|\b_(native|reference)\b|\bndarray\.__\w+__")
#: Python's own message about an operator that both operands refuse.
PYTHON = re.compile(r"unsupported operand type\(s\) for [^:]+:|'[<>=]+' not supported between")
SECONDS = 4


class HangError(BaseException):
    """A call that did not return in time."""


@dataclass(frozen=True)
class Target:
    """A function, the names that its messages may use, and whether it may change its arguments."""

    label: str
    function: object
    names: tuple[str, ...]
    writes: bool = False


def _target(prefix, name, function, **kwargs):
    return Target(f"{prefix}{name}", function, (name, getattr(function, "__name__", name)), **kwargs)


def _said(function):
    """Return the names of the parameters, and the annotation of the result, of a function."""
    with contextlib.suppress(TypeError, ValueError):
        signature = inspect.signature(function)
        return set(signature.parameters), str(signature.return_annotation)
    return set(), ""


def _public(module, prefix):
    for name in getattr(module, "__all__", ()):
        function = getattr(module, name)
        parameters, result = _said(function)
        # NumPy's own objects, such as `dtype`, have NumPy's messages.
        if not callable(function) or getattr(function, "__module__", "").startswith("numpy"):
            continue
        if isinstance(function, type) or result != "None":  # else it is called for an effect: files, settings
            yield _target(prefix, name, function, writes="inplace" in parameters)


def _method(name):
    def call(x, *args, **kwargs):
        return getattr(x, name)(*args, **kwargs)

    call.__name__ = name
    with contextlib.suppress(TypeError, ValueError):
        call.__signature__ = inspect.signature(getattr(xp.Array, name))
    return call


def _at(name):
    def call(x, indices, values, /):
        return getattr(x.at[indices], name)(*(() if name == "get" else (values,)))

    call.__name__ = name
    return call


def _set(x, indices, value):
    x[indices] = value


def _get(x, indices):
    return x[indices]


def _operators():
    """Yield Python's operators of two operands, each with its name and the name of the function of the namespace."""
    for name, row in {**_FUNCTIONS, **COMPARISONS}.items():
        function = divmod if name == "divmod" else getattr(operator, f"__{name}__")
        yield function.__name__, (function, row)


#: By the name.
OPERATORS = dict(_operators())


def _symbol(function):
    """Return how an operator is written, from its documentation: ``+``."""
    found = re.match(r"Same as a (\S+) b", function.__doc__)
    return (found[1],) if found else ()


def targets():
    """Return every public function as a target."""
    yield from _public(xp, "")
    for name in ("linalg", "fft", "random", "nn", "scipy.special"):
        yield from _public(functools.reduce(getattr, name.split("."), xp), f"{name}.")
    for name in ("as_node", "compare", "explain", "implicit_cast", "implicit_cast_type", "port"):
        yield _target("promotion.", name, getattr(xp.promotion, name))
    system = xp.promotion.systems["jax"] if hasattr(xp.promotion.systems, "__getitem__") else xp.promotion.systems.jax
    for name in dir(system):
        if not name.startswith("_") and callable(getattr(system, name)) and name not in OF_NODES:
            yield _target("promotion.system.", name, getattr(system, name))
    for name in dir(xp.Array):
        if not name.startswith("_") and callable(getattr(xp.Array, name, None)):
            yield _target("Array.", name, _method(name), writes=_said(getattr(xp.Array, name))[1] == "None")
    for name in ("__array__", "__dlpack__", "__array_namespace__", "__setstate__", "to_device"):
        if hasattr(xp.Array, name) and name != "__setstate__":
            yield _target("Array.", name, _method(name))
    update = type(xp.zeros(1).at[0])
    for name in (one for one in dir(update) if not one.startswith("_") and callable(getattr(update, one))):
        yield Target(f"at[].{name}", _at(name), ("at", name, "index", "indexing", "Array"))
    yield Target("Array[]", _get, ("index", "indexing", "Array"))
    yield Target("Array[]=", _set, ("index", "Array", "item assignment", "assign"), writes=True)
    for name, (function, row) in OPERATORS.items():
        # `divmod` and reflected comparisons call others.
        others = COMPARISONS.values() if row in COMPARISONS.values() else _FUNCTIONS.values() if name == "divmod" else ()
        names = ("Array", name.strip("_"), row, getattr(np, row, function).__name__, *others, *_symbol(function))
        yield Target(f"operator.{name}", function, names)
        inplace = f"i{name.strip('_')}"
        if hasattr(operator, inplace):
            yield Target(f"operator.{inplace}", getattr(operator, inplace), (*names, inplace), writes=True)


#: Methods of promotion systems that take only nodes, or any object, and are called by our code; and a slow one of matplotlib.
OF_NODES = frozenset({"count", "draw", "error", "html", "index", "lookup", "lookup_all", "own_node", "save", "svg", "variant"})


@functools.cache
def _parameters(function):
    """Return the names of the parameters and whether each is required; two arrays if Python cannot tell."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return (("x", True, True), ("y", True, True)), False
    kinds = inspect.Parameter
    return tuple(
        (p.name, p.default is kinds.empty, p.kind is not kinds.KEYWORD_ONLY)
        for p in found
        if p.kind not in {kinds.VAR_KEYWORD, kinds.VAR_POSITIONAL}
    ), any(p.kind is kinds.VAR_POSITIONAL for p in found)


def call_of(target, rng):
    """Return the arguments of one bad call, and a description of them."""
    parameters, variadic = _parameters(target.function)
    names = list(hostile.VALUES)
    args, kwargs, words, positional = [], {}, [], True
    given = [p for p in parameters if p[1] or rng.random() < 0.15]
    if variadic:
        given = [*given, *[("x", True, True)] * rng.randrange(4)]
    if not given and parameters and rng.random() < 0.9:
        given = [rng.choice(parameters)]
    bad = {rng.randrange(len(given))} if given else set()
    while given and rng.random() < 0.25:
        bad.add(rng.randrange(len(given)))
    dropped = rng.random()
    if dropped < 0.02 and given:
        given.pop()
    for position, (name, _, by_position) in enumerate(given):
        if position in bad:
            word = rng.choice(names)
            value = hostile.VALUES[word]()
        else:
            word = f"<{name}>"
            value = hostile.MEANT[name]() if name in hostile.MEANT else rng.choice(hostile.ARRAYS)()
        positional = positional and by_position and parameters[position : position + 1] == ((name, _, by_position),)
        if positional or variadic:
            args.append(value)
            words.append(word)
        else:
            kwargs[name] = value
            words.append(f"{name}={word}")
    if dropped > 0.98:
        args.append(hostile.VALUES["word"]())
        words.append("one too many")
    if 0.96 < dropped < 0.98:
        kwargs["surplus"] = 1
        words.append("surplus=1")
    return args, kwargs, words


def _frozen(value):
    """Return bytes that change when a value changes, or None if there are none."""
    data = value._data if isinstance(value, xp.Array) else value
    if isinstance(data, np.ndarray) and not data.dtype.hasobject:
        return (data.shape, data.dtype, data.tobytes())
    if isinstance(value, dict) or (isinstance(value, list) and len(value) < 10 and value is not value[-1:]):
        return (type(value), tuple(map(id, value)))
    return None


#: Names at the beginning of our messages: a function may leave the error to the function that it calls.
NAMES = frozenset(
    name for module in (xp, xp.linalg, xp.fft, xp.random, xp.nn, xp.scipy.special) for name in module.__all__
) | {"logsumexp", "index", "bool", "as_node", "config", "systems"}


#: Two names at the beginning of a message, of a function and of one that it calls.
CHAIN = re.compile(r"([\w.]+)(?:, argument \d+)?: ([\w.]+)(?:: | requires | does not accept )")


@contextlib.contextmanager
def time_limit(seconds):
    """Raise HangError in a call that does not return, if the platform supports it."""

    def stop(*_args):
        raise HangError

    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    old = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


@contextlib.contextmanager
def memory_limit(more):
    """Limit the memory of this process to so many more bytes, if the platform supports it."""
    try:
        import resource  # exists on Unix only
    except ImportError:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm") as file:  # noqa: PTH123 - a file of the kernel in /proc
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + more, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def names_it(message, target):
    """Whether a message contains one of the function's names."""
    if (found := re.match(r"(?:Array\.|\w+\.)*(\w+)(?:,| requires|:| takes| does)", message)) and found[1] in NAMES:
        return True
    words = set(re.findall(r"\w+", message))
    return any(name in words or (not name.isidentifier() and name in message) for name in target.names)


def complaint(target, args, kwargs):
    """Call the function and return what is wrong with its outcome; None if it is allowed."""
    values = [*args, *kwargs.values()]
    before = [_frozen(value) for value in values]
    failed = True
    try:
        with warnings.catch_warnings(), np.errstate(all="raise"), time_limit(SECONDS):
            warnings.simplefilter("error")
            result = target.function(*args, **kwargs)
            if isinstance(result, xp.Array):
                repr(result)
            failed = False
    except (hostile.DunderError, FileNotFoundError, BufferError):
        problem = None  # errors of the caller's object, of the operating system, and of the buffer protocol
    except HangError:
        problem = "hangs"
    except Warning as warning:
        problem = None if _expected(warning) else f"warns {type(warning).__name__}: {warning}"
    except (*ERRORS, AssertionError) as error:  # AssertionError where JAX raises one
        problem = _judged(error, target)
    except Exception as error:  # noqa: BLE001 - any other exception is the problem to find
        problem = None if _home(error) in FOREIGN else f"raises {type(error).__name__}: {error}"
    else:
        problem = None
    if problem is None and (failed or not target.writes):
        for value, old in zip(values, before, strict=True):
            if old is not None and _frozen(value) != old:
                return f"changed its input ({type(value).__name__})"
    return problem


def _expected(warning):
    """Whether a warning is documented: JAX or NumPy gives it too, and it names the function."""
    if type(warning).__module__.partition(".")[0] not in {"builtins", "numpy", "supremum"}:
        return True  # pandas warns about its own objects
    documented = "truncated to dtype|refused in future|should be integers|incompatible types|imaginary part"
    documented += "|implementation is ignored"
    # NumPy 2.5 warns about comparisons of timedelta with numbers, and NumPy 2.3 about a vector in place of a number.
    documented += "|'generic' unit for NumPy timedelta|array with ndim > 0 to a scalar"
    return isinstance(warning, xp.ComplexWarning | xp.PortingWarning) or re.search(documented, str(warning))


def _judged(error, target):
    message = str(error)
    if _home(error) in FOREIGN:
        return None
    if target.label.startswith("operator.") and not _reached(error):
        return None  # NumPy's own operator, of a matrix or a masked array on the left, that did not call ours
    takes_function = {"func", "func1d", "function"} & {name for name, *_ in _parameters(target.function)[0]}
    if (takes_function or target.label == "at[].apply") and re.match(r"(abs|len|str|int)(\(\)|:) |'(str|int)'", message):
        return None  # raised by the caller's function
    if re.match(r"_at.<locals>|_get\(|_set\(|_operator\.", message):
        return None  # raised by the wrapper
    if re.match(r"((BinaryUfunc|UnaryUfunc|ufunc)\.__call__|(Array\.)?__array_namespace\w*)\(\) ", message):
        return None  # Python's message about a wrong number of arguments, which names the class
    if target.label == "promotion.system.promote" and message.startswith("Input dtypes"):
        return None  # JAX's message
    shown = f"{type(error).__name__}: {message}"
    if isinstance(error, NEVER):
        return f"raises {shown}"
    if isinstance(error, MemoryError):
        return None
    if PYTHON.match(message):
        return None  # Python's message about an operator that both operands refuse
    if not names_it(message, target):
        return f"does not name the function: {shown}"
    return f"mentions internals: {shown}" if INTERNAL.search(message) else inside(error)


def inside(error):
    """Return what is wrong with the names in an error: two functions, or what is not public; None if nothing is."""
    message, kind = str(error), type(error)
    if (chain := CHAIN.match(message)) and {part.rpartition(".")[2] for part in chain.groups()} <= NAMES:
        return f"names two functions: {kind.__name__}: {message}"
    if PRIVATE.search(message) or PRIVATE.search(f"{kind.__module__}.{kind.__name__}"):
        return f"names what is not public: {kind.__module__}.{kind.__name__}: {message}"
    return None


#: Namespaces beside those of `targets`.
FURTHER = (
    "io", "jax", "jax.custom_batching", "jax.debug", "jax.image", "jax.lax", "jax.ops", "jax.tree", "jax.tree_util",
    "lib.stride_tricks", "nn.initializers", "promotion", "scipy.cluster.vq", "scipy.fft", "scipy.integrate",
    "scipy.interpolate", "scipy.linalg", "scipy.ndimage", "scipy.optimize", "scipy.signal", "scipy.sparse.linalg",
    "scipy.spatial.transform", "scipy.stats", "scipy.stats.norm", "scipy.stats.poisson", "testing",
)  # fmt: skip


def further_errors(count, seed):
    """Call the functions of further namespaces, and yield (target, description, error), those of other objects excepted."""
    for namespace in FURTHER:
        for target in _public(importlib.import_module(f"supremum.{namespace}"), f"{namespace}."):
            rng = random.Random(f"{seed}/{target.label}")
            for _ in range(count):
                args, kwargs, words = call_of(target, rng)
                error = None
                try:
                    with warnings.catch_warnings(), time_limit(SECONDS):
                        warnings.simplefilter("ignore")
                        target.function(*args, **kwargs)
                except HangError:
                    pass
                except Exception as raised:  # noqa: BLE001 - any error is judged by what it names
                    error = raised
                if error is None or (type(error).__module__ != hostile.__name__ and _home(error) not in FOREIGN):
                    yield target, words, error


#: Libraries whose objects may raise errors of their own.
FOREIGN = {"pandas", "torch"}


def _home(error):
    """Return the package whose code raised an error."""
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_globals.get("__name__", "").partition(".")[0]


def _reached(error):
    """Whether an error passed through this package."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_globals.get("__name__", "").partition(".")[0] == "supremum":
            return True
        trace = trace.tb_next
    return False


def reaches(target, args):
    """Whether a call reaches this package: a method needs an Array, an operator at least one."""
    if target.label.startswith("operator."):
        return len(args) == 2 and any(isinstance(x, xp.Array) for x in args)
    if target.label.startswith("at[]"):
        return len(args) == 3 and isinstance(args[0], xp.Array)
    return not target.label.startswith("Array") or (bool(args) and isinstance(args[0], xp.Array))


def run(count, seed, only=None):
    """Call every function `count` times, and yield (target, description, problem) for each outcome that is not allowed."""
    for target in targets():
        if only and only not in target.label:
            continue
        rng = random.Random(f"{seed}/{target.label}")
        for _ in range(count):
            args, kwargs, words = call_of(target, rng)
            if not reaches(target, args):
                continue
            yield target, words, complaint(target, args, kwargs)
