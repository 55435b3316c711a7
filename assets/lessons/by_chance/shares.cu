__device__ unsigned mixed(unsigned number) {
  number = (number ^ number >> 16) * 0x85ebca6bu;
  number = (number ^ number >> 13) * 0xc2b2ae35u;
  return number ^ number >> 16;
}
__device__ float random_of(unsigned row, unsigned turn) { return (mixed(mixed(row + 1) + turn) >> 8) * 0x1p-24f; }

// n points; each thread takes every so many-th, as many as the grid has threads.
// warplens: total=int32[1] zero, n=20000 in 1..1000000, block=128, grid=8
extern "C" __global__ void shares(int* total, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  int count = 0, turn = 0;
  for (int point = thread; point < n; point += threads) {
    float x = random_of(thread, 2 * turn);
    float y = random_of(thread, 2 * turn + 1);
    if (x * x + y * y <= 1.f) ++count;
    ++turn;
  }
  atomicAdd(total, count);
}
