// Mixes the bits of a number, as the last step of MurmurHash3 does: neighbours have nothing in common afterwards.
__device__ unsigned mixed(unsigned number) {
  number = (number ^ number >> 16) * 0x85ebca6bu;
  number = (number ^ number >> 13) * 0xc2b2ae35u;
  return number ^ number >> 16;
}
// A number from 0 up to 1: number `turn` of list `row`.
__device__ float random_of(unsigned row, unsigned turn) { return (mixed(mixed(row + 1) + turn) >> 8) * 0x1p-24f; }

// warplens: dots=int32[40, 40] zero, inside=int32[1] zero, key=1 in 1..50, n=100 in 1..10000
// warplens: block=128, grid=ceil(n/128)
extern "C" __global__ void dots(int* dots, int* inside, int key, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float x = random_of(65536 * key + i, 0);
  float y = random_of(65536 * key + i, 1);
  bool hit = x * x + y * y <= 1.f;
  atomicMax(&dots[int(40 * y) * 40 + int(40 * x)], hit ? 1 : 2);
  if (hit) atomicAdd(inside, 1);
}
