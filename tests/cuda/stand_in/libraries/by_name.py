"""Libraries that a script loads by their names, also by those without a version: ours are found first.

    by_name.py build/release/warplens
"""
import pathlib
import subprocess
import sys

# As scikit-cuda does it: cuBLAS by ctypes, on memory of the runtime library.
SCRIPT = """
import ctypes, sys
runtime, blas, rand = (ctypes.CDLL(f"lib{name}.so") for name in ("cudart", "cublas", "curand"))
handle, a = ctypes.c_void_p(), ctypes.c_void_p()
numbers = (ctypes.c_float * 4)(3, 4, 0, 0)
assert runtime.cudaMalloc(ctypes.byref(a), ctypes.c_size_t(16)) == 0
assert runtime.cudaMemcpy(a, numbers, ctypes.c_size_t(16), 1) == 0
assert blas.cublasCreate_v2(ctypes.byref(handle)) == 0
length = ctypes.c_float()
assert blas.cublasSnrm2_v2(handle, 4, a, 1, ctypes.byref(length)) == 0
assert length.value == 5, length.value
version = ctypes.c_int()
assert rand.curandGetVersion(ctypes.byref(version)) == 0 and version.value >= 10000

# What is not provided is refused, in cuSOLVER with
# CUSOLVER_STATUS_NOT_SUPPORTED, in cuSPARSE with CUSPARSE_STATUS_NOT_SUPPORTED.
for name, prefix, stream, refused, code in (("cusolver", "cusolverDn", "cusolverDn", "cusolverDnSsytrf", 9),
                                            ("cusparse", "cusparse", "cusparse", "cusparseSgtsv2", 10)):
    library, made, of = ctypes.CDLL(f"lib{name}.so"), ctypes.c_void_p(), ctypes.c_void_p()
    assert getattr(library, prefix + "Create")(ctypes.byref(made)) == 0 and made
    assert getattr(library, stream + "SetStream")(made, ctypes.c_void_p(2)) == 0
    assert getattr(library, stream + "GetStream")(made, ctypes.byref(of)) == 0 and of.value == 2
    assert getattr(library, refused)(made) == code
    assert getattr(library, prefix + "Destroy")(made) == 0 and getattr(library, prefix + "Destroy")(None) == 1
# NCCL is asked for its version, and refuses with ncclInvalidUsage.
nccl = ctypes.CDLL("libnccl.so.2")
assert nccl.ncclGetVersion(ctypes.byref(version)) == 0 and version.value > 22000
assert nccl.ncclCommSplit() == 5
loaded = {line.split()[-1] for line in open("/proc/self/maps") if "/lib" in line}
for name in ("cudart", "cublas", "curand", "nccl"):
    paths = {path for path in loaded if f"/lib{name}.so" in path}
    assert len(paths) == 1 and paths.pop().startswith(sys.argv[1]), (name, paths)
"""


def main():
    launcher = pathlib.Path(sys.argv[1]).resolve()
    done = subprocess.run([launcher, "program", "--", sys.executable, "-c", SCRIPT, launcher.parent],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for said in ("cusolverDnSsytrf of cuSOLVER is not provided.", "cusparseSgtsv2 of cuSPARSE is not provided.",
                 "ncclCommSplit of NCCL is not provided."):
        assert said in done.stderr, done.stderr
    assert "Create" not in done.stderr, done.stderr
    return 0


if __name__ == "__main__":
    sys.exit(main())
