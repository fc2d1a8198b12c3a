from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import ml_dtypes
import numpy as np
import pytest

from supremum._kernels import narrow_tables
from supremum._kernels.narrow_tables import BUDGET, Table, pairs, unary

E4M3 = np.dtype(ml_dtypes.float8_e4m3fn)


def test_a_table_is_filled_once_it_is_worth_it_and_only_once():
    filled = []
    table = Table(lambda: filled.append(1) or np.arange(4), worth=100)
    assert table.get(60) is None
    assert table.get(39) is None
    assert not filled
    array = table.get(1)
    assert array.tolist() == [0, 1, 2, 3]
    assert table.get(1) is array
    assert len(filled) == 1


def test_all_tables_together_stay_within_the_budget():
    size = BUDGET // 4
    tables = [Table(lambda: np.zeros(size, np.uint8), worth=1) for _ in range(9)]
    for table in tables:
        assert table.get(1).nbytes == size
    held = sum(table._array is not None for table in tables)
    assert held <= 4
    assert tables[-1]._array is not None
    assert sum(table._bytes() for table in narrow_tables._held) <= BUDGET
    assert tables[0].get(1).nbytes == size  # an evicted table is made again


def test_a_table_larger_than_the_budget_is_kept_alone():
    table = Table(lambda: np.zeros(BUDGET + 1, np.uint8), worth=1)
    assert table.get(1) is table.get(1)
    assert Table(lambda: np.zeros(1), worth=1).get(1) is not None
    assert table._array is None


def bits(x):
    return x.view(np.uint8)


@pytest.mark.parametrize("workers", [8])
def test_threads_may_ask_at_once(workers):
    kernel = unary(np.negative, E4M3)
    add = pairs(np.add, E4M3)
    x = np.resize(np.arange(256, dtype=np.uint8), 100_000).view(E4M3)
    barrier = Barrier(workers)
    with np.errstate(all="ignore"):
        negative, twice = bits(np.negative(x)), bits(np.add(x, x))

    def work(_):
        barrier.wait()
        with np.errstate(all="ignore"):
            return [(bits(kernel(x)) == negative).all() and (bits(add(x, x)) == twice).all() for _ in range(5)]

    with ThreadPoolExecutor(workers) as pool:
        assert all(all(results) for results in pool.map(work, range(workers)))


def test_a_table_that_fails_to_fill_raises_and_may_be_asked_again():
    answers = iter([ValueError("no"), np.zeros(1)])

    def fill():
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    table = Table(fill, worth=1)
    with pytest.raises(ValueError, match="no"):
        table.get(1)
    assert table.get(1).size == 1
