"""Helpers of several files of tests."""

import functools
import importlib.metadata
import inspect

import numpy as np
import pytest

import supremum as xp
from supremum._base.buffers import native
from supremum.promotion._nodes import NODES


def for_each(names, cases, identity=str):
    """Have a test run once, over all cases, and show each of them that fails; cases of several names are tuples.

    That is for thousands of small cases: for each test of its own, pytest takes longer than most of them do. Instead of
    cases, a function that makes them is called when the test runs, and not when tests are collected.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = cases if callable(cases) else list(cases)

    def decorated(test):
        signature = inspect.signature(test)

        @functools.wraps(test)
        def over_all(**others):
            failures, skipped, given = [], [], cases() if callable(cases) else cases
            for case in given:
                try:
                    test(**dict(zip(names, case if len(names) > 1 else [case], strict=True)), **others)
                except pytest.skip.Exception as reason:
                    skipped.append(reason)
                except (Exception, pytest.fail.Exception, BaseExceptionGroup) as error:  # noqa: BLE001 - all cases are run
                    if not lacks_scipy(error):
                        error.add_note(identity(case))
                        failures.append(error)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(given)} cases", failures)
            if skipped and len(skipped) == len(given):
                raise skipped[0]

        others = [parameter for key, parameter in signature.parameters.items() if key not in names]
        over_all.__signature__ = signature.replace(parameters=others)
        return over_all

    return decorated


def lacks_scipy(error):
    """Return whether an error says that SciPy is needed, where it is not installed."""
    return "needs SciPy; install it with" in str(error) and not any(importlib.metadata.distributions(name="scipy"))


def same_values(ours, theirs):
    """Assert equal shapes and values; any dtype."""
    np.testing.assert_array_equal(np.asarray(ours), theirs)


def same_bits(x, y):
    """Assert that two Arrays have equal dtypes, shapes and elements, bit by bit."""
    assert type(x) is type(y) is xp.Array
    assert (x.dtype, x.shape) == (y.dtype, y.shape)
    assert np.asarray(x).tobytes() == np.asarray(y).tobytes()


def example(name):
    """Return a small matrix of a dtype, of numbers that all of them have."""
    return xp.asarray(np.array([[0, 1, 1], [1, 0, 1]], np.int8)).astype(name)


def limits(name):
    """Return the least and the greatest integer of a dtype."""
    node = NODES[name]
    low = -(1 << (node.bits - 1)) if node.kind == "i" else 0
    return low, low + (1 << node.bits) - 1


def levels():
    """Return the levels of vector instructions that this processor has; none without the extension module."""
    if native is None:
        return []
    highest = native.set_level(0)
    native.set_level(highest)
    return list(range(highest + 1))


def code(node):
    """Return the code of a node in tables of systems."""
    return "-" if node is None else node.code


def default_float():
    """Return the name of the default floating-point dtype."""
    return str(xp.ones(1).dtype)
