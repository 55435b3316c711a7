// grid 1 block 32 words 96
// alloca: arrays whose size each thread chooses, in loops and in recursion.
__device__ __forceinline__ int* take(unsigned long long bytes) {
  int* room;
  asm volatile("{ .reg .u64 p; alloca.u64 p, %1; cvta.local.u64 %0, p; }"
               : "=l"(room)
               : "l"(bytes)
               : "memory");
  return room;
}
__device__ __noinline__ int fill(int n, int seed) {
  int* room = take(n * sizeof(int));
  for (int i = 0; i < n; ++i) room[i] = seed + i * n;
  int sum = 0;
  for (int i = n; i-- > 0;) sum = sum * 7 + room[i];
  return sum;
}
__device__ __noinline__ int nested(int n, const int* above) {
  int* room = take((n + 1) * sizeof(int));
  for (int i = 0; i <= n; ++i) room[i] = above[0] + i;
  if (n == 0) return room[0];
  return nested(n - 1, room + n) + room[n / 2] + fill(n, above[0]);
}
extern "C" __global__ void run(unsigned* out) {
  int t = threadIdx.x;
  out[t] = fill(t + 1, t);
  int start = t * 3;
  out[32 + t] = nested(t % 6, &start);
  int sum = 0;
  for (int i = 1; i < 200; ++i) {  // more than the stack holds, if nothing gave it back
    unsigned long long mark;
    asm volatile("stacksave.u64 %0;" : "=l"(mark));
    int* room = take(i % 64 * 16 + 4);
    room[i % 64 * 4] = i + t;
    sum += room[i % 64 * 4] * i;
    asm volatile("stackrestore.u64 %0;" : : "l"(mark) : "memory");
  }
  out[64 + t] = sum + start;
}
