extern "C" __global__ void histogram(const unsigned char* values, int* counts, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    counts[values[i]] += 1;
}
