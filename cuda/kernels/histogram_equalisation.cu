// Spreads the gray values of a picture over the whole range. Three kernels follow each other on the same
// data, which stays on the device: count the values, turn the counts into a table, look every pixel up in it.

extern "C" __global__ void count_grays(const unsigned char* gray, unsigned int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[gray[i]], 1);
}

// One block of 256 threads. Thread v finds out how many pixels are at most as light as v: a prefix sum.
extern "C" __global__ void make_table(const unsigned int* bins, unsigned char* table, int n) {
  __shared__ unsigned int sums[256];
  __shared__ unsigned int darkest;  // how many pixels have the darkest value of the picture
  int v = threadIdx.x;
  sums[v] = bins[v];
  __syncthreads();
  for (int distance = 1; distance < 256; distance *= 2) {
    unsigned int other = v >= distance ? sums[v - distance] : 0;
    __syncthreads();  // all threads have read before any thread writes
    sums[v] += other;
    __syncthreads();
  }
  if (bins[v] > 0 && sums[v] == bins[v]) darkest = bins[v];  // no pixel is darker: one thread at most
  __syncthreads();
  unsigned int range = n - darkest;
  unsigned long long rank = sums[v] > darkest ? sums[v] - darkest : 0;
  table[v] = range == 0 ? v : (rank * 255 + range / 2) / range;  // a picture of one gray stays as it is
}

extern "C" __global__ void apply_table(const unsigned char* gray, const unsigned char* table,
                                       unsigned char* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[gray[i]];
}
