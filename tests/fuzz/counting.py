"""Count the cases of the tests of this folder, by class."""

from collections import Counter

CASES: Counter = Counter()
