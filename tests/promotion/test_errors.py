"""Errors of promotion."""

import pickle

import pytest

from supremum.promotion import LatticeError, TypePromotionError, systems


@pytest.mark.parametrize("kind", [TypeError, ValueError, TypePromotionError])
def test_a_failed_promotion_is_caught_as_users_of_each_library_catch_it(kind):
    with pytest.raises(kind):
        systems["jax_strict"].promote("float32", "int32")


def test_lattice_errors_are_value_errors_and_keep_their_violations():
    error = LatticeError("both", ("one", "two"))
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.violations) == ("both", ("one", "two"))
    assert LatticeError("alone").violations == ("alone",)


@pytest.mark.parametrize("error", [TypePromotionError, LatticeError])
def test_errors_call_themselves_by_their_public_place(error):
    assert error.__module__ == "supremum.promotion"
