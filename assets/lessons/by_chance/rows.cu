__device__ unsigned mixed(unsigned number) {
  number = (number ^ number >> 16) * 0x85ebca6bu;
  number = (number ^ number >> 13) * 0xc2b2ae35u;
  return number ^ number >> 16;
}
__device__ float random_of(unsigned row, unsigned turn) { return (mixed(mixed(row + 1) + turn) >> 8) * 0x1p-24f; }

// warplens: hits=int32[n] zero, seed_of_all=2026 in 0..100000, turns=100 in 1..1000, n=1024 in 32..4096
// warplens: block=128, grid=ceil(n/128)
extern "C" __global__ void rows(int* hits, int seed_of_all, int turns, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= n) return;

  unsigned row = seed_of_all;
  int count = 0;
  for (int turn = 0; turn < turns; ++turn) {
    float x = random_of(row, 2 * turn);
    float y = random_of(row, 2 * turn + 1);
    if (x * x + y * y <= 1.f) ++count;
  }
  hits[thread] = count;
}
