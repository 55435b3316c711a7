// It does as many parts as there are threads.
extern "C" __global__ void starts(const int* totals, int* start, int parts) {
  if (threadIdx.x > 0) return;
  int sum = 0;
  for (int p = 0; p < blockDim.x; ++p) {
    start[p] = sum;
    sum += totals[p];
  }
}
