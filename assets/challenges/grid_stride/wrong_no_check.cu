// It counts the passes, but not whether the last one has an element.
extern "C" __global__ void twice_and_one(int* x, int n) {
  int threads = gridDim.x * blockDim.x;
  for (int first = 0; first < n; first += threads) {
    int i = first + blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = 2 * x[i] + 1;
  }
}
