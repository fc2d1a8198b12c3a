"""threadpoolctl limits the threads of large arrays."""

import pytest

import supremum as xp
from supremum._base.buffers import native
from supremum.threadpoolctl import register

threadpoolctl = pytest.importorskip("threadpoolctl", reason="threadpoolctl is not installed")
pytestmark = pytest.mark.skipif(native is None, reason="the reference engine has no threads")


def known():
    return [info for info in threadpoolctl.threadpool_info() if info["user_api"] == "supremum"]


def test_limits():
    register()
    register()  # once is enough
    before = xp.config.threads
    assert [(info["num_threads"], info["version"]) for info in known()] == [(before, xp.__version__)]
    with threadpoolctl.threadpool_limits(1):
        assert xp.config.threads == 1
        assert known()[0]["num_threads"] == 1
    with threadpoolctl.threadpool_limits({"supremum": 3}):
        assert xp.config.threads == 3
    with threadpoolctl.threadpool_limits(1, user_api="blas"):
        assert xp.config.threads == before
    assert xp.config.threads == before
