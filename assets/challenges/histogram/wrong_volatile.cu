// volatile does not make three steps one.
extern "C" __global__ void histogram(const unsigned char* values, int* counts, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    const_cast<volatile int*>(counts)[values[i]] += 1;
}
