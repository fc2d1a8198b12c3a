"""Run the tests of the engine on both engines."""

import pytest
from engines import MODULES, engine_or_skip


@pytest.fixture(scope="module", params=list(MODULES))
def engine(request):
    return engine_or_skip(request.param)
