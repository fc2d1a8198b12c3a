"""What pyproject.toml cannot say: that there may be something to compile (see build_core.py)."""

import sys
from pathlib import Path

from setuptools import setup

sys.path.insert(0, str(Path(__file__).parent))  # which a build backend does not have on its path

from build_core import build_core, extensions

setup(ext_modules=extensions(), cmdclass={"build_ext": build_core})
