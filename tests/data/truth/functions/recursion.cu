// grid 2 block 64 words 640
// Recursion to a depth that differs from lane to lane, through one function and through two, with arrays of
// the caller in reach.
__device__ __noinline__ unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

__device__ bool is_odd(unsigned n);
__device__ __noinline__ bool is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
__device__ __noinline__ bool is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

__device__ __noinline__ void quick_sort(int* first, int* last) {
  if (last - first < 2) return;
  int pivot = first[(last - first) / 2];
  int* i = first;
  int* k = last - 1;
  while (i <= k) {
    while (*i < pivot) ++i;
    while (*k > pivot) --k;
    if (i <= k) {
      int t = *i;
      *i++ = *k;
      *k-- = t;
    }
  }
  quick_sort(first, k + 1);
  quick_sort(i, last);
}

// Each activation has an array of its own and a pointer into its caller's.
__device__ __noinline__ int sum_path(int depth, const int* above, int seed) {
  int own[4];
  for (int i = 0; i < 4; ++i) own[i] = seed * (i + 1) + above[(seed + i) & 3];
  if (depth == 0) return own[seed & 3];
  int below = sum_path(depth - 1, own, seed ^ depth);
  return below * 3 + own[depth & 3];
}

extern "C" __global__ void run(unsigned* out) {
  unsigned t = threadIdx.x, all = blockIdx.x * blockDim.x + t;
  unsigned* mine = out + all * 5;
  mine[0] = fib(t % 11);
  mine[1] = t % 3 == 0 ? ackermann(2, t % 4) : ackermann(1, t);
  mine[2] = is_even(t) * 2 + is_odd(t / 2);
  int values[12];
  for (int i = 0; i < 12; ++i) values[i] = (all * 7919 + i * 104729) % 1000;
  quick_sort(values, values + 12 - t % 5);
  unsigned hash = 0;
  for (int i = 0; i < 12; ++i) hash = hash * 31 + values[i];
  mine[3] = hash;
  int start[4] = {1, 2, 3, (int)all};
  mine[4] = sum_path(t % 7, start, all);
}
