// One sum for each block, and blocks add theirs with a read and a write: on a GPU sums are lost.
extern "C" __global__ void sum(const int* x, int* total, int n) {
  __shared__ int sums[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int value = i < n ? x[i] : 0;
  for (int away = 16; away > 0; away /= 2) value += __shfl_down_sync(0xffffffff, value, away);
  if (lane == 0) sums[warp] = value;
  __syncthreads();
  if (warp > 0) return;
  value = lane < blockDim.x / 32 ? sums[lane] : 0;
  for (int away = 4; away > 0; away /= 2) value += __shfl_down_sync(0xffffffff, value, away);
  volatile int* own = total;
  if (lane == 0) own[0] = own[0] + value;
}
