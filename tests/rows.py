"""The facts of elementwise functions, from their definitions, by name."""

import supremum as xp
from supremum._names import homes

#: The functions of these facts; names that are other names of a function are left out.
ROWS = {
    name: getattr(xp, name).row
    for name, home in sorted(homes().items())
    if home.startswith("supremum._functions.elementwise.") and getattr(getattr(xp, name), "__name__", "") == name
    if hasattr(getattr(xp, name), "row")
}
RULES = {name: row.rule for name, row in ROWS.items()}
