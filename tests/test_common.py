"""Helpers of tests."""

import pytest
from common import for_each


def test_all_cases_run_and_those_that_fail_are_named():
    seen = []

    @for_each("number", [1, 2, 3, 4], "case {}".format)
    def check(number, limit):
        seen.append(number)
        assert number <= limit

    with pytest.raises(ExceptionGroup) as caught:
        check(limit=2)
    assert seen == [1, 2, 3, 4]
    assert [error.__notes__ for error in caught.value.exceptions] == [["case 3"], ["case 4"]]


@pytest.mark.parametrize("limit", [3, 4])
@for_each("number", range(3))
def test_other_parameters_remain(number, limit):
    assert number < limit
