// warplens: x=int32[n] formula(i - 100 * floor(i / 100)), count=int32[1] zero, limit=50, n=100000 in 1..1000000, block=256
// warplens: grid=ceil(n/256)
extern "C" __global__ void fourth(const int* x, int* count, int limit, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool found = i < n && x[i] >= limit;

  if (found) atomicAdd(count, 1);
}
