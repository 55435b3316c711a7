// The 40th Lucas number, a hundred times a thread: integer arithmetic and a loop, almost no memory. `n` comes
// from the host, so that the compiler cannot know the answer.
extern "C" __global__ void lucas_repeated(long long* out, int n, int times, int threads) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
  long long total = 0;
  for (int t = 0; t < times; ++t) {
    long long current = 2, next = 1;
    for (int k = 0; k < n; ++k) {
      long long sum = current + next;
      current = next;
      next = sum;
    }
    total ^= current + t;
  }
  out[thread] = total;
}
