"""Threefry-2x32 against the test vectors of its authors (Random123), and the layout of bits."""

import numpy as np
import pytest

from supremum._base.buffers import native
from supremum._kernels import threefry

VECTORS = [
    # counter, key, result
    ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
    ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
    ((0x243F6A88, 0x85A308D3), (0x13198A2E, 0x03707344), (0xC4923A9C, 0x483DF7A0)),
]


@pytest.mark.parametrize("counter, key, result", VECTORS)
def test_known_answers(counter, key, result):
    x0, x1 = (np.array([word], np.uint32) for word in counter)
    threefry.block(key, x0, x1)
    assert (int(x0[0]), int(x1[0])) == result


@pytest.mark.parametrize("size", [0, 1, threefry._BLOCK - 1, threefry._BLOCK, threefry._BLOCK + 1])
def test_blocks_leave_no_seam(size):
    high, low = threefry.pairs((1, 2), 0, size)
    assert (threefry.random_bits((1, 2), 32, (size,)) == (high ^ low)).all()
    assert (threefry.random_bits((1, 2), 16, (size,)) == (high ^ low).astype(np.uint16)).all()
    wide = (high.astype(np.uint64) << np.uint64(32)) | low
    assert (threefry.random_bits((1, 2), 64, (size,)) == wide).all()


def test_counters_have_64_bits():
    low = threefry.pairs((1, 2), 0, 1)
    high = threefry.pairs((1, 2), 1 << 32, (1 << 32) + 1)
    assert low[0] != high[0]


@pytest.mark.skipif(native is None, reason="the loops are the extension's")
def test_loops_give_the_words_of_the_definition(monkeypatch):
    """At every level of the processor, and around the ends of blocks."""
    highest = native.set_level(0)
    try:
        for level in range(highest + 1):
            native.set_level(level)
            for key in ((0, 0), (0xFFFFFFFF, 0xFFFFFFFF), (0x13198A2E, 0x03707344)):
                for size in (0, 1, 15, 16, 17, 511, 512, 513, 1500):
                    ours = [threefry.random_bits(key, bits, (size,)) for bits in (8, 16, 32, 64)]
                    pairs = threefry.keys(key, size)
                    with monkeypatch.context() as patch:
                        patch.setattr(threefry, "native", None)
                        for bits, found in zip((8, 16, 32, 64), ours, strict=True):
                            wanted = threefry.random_bits(key, bits, (size,))
                            assert found.dtype == wanted.dtype
                            assert (found == wanted).all()
                        assert (pairs == threefry.keys(key, size)).all()
    finally:
        native.set_level(highest)
