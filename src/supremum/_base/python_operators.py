"""Python's operators: for each, by Python's name, the name that engines have for it, CPython's, and the function behind it."""

from typing import Final

#: Those of two operands that have a reflected form and one in place.
ARITHMETIC: Final = {
    "add": ("add", "add"), "sub": ("subtract", "subtract"), "mul": ("multiply", "multiply"),
    "truediv": ("true_divide", "divide"), "floordiv": ("floor_divide", "floor_divide"), "mod": ("remainder", "remainder"),
    "pow": ("power", "pow"), "and": ("and", "bitwise_and"), "or": ("or", "bitwise_or"), "xor": ("xor", "bitwise_xor"),
    "lshift": ("lshift", "bitwise_left_shift"), "rshift": ("rshift", "bitwise_right_shift"),
}  # fmt: skip
#: Those that compare.
COMPARING: Final = {
    "lt": ("less", "less"), "le": ("less_equal", "less_equal"), "gt": ("greater", "greater"),
    "ge": ("greater_equal", "greater_equal"), "eq": ("equal", "equal"), "ne": ("not_equal", "not_equal"),
}  # fmt: skip
#: Those of one operand.
OF_ONE: Final = {
    "neg": ("negative", "negative"), "pos": ("positive", "positive"), "abs": ("absolute", "abs"),
    "invert": ("invert", "bitwise_invert"),
}  # fmt: skip
#: The functions by the names of engines.
FUNCTIONS: Final = dict((ARITHMETIC | COMPARING | OF_ONE).values())
