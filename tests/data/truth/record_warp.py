#!/usr/bin/env python3
"""Runs every whole-warp case of tests/data/ptx on the GPU of this machine and records what it answers.

    record_warp.py CASES_DIR TRUTH.json [DUMP.zip]     needs ptxas on the PATH, numpy and CuPy

`warp_forms.py CASES_DIR --fill TRUTH.json` puts the answers in. DUMP.zip gets the answers themselves, for a look.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import numpy

from warp_values import SEEDS, fnv, module, read_forms


def main():
    import cupy
    root = pathlib.Path(sys.argv[1])
    dump = zipfile.ZipFile(sys.argv[3], "w", zipfile.ZIP_DEFLATED) if len(sys.argv) > 3 else None
    truth, count = {}, 0
    for path in sorted(root.glob("*.warp")):
        forms = read_forms(path)
        with tempfile.TemporaryDirectory() as folder:
            ptx, cubin = pathlib.Path(folder, "t.ptx"), pathlib.Path(folder, "t.cubin")
            ptx.write_text(module([f.kernel(f"test_{n}") for n, f in enumerate(forms)]))
            subprocess.run(["ptxas", "-arch=sm_90", "--fmad=false", "-o", cubin, ptx], check=True)
            code = cupy.RawModule(path=str(cubin))
            code.get_function("test_0").num_regs  # reads the file now
        answers = truth.setdefault(path.stem, {})
        for n, form in enumerate(forms):
            stride = form.layout(form.outs, form.tile_out)[2]
            for kind in form.kinds:
                given = b"".join(form.inputs(kind, seed) for seed in range(SEEDS)) or b"\0"
                data = cupy.frombuffer(given, dtype=cupy.uint8)
                result = cupy.zeros(stride * 32 * SEEDS, dtype=cupy.uint8)
                code.get_function(f"test_{n}")((SEEDS,), (32,), (data, result))
                out = result.get().tobytes()
                answers.setdefault("\n".join(form.code), {})[kind] = [fnv(out[i * 32 * stride:(i + 1) * 32 * stride]) for i in range(SEEDS)]
                if dump is not None:
                    dump.writestr(f"{path.stem}/{n}/{kind}", out)
            count += 1
    device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    pathlib.Path(sys.argv[2]).write_text(json.dumps({"device": device, "results": truth}))
    print(count, "forms on", device)


if __name__ == "__main__":
    main()
