// Each warp scans its numbers with shuffles, then adds the sums of the warps before it.
extern "C" __global__ void scan(const int* x, int* out, int n) {
  __shared__ int sums[8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int lanes = min(32, int(blockDim.x) - 32 * warp);  // the last warp may have fewer
  const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? x[i] : 0;
  for (int away = 1; away < 32; away <<= 1) {
    const int left = __shfl_up_sync(mask, value, away);
    if (lane >= away) value += left;
  }
  if (lane == lanes - 1) sums[warp] = value;
  __syncthreads();
  for (int before = 0; before < warp; ++before) value += sums[before];
  if (i < n) out[i] = value;
}
