// warplens: x=int32[8] formula(i == 0 ? 3 : i == 1 ? 1 : i == 2 ? 7 : i == 3 ? 0 : i == 4 ? 4 : i == 5 ? 1 : i == 6 ? 6 : 3)
// warplens: kept=int32[8] formula(-1), block=8, grid=1
extern "C" __global__ void keep_even(const int* x, int* kept) {
  __shared__ int before[8];
  int i = threadIdx.x;
  int keep = x[i] % 2 == 0 ? 1 : 0;
  before[i] = keep;
  __syncwarp(0xff);
  for (int distance = 1; distance < 8; distance *= 2) {
    int other = i >= distance ? before[i - distance] : 0;
    __syncwarp(0xff);
    before[i] += other;
    __syncwarp(0xff);
  }
  int place = before[i];
  if (keep) kept[place] = x[i];
}
