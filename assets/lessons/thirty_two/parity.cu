// warplens: low=int32[n] zero, high=int32[n] zero, n=64, block=64, grid=1
extern "C" __global__ void parity(int* low, int* high, int n) {
  int i = threadIdx.x;
  if (i % 2 == 0) {
    low[i] = 100 + i;
  } else {
    high[i] = 200 + i;
  }
}
