// The sum before the part is passed on, but not added.
extern "C" __global__ void scan(const int* x, int* out, int* totals, int* ready, int* taken, int n) {
  __shared__ int rows[2][256];
  __shared__ int before;
  int t = threadIdx.x;
  __shared__ int mine;
  if (t == 0) mine = atomicAdd(taken, 1);
  __syncthreads();
  int p = mine;
  int i = p * blockDim.x + t;
  int sum = i < n ? x[i] : 0;
  rows[0][t] = sum;
  __syncthreads();
  int from = 0;
  for (int away = 1; away < blockDim.x; away *= 2) {
    if (t >= away) sum += rows[from][t - away];
    from = 1 - from;
    rows[from][t] = sum;
    __syncthreads();
  }
  if (t == 0) {
    while (p > 0 && atomicAdd(&ready[p - 1], 0) == 0) {
    }
    __threadfence();
    before = p > 0 ? totals[p - 1] : 0;
    totals[p] = before + rows[from][blockDim.x - 1];
    __threadfence();
    atomicExch(&ready[p], 1);
  }
  __syncthreads();
  if (i < n) out[i] = sum;
}
