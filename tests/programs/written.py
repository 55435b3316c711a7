"""Every program that `warplens code` writes for a form runs and leaves what the kernel's own CUDA C++ leaves on the virtual
GPU, given the same data: Numba and PyCUDA on the driver, OpenCL on the machine's own."""
import concurrent.futures
import json
import pathlib
import subprocess
import tempfile

import packages
import suites

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
# form → environments that run it
FORMS = {"numba": ("numba-cuda", "numba"), "pycuda": ("pycuda",), "opencl": ("opencl",)}
# With OpenCL on the processor, a kernel that goes astray on purpose does so in the memory of the process.
LEFT_OUT = {("vector_add_unchecked", "opencl")}

# What a form's own tools say where they cannot do it → what that means.
NOT_OURS = {
    "TypeError: Signature mismatch": "the CUDA target inside Numba 0.68.1 compiles neither min nor max; numba-cuda does",
    "cl_khr_subgroups": "the OpenCL device has no sub-groups",
    "nvcc: not found": "PyCUDA compiles with nvcc, which is not installed",
}


def text_of(warplens, kernel, form):
    made = subprocess.run([warplens, "code", kernel, "--form", form, "--device", "RTX 3060"], capture_output=True, text=True)
    return made.stdout if made.returncode == 0 else None


def run_one(warplens, python, kernel, form, folder):
    """A sentence where the program does not do what the kernel does; "skipped: …" where it cannot be tried here."""
    text = text_of(warplens, kernel, form)
    if text is None:
        return "skipped: there is no such program"
    folder.mkdir(parents=True)
    (folder / "program.py").write_text(text, encoding="utf-8")
    (folder / "constants.py").write_text(text_of(warplens, kernel, "numba") or "", encoding="utf-8")
    front = suites.launcher(warplens if form != "opencl" else None)
    variables = {"PYOPENCL_NO_CACHE": "1", "POCL_CACHE_DIR": str(folder / "pocl"), "PYOPENCL_CTX": "0"}
    status, said = suites.in_group([*front, python, "-W", "ignore", HERE / "written_program.py", warplens, kernel],
                                   variables, suites.SILENCE_S, cwd=folder)
    for sign, reason in NOT_OURS.items():
        if status != 0 and sign in said:
            return f"skipped: {reason}"
    return None if status == 0 else f"exit status {status}: {said.strip()[-1500:]}"


def run(warplens, forms, jobs):
    listed = subprocess.run([warplens, "kernels", "--json"], capture_output=True, text=True, check=True).stdout
    kernels = [kernel["name"] for kernel in json.loads(listed)["kernels"]]
    failed = ran = 0
    for form in forms or FORMS:
        for name in FORMS[form]:
            python = packages.environment(name)
            if python is None:
                continue
            with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
                wanted = [kernel for kernel in kernels if (kernel, form) not in LEFT_OUT]
                said = list(pool.map(lambda kernel: run_one(warplens, python, kernel, form, pathlib.Path(folder) / kernel),
                                     wanted))
            skipped = sum(1 for words in said if words and words.startswith("skipped: "))
            wrong = [(kernel, words) for kernel, words in zip(wanted, said) if words and not words.startswith("skipped: ")]
            for kernel, words in zip(wanted, said):
                if words:
                    print(f"{kernel} in {form}, {name}: {words}")
            print(f"{form}, {name}: {len(said) - len(wrong) - skipped} passed, {len(wrong)} failed, {skipped} skipped", flush=True)
            failed, ran = failed + len(wrong), ran + len(said) - skipped
    return 1 if failed else 0 if ran else SKIPPED
