// Inclusive prefix sum: out[i] = x[0] + x[1] + … + x[i]. Each block scans its own part, one block scans the
// sums of all parts, and then every block adds to its part what lies before it.

extern "C" __global__ void scan_blocks(const int* x, int* out, int* sums, int n) {
  __shared__ int values[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < blockDim.x; distance *= 2) {
    int other = threadIdx.x >= distance ? values[threadIdx.x - distance] : 0;
    __syncthreads();  // all threads have read before any thread writes
    values[threadIdx.x] += other;
    __syncthreads();
  }
  if (i < n) out[i] = values[threadIdx.x];
  if (threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = values[threadIdx.x];
}

// One block scans any number of sums, a block's worth at a time.
extern "C" __global__ void scan_sums(int* sums, int count) {
  __shared__ int values[1024];
  int before = 0;
  for (int start = 0; start < count; start += blockDim.x) {
    int i = start + threadIdx.x;
    values[threadIdx.x] = i < count ? sums[i] : 0;
    __syncthreads();
    for (int distance = 1; distance < blockDim.x; distance *= 2) {
      int other = threadIdx.x >= distance ? values[threadIdx.x - distance] : 0;
      __syncthreads();
      values[threadIdx.x] += other;
      __syncthreads();
    }
    if (i < count) sums[i] = before + values[threadIdx.x];
    before += values[blockDim.x - 1];
    __syncthreads();  // no thread overwrites what another still adds
  }
}

extern "C" __global__ void add_sums(int* out, const int* sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && blockIdx.x > 0) out[i] += sums[blockIdx.x - 1];
}
