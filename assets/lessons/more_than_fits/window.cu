// warplens: window=float32[n] formula(10 * i), out=float32[n] zero, first=1000 in 0..1000000000, n=64 in 1..64
// warplens: block=64, grid=1
// A very large array; of it, n elements from `first` on are in memory. `all` is where element 0 would be.
extern "C" __global__ void in_window(const float* window, float* out, int first, int n) {
  const char* all = (const char*)window - 4LL * first;
  int thread = threadIdx.x;
  if (thread >= n) return;

  int element = first + thread;
  int bytes = 4 * element;
  out[thread] = *(const float*)(all + bytes);
}
