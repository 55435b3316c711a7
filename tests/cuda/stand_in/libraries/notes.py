"""What is told of libraries: calls in the summary, in its JSON and in a recording; refusals and faults in a sentence.

    notes.py build/release/warplens
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "runtime"))
from run import SKIPPED, find_nvcc, lacks_headers  # noqa: E402

GEMM = """#include <cublas_v2.h>
#include <cuda_runtime.h>
int main(int count, char**) {
  cublasHandle_t handle;
  cublasCreate(&handle);
  float *a, alpha = 1;
  cudaMalloc(&a, 3 * 64 * 64 * 4);
  cudaMemset(a, 0, 3 * 64 * 64 * 4);
  for (int i = 0; i < 3; ++i)
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 64, 64, 64, &alpha, a, 64, a + 4096, 64, &alpha, a + 8192, 64);
  if (count > 1)
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 64, 64, 64, &alpha, a, 64, a + 4096, 64, &alpha, a + 8193, 64);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(a);
  cublasDestroy(handle);
  return error;
}
"""
# The last of three columns is 5, of a matrix of 4 columns.
SPARSE = """#include <cuda_runtime.h>
#include <cusparse.h>
int main() {
  const int begin[] = {0, 2, 3}, columns[] = {0, 3, 5};
  const float values[] = {1, 2, 3}, one = 1;
  void* all;
  cudaMalloc(&all, 1024);
  char* at = static_cast<char*>(all);
  cudaMemcpy(at, begin, sizeof begin, cudaMemcpyHostToDevice);
  cudaMemcpy(at + 128, columns, sizeof columns, cudaMemcpyHostToDevice);
  cudaMemcpy(at + 256, values, sizeof values, cudaMemcpyHostToDevice);
  cusparseHandle_t handle;
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t x, y;
  cusparseCreate(&handle);
  cusparseCreateCsr(&a, 2, 4, 3, at, at + 128, at + 256, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateDnVec(&x, 4, at + 512, CUDA_R_32F);
  cusparseCreateDnVec(&y, 2, at + 768, CUDA_R_32F);
  cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, x, &one, y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, at + 896);
  return cudaDeviceSynchronize();
}
"""
FFT = """#include <cuda_runtime.h>
#include <cufftXt.h>
int main() {
  int devices[] = {0};
  return cufftXtSetGPUs(0, 1, devices);
}
"""
# The second device adds what both have; with an argument, another stream takes the sum before it is there.
NCCL = """#include <cuda_runtime.h>
#include <nccl.h>
int main(int count, char**) {
  ncclComm_t comms[2];
  cudaStream_t streams[2], other;
  float *a[2], back;
  ncclCommInitAll(comms, 2, nullptr);
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    cudaMalloc(&a[d], 4096 * 4);
    cudaMemset(a[d], 0, 4096 * 4);
    cudaStreamCreateWithFlags(&streams[d], cudaStreamNonBlocking);
    cudaDeviceSynchronize();
  }
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  ncclGroupStart();
  for (int d = 0; d < 2; ++d) ncclAllReduce(a[d], a[d], 4096, ncclFloat, ncclSum, comms[d], streams[d]);
  ncclGroupEnd();
  if (count == 2) cudaMemcpyAsync(&back, a[1], 4, cudaMemcpyDeviceToHost, other);
  if (count == 3) return ncclCommSplit(comms[0], 0, 0, &comms[1], nullptr);
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    cudaDeviceSynchronize();
    cudaFree(a[d]);
    ncclCommDestroy(comms[d]);
  }
}
"""


def check_nccl(folder, run, launcher):
    done = run("sum.cu", NCCL, options=["--devices", "2", "--json", "sums.json", "--record", "sum.warplens"])
    assert done.returncode == 0 and "warplens: sum.cu" not in done.stderr, done.stderr
    assert "rank 1 of 2: 4096 × float32, sum" in done.stderr, done.stderr
    (row,) = json.loads(pathlib.Path(folder, "sums.json").read_text(encoding="utf-8"))["libraries"]
    # In a ring of two, each sends and receives as much as it has.
    assert (row["call"], row["calls"], row["bytes"]) == ("ncclAllReduce", 2, 2 * 4 * 4096), row
    shown = subprocess.run([launcher, "recording", "sum.warplens", "--json", "-"], cwd=folder, capture_output=True, text=True, check=False)
    first, second = [e for e in json.loads(shown.stdout)["events"] if e["event"] == "library"]
    assert first["stream"] != second["stream"] and first["begin_us"] == second["begin_us"], (first, second)
    assert first["device_us"] > 4 * 4096 / 25e3, first  # over PCIe of 25 GB/s
    done = run("sum.cu", NCCL, "early", options=["--devices", "2"])
    assert "device to host in stream other reads array 3, which ncclAllReduce of line 18 in stream " in done.stderr, done.stderr
    done = run("sum.cu", NCCL, "split", "it", options=["--devices", "2"])
    assert done.returncode == 5 and "ncclCommSplit of NCCL is not provided." in done.stderr, (done.returncode, done.stderr)


def main():
    launcher = str(pathlib.Path(sys.argv[1]).resolve())
    nvcc = find_nvcc()
    if not nvcc or lacks_headers(nvcc, "<cublas_v2.h>"):
        print("skipped: there is no nvcc, or NVIDIA's headers of cuBLAS are not on this machine")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        def run(name, text, *words, options=()):
            pathlib.Path(folder, name).write_text(text, encoding="utf-8")
            return subprocess.run([launcher, "program", *options, "--", name, *words], cwd=folder, capture_output=True, text=True, check=False)

        done = run("gemm.cu", GEMM, options=["--json", "sums.json", "--record", "gemm.warplens"])
        assert done.returncode == 0, done.stderr
        assert "cublasSgemm" in done.stderr and "64 × 64 × 64" in done.stderr, done.stderr
        sums = json.loads(pathlib.Path(folder, "sums.json").read_text(encoding="utf-8"))
        (row,) = sums["libraries"]
        # Two matrices read, one read and written; 2 · 64³ operations take less than their bytes.
        assert (row["call"], row["calls"], row["bytes"]) == ("cublasSgemm", 3, 3 * 4 * 64 * 64 * 4), row
        assert 0 < row["device_us"] < 100, row
        shown = subprocess.run([launcher, "recording", "gemm.warplens", "--json", "-"], cwd=folder, capture_output=True, text=True, check=False)
        events = [e for e in json.loads(shown.stdout)["events"] if e["event"] == "library"]
        assert len(events) == 3 and events[0]["called_at"]["line"] == 10, events
        assert events[1]["begin_us"] >= events[0]["begin_us"] + events[0]["device_us"] - 1e-3, events

        done = run("gemm.cu", GEMM, "past-the-end")
        assert done.returncode == 700 % 256, (done.returncode, done.stderr)
        assert "cublasSgemm writes an array of 16 KiB at byte 32,772 of array 1, which has 48 KiB: it ends 4 B too late." in done.stderr, done.stderr

        if not lacks_headers(nvcc, "<cusparse.h>"):
            done = run("spmv.cu", SPARSE)
            assert done.returncode == 700 % 256, (done.returncode, done.stderr)
            assert "Entry 2 of a sparse operand has the column 5 (counted from 0), but there are 4." in done.stderr, done.stderr
        if not lacks_headers(nvcc, "<cufft.h>"):
            done = run("fft.cu", FFT)
            assert done.returncode == 16, (done.returncode, done.stderr)  # CUFFT_NOT_SUPPORTED
            assert "cufftXtSetGPUs of cuFFT is not provided." in done.stderr, done.stderr
        check_nccl(folder, run, launcher)
    return 0


if __name__ == "__main__":
    sys.exit(main())
