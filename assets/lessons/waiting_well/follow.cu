// warplens: next=int32[1048576] random(1, 0, 1048575), out=int32[n] zero, n=16896, hops=8, block=128, grid=ceil(n/block_x)
extern "C" __global__ void follow(const int* next, int* out, int n, int hops) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at = i;
  for (int k = 0; k < hops; ++k) at = next[at];
  out[i] = at;
}
