// grid 2 block 64 words 512
// Functions that lanes enter at different places and leave early, among shuffles and barriers.
__device__ __noinline__ int early(int x) {
  if (x % 3 == 0) return x;
  int sum = 0;
  for (int i = 0; i < x; ++i) {
    if (i * i > x * 3) return sum * 10 + i;
    sum += i;
  }
  return sum;
}
__device__ __noinline__ int deeper(int x) { return x & 1 ? early(x) + 1 : early(x + 1) * 2; }
__device__ __noinline__ int with_shuffle(int x) {
  return __shfl_xor_sync(0xffffffffu, x, 1) * 2 + __popc(__ballot_sync(0xffffffffu, x > 20));
}
__device__ __noinline__ void leave(int x) {
  if (x == 13) asm volatile("exit;");
}
__device__ __noinline__ int shared_sum(int* room, int x) {
  room[threadIdx.x] = x;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += room[i];
  __syncthreads();
  return sum;
}

extern "C" __global__ void run(unsigned* out) {
  __shared__ int room[64];
  int t = threadIdx.x, all = blockIdx.x * 64 + t;
  unsigned* mine = out + all * 4;
  int value = t < 20 ? early(t) : t < 40 ? deeper(t) : all;
  mine[0] = value;
  mine[1] = with_shuffle(value);
  int sum = 0;
  for (int i = 0; i < t % 6; ++i) {
    if ((i + t) % 2) continue;
    sum += deeper(i + t);
    if (sum > 100) break;
  }
  mine[2] = sum + shared_sum(room, value);
  leave(t % 32);
  mine[3] = early(all) + 7;
}
