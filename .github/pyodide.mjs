// The pure-Python wheel in Pyodide: node pyodide.mjs dist/supremum-*.whl
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { loadPyodide } from "pyodide";

const wheel = process.argv.slice(2).find((name) => name.endsWith("-py3-none-any.whl"));
const py = await loadPyodide();
await py.loadPackage(["numpy", "ml-dtypes", "micropip"]);
py.FS.writeFile(`/tmp/${basename(wheel)}`, readFileSync(wheel));
await py.runPythonAsync(`
import micropip
await micropip.install("emfs:/tmp/${basename(wheel)}")

import runpy
import sys

import numpy as np
import supremum as xp

assert np.intp is np.int32 or np.dtype(np.intp).itemsize == 4
assert xp.__engine__ == "reference"
x = xp.arange(5, dtype="int8")
assert (2 * x + 1).dtype == "int8"
assert (x + xp.ones(5, dtype="bfloat16")).dtype == "bfloat16"
assert int(xp.sum(xp.ones(1000, dtype="bfloat16"))) == 1000
assert xp.argmax(x).dtype == "int32" and xp.asarray(2**40).dtype == "int64"
assert xp.take(x, xp.asarray([4, 0])).tolist() == [4, 0]
sys.argv = ["supremum"]
runpy.run_module("supremum", run_name="__main__")
`);
console.log("the wheel runs in Pyodide", py.version);
