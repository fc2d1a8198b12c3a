"""How many cases the tests of this folder made, by class."""

from collections import Counter

CASES: Counter = Counter()
