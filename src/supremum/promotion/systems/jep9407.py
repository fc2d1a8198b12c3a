"""JEP 9407, the design of JAX's promotion (document 002): the options that were weighed, and the lattice that was adopted.

Each option is a graph of the document; bool is in none of them.
"""

from supremum.promotion._system import SystemData

_INTEGERS = {
    "uint8": ["uint16", "int16"],
    "uint16": ["uint32", "int32"],
    "uint32": ["uint64", "int64"],
}
_WEAK = {"int*": ["float*", "uint8", "int8"], "float*": ["complex*", "float16"], "complex*": ["complex64"]}
_FLOATS = {
    "float16": ["float32"],
    "float32": ["float64", "complex64"],
    "float64": ["complex128"],
    "complex64": ["complex128"],
}
_OPTION_3 = {
    "int*": ["uint8", "int8"],
    **_INTEGERS,
    "int8": ["int16"],
    "int16": ["int32"],
    "int32": ["int64"],
    "int64": ["float*"],
    "float*": ["complex*", "float16", "bfloat16"],
    "complex*": ["complex64"],
    "bfloat16": ["float32"],
    **_FLOATS,
}
_JEP = SystemData(package="JEP 9407", date="2021-12", fold="join", partial=True)

SYSTEMS = {
    "jep9407_option1": _JEP._replace(
        edges={
            **_WEAK,
            **_INTEGERS,
            "int8": ["int16", "float16"],
            "int16": ["int32", "float32"],
            "int32": ["int64", "float64"],
            **_FLOATS,
        },
        title="JEP 9407, option 1 (rejected): no loss of precision",
        notes="Rejected because 64-bit integers with floats stay undefined, bfloat16 finds no place, and results are wide: "
        "uint16 with float16 is float64. uint32 with any float is undefined too, as it reaches floats only through int64.",
    ),
    "jep9407_option2": _JEP._replace(
        edges={
            **_WEAK,
            **_INTEGERS,
            "int8": ["int16"],
            "int16": ["int32", "float16"],
            "int32": ["int64", "float32"],
            "int64": ["float64"],
            **_FLOATS,
        },
        title="JEP 9407, option 2 (rejected): signed integers become floats of their width",
        notes="Rejected because some results are still wide (uint32 with float32 is float64), uint64 stays undefined, and "
        "bfloat16 finds no place.",
    ),
    "jep9407_option3": _JEP._replace(
        edges=_OPTION_3,
        title="JEP 9407, option 3 with bfloat16: integers defer to floats",
        notes="What was adopted, but for the edge from uint64 to the weak float: uint64 promotes with no signed integer and "
        "no float.",
    ),
    "jep9407": _JEP._replace(
        edges={**_OPTION_3, "uint64": ["float*"]},
        partial=False,
        title="JEP 9407 as adopted",
        notes="A lattice of all its 17 types. JAX today has the same rules for them, and bool below the weak int.",
    ),
}
