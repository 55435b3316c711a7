__device__ unsigned mixed(unsigned number) {
  number = (number ^ number >> 16) * 0x85ebca6bu;
  number = (number ^ number >> 13) * 0xc2b2ae35u;
  return number ^ number >> 16;
}
__device__ float random_of(unsigned row, unsigned turn) { return (mixed(mixed(row + 1) + turn) >> 8) * 0x1p-24f; }

// 4 times the share of hits among that many points of this row.
__device__ float pi_of(unsigned row, int points) {
  int hits = 0;
  for (int turn = 0; turn < points; ++turn) {
    float x = random_of(row, 2 * turn), y = random_of(row, 2 * turn + 1);
    if (x * x + y * y <= 1.f) ++hits;
  }
  return 4.f * hits / points;
}

// Each thread estimates pi twice, with points and with 4 * points of its own, and squares both errors.
// warplens: few=float32[n] zero, many=float32[n] zero, few_squared=float32[n] zero, many_squared=float32[n] zero
// warplens: points=100 in 10..1000, n=512 in 32..4096, block=128, grid=ceil(n/128)
extern "C" __global__ void spread(float* few, float* many, float* few_squared, float* many_squared, int points,
                                  int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float a = pi_of(i, points), b = pi_of(n + i, 4 * points);
  few[i] = a;
  many[i] = b;
  few_squared[i] = (a - 3.14159265f) * (a - 3.14159265f);
  many_squared[i] = (b - 3.14159265f) * (b - 3.14159265f);
}
