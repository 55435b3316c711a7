"""Runs the programs of this folder on an NVIDIA GPU and writes their launches as launch files with inputs and the
outputs that the GPU gave; the PTX is linked by ptxas -fmad=false, so that products and sums stay apart.

    python3 record.py OUT.tar.gz [PROGRAM…]        PROGRAM: of programs/, without .py; all where none is named

Needs CUDA's toolkit, g++, and Python with NumPy, CuPy, Numba and Triton."""
import ctypes
import glob
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../truth"))
import texture_objects  # noqa: E402

LARGEST_BUFFER, LARGEST_PTX = 1 << 17, 250_000


def run_programs(work):
    cuda = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    shim = os.path.join(work, "capture.so")
    subprocess.run(["g++", "-std=c++20", "-O1", "-shared", "-fPIC", f"-I{cuda}/include", os.path.join(HERE, "capture.cpp"),
                    "-o", shim, "-ldl"], check=True)
    folders = []
    for program, settings in (("numba_programs", {}), ("cupy_programs", {"CUPY_ACCELERATORS": ""}),
                              ("cupy_programs", {"CUPY_ACCELERATORS": "cub"}), ("triton_programs", {}),
                              ("cuda_programs", {}), ("texture_programs", {}), ("cupy_textures", {})):
        if sys.argv[2:] and program not in sys.argv[2:]:
            continue
        folder = os.path.join(work, f"{program}{len(folders)}")
        os.makedirs(folder)
        folders.append(folder)
        done = subprocess.run([sys.executable, os.path.join(HERE, "programs", program + ".py")], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=400,
                              env={**os.environ, "CAPTURE_DIR": folder, "LD_PRELOAD": shim, "CUPY_CACHE_IN_MEMORY": "1",
                                   "TRITON_CACHE_DIR": os.path.join(work, "triton"), **settings})
        print(f"== {program} {settings}: status {done.returncode}\n" + done.stdout[-6000:], flush=True)
    return folders


def parameter_sizes(ptx, entry):
    """Bytes of each parameter of an entry of the PTX text; None where there is no such entry."""
    found = re.search(r"\.entry\s+" + re.escape(entry) + r"\s*(\((.*?)\))?\s*[{.]", ptx, re.S)
    if not found:
        return None
    sizes = []
    for part in (found.group(2) or "").split(","):
        kind = re.search(r"\.param\s+(?:\.align\s+\d+\s+)?\.([a-z])(\d+)(.*)", part.strip(), re.S)
        if not kind:
            continue
        array = re.search(r"\[(\d+)\]", kind.group(3))
        sizes.append(int(kind.group(2)) // 8 * (int(array.group(1)) if array else 1))
    return sizes


class Driver:
    """As much of the CUDA driver as a launch needs."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.check(self.cuda.cuInit(0))
        context = ctypes.c_void_p()
        self.check(self.cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
        self.check(self.cuda.cuCtxSetCurrent(context))

    def check(self, status):
        if status:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorName(status, ctypes.byref(text))
            raise RuntimeError((text.value or b"?").decode())

    def run(self, cubin, launch, contents):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.check(self.cuda.cuModuleLoadData(ctypes.byref(module), cubin))
        self.check(self.cuda.cuModuleGetFunction(ctypes.byref(function), module, launch["entry"].encode()))
        if launch["shared_bytes"] > 48 * 1024:
            self.check(self.cuda.cuFuncSetAttribute(function, 8, launch["shared_bytes"]))
        addresses = []
        for content in contents:
            address = ctypes.c_uint64()
            self.check(self.cuda.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(max(1, len(content)))))
            self.check(self.cuda.cuMemcpyHtoD_v2(address, content, ctypes.c_size_t(len(content))))
            addresses.append(address)
        holders, arrays = [], {}
        for parameter in launch["parameters"]:
            data = bytearray(bytes.fromhex(parameter["bytes"]))
            if spec := parameter.get("texture") or parameter.get("surface"):
                buffer = spec["buffer"]
                handle, array = texture_objects.make(spec, contents[buffer], addresses[buffer].value, "surface" in parameter)
                data[0:8] = handle.to_bytes(8, "little")
                if array is not None:
                    arrays[buffer] = array
            for at, buffer, offset in parameter["pointers"]:
                data[at:at + 8] = (addresses[buffer].value + offset).to_bytes(8, "little")
            holders.append(ctypes.create_string_buffer(bytes(data), len(data)))
        pointers = (ctypes.c_void_p * max(1, len(holders)))(*[ctypes.addressof(h) for h in holders])
        shape = [*launch["grid"], *launch["block"], launch["shared_bytes"], None, pointers]
        if launch["cooperative"]:
            self.check(self.cuda.cuLaunchCooperativeKernel(function, *shape))
        else:
            self.check(self.cuda.cuLaunchKernel(function, *shape, None))
        self.check(self.cuda.cuCtxSynchronize())
        after = []
        for i, (address, content) in enumerate(zip(addresses, contents)):
            data = ctypes.create_string_buffer(max(1, len(content)))
            self.check(self.cuda.cuMemcpyDtoH_v2(data, address, ctypes.c_size_t(len(content))))
            after.append(arrays[i].read() if i in arrays else data.raw[:len(content)])
            self.check(self.cuda.cuMemFree_v2(address))
        self.check(self.cuda.cuModuleUnload(module))
        return after


def fields(parameter):
    """A parameter as a structure of bytes and addresses."""
    data, parts, at = bytes.fromhex(parameter["bytes"]), [], 0
    for place, buffer, offset in sorted(parameter["pointers"]):
        if place > at:
            parts.append({"bytes": data[at:place].hex()})
        parts.append({"buffer": f"b{buffer}", "offset": offset})
        at = place + 8
    if at < len(data):
        parts.append({"bytes": data[at:].hex()})
    return parts


def argument(parameter, is_array):
    for kind in ("texture", "surface"):
        if kind in parameter:
            return {kind: {**parameter[kind], "buffer": f"b{parameter[kind]['buffer']}"}}
    parts = fields(parameter)
    if not is_array and len(parts) == 1 and "buffer" in parts[0]:
        return parts[0] if parts[0]["offset"] else {"buffer": parts[0]["buffer"]}
    return {"struct": parts}


def clean(ptx):
    """Without the places of the machine that compiled it."""
    return re.sub(r'(\.file\s+\d+\s+")[^"]*/', r"\1", ptx)


def text_of(document):
    """JSON with a line for each member, buffer and argument."""
    def line(value):
        return json.dumps(value)
    members = [f'"{key}": ' + ("[\n   " + ",\n   ".join(map(line, value)) + "]" if key in ("buffers", "args", "expect") else
                               line(value)) for key, value in document.items()]
    return "{ " + ",\n  ".join(members) + " }\n"


def write_case(out, launch, ptx_name, sizes, text, before, after):
    name, dtype = launch["name"], launch["dtype"]
    buffers, expect = [], []
    for i, (old, new) in enumerate(zip(before, after)):
        entry = {"name": f"b{i}", "bytes": len(old), "dtype": dtype if len(old) % np.dtype(dtype).itemsize == 0 else "uint8"}
        if any(old):
            entry["file"] = f"{name}.b{i}.bin"
            with open(os.path.join(out, entry["file"]), "wb") as file:
                file.write(old)
        buffers.append(entry)
        wanted = {"buffer": f"b{i}", "dtype": entry["dtype"], "rtol": launch["rtol"]}
        if new != old:
            wanted["file"] = f"{name}.want{i}.bin"
            with open(os.path.join(out, wanted["file"]), "wb") as file:
                file.write(new)
            expect.append(wanted)
    if not expect:
        print("nothing changed:", name)
        return False
    array = [bool(re.search(r"\[\d+\]", p)) for p in
             re.search(r"\.entry\s+" + re.escape(launch["entry"]) + r"\s*(?:\((.*?)\))?", text, re.S).group(1).split(",")
             ] if sizes else []
    document = {("source" if ptx_name.endswith(".cu") else "ptx"): ptx_name, "entry": launch["entry"],
                "grid": launch["grid"], "block": launch["block"], "shared_bytes": launch["shared_bytes"],
                "cooperative": launch["cooperative"], "buffers": buffers,
                "args": [argument(p, a) for p, a in zip(launch["parameters"], array)], "expect": expect}
    with open(os.path.join(out, name + ".json"), "w") as file:
        file.write(text_of(document))
    return True


def main():
    work, out = tempfile.mkdtemp(), tempfile.mkdtemp()
    folders = run_programs(work)
    driver, done, cubins, kept_as, launched = Driver(), set(), {}, {}, set()
    for folder in folders:
        texts = {path: open(path).read() for path in sorted(glob.glob(folder + "/*.ptx"))}
        for path in sorted(glob.glob(folder + "/*.launch")):
            launch = json.load(open(path))
            if launch["name"] in done:
                continue
            lengths = [len(p["bytes"]) // 2 for p in launch["parameters"]]
            own = [t for t in texts if os.path.basename(t)[:-4] in (launch["name"], "triton_" + launch["name"], launch.get("ptx"))]
            fitting = [t for t in own or texts if parameter_sizes(texts[t], launch["entry"]) == lengths]
            if not fitting:
                print("no PTX:", launch["name"], launch["entry"][:60], lengths)
                continue
            source = fitting[-1]
            before = [open(f"{path[:-7]}.b{i}.bin", "rb").read() for i in range(len(launch["buffers"]))]
            if sum(map(len, before)) > LARGEST_BUFFER:
                print("too large:", launch["name"], list(map(len, before)))
                continue
            try:
                if source not in cubins:
                    target = source[:-4] + ".cubin"
                    subprocess.run(["ptxas", "-fmad", "false", "-arch=sm_90", "-o", target, source], check=True,
                                   capture_output=True, text=True)
                    cubins[source] = open(target, "rb").read()
                after = driver.run(cubins[source], launch, before)
            except subprocess.CalledProcessError as error:
                print("ptxas refuses:", launch["name"], error.stderr[-400:])
                continue
            except RuntimeError as error:
                print("the driver refuses:", launch["name"], error)
                continue
            text = clean(texts[source])
            if len(text) > LARGEST_PTX and not launch.get("ptx"):
                print("too much PTX:", launch["name"], len(text))
                continue
            if (text, launch["entry"]) in launched and not launch["name"].startswith("cuda_"):
                continue  # the same kernel once more
            launched.add((text, launch["entry"]))
            shared = os.path.basename(source)
            kept = kept_as.setdefault(text, launch["name"] + ".ptx") if not launch.get("ptx") else \
                "../../outside/programs/" + shared[:-4] + ".cu" if shared.startswith("curand") else shared
            if write_case(out, launch, kept, lengths, text, before, after):
                done.add(launch["name"])
                if kept.endswith(".ptx"):
                    with open(os.path.join(out, kept), "w") as file:
                        file.write(text)
    print(len(done), "programs recorded")
    with tarfile.open(sys.argv[1], "w:gz") as tar:
        tar.add(out, arcname="data")


main()
