// The first warp scans the sums of the warps, and waits for the part before.
__device__ int scan_of_warp(int value) {
  for (int away = 1; away < 32; away *= 2) {
    int left = __shfl_up_sync(0xffffffff, value, away);
    if (threadIdx.x % 32 >= away) value += left;
  }
  return value;
}

extern "C" __global__ void scan(const int* x, int* out, int* totals, int* ready, int* taken, int n) {
  __shared__ int sums[32];
  __shared__ int part;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  if (threadIdx.x == 0) part = atomicAdd(taken, 1);
  __syncthreads();
  int i = part * blockDim.x + threadIdx.x;
  int value = scan_of_warp(i < n ? x[i] : 0);
  if (lane == 31) sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    int own = lane < warps ? sums[lane] : 0;
    int up_to = scan_of_warp(own);
    int before = 0;
    if (lane == 0 && part > 0) {
      while (atomicOr(&ready[part - 1], 0) != 1) {
      }
      __threadfence();
      before = totals[part - 1];
    }
    before = __shfl_sync(0xffffffff, before, 0);
    if (lane == warps - 1) {
      totals[part] = before + up_to;
      __threadfence();
      atomicExch(&ready[part], 1);
    }
    sums[lane] = before + up_to - own;
  }
  __syncthreads();
  if (i < n) out[i] = sums[warp] + value;
}
