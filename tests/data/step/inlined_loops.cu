__device__ __forceinline__ int search(const int* values, int count, int wanted) {
  for (int j = 0; j < count; ++j) {
    int value = values[j];
    if (value > wanted) {
      int result = j * 10;
      return result;
    }
    wanted -= 1;
  }
  int nothing = -1;
  return nothing;
}
__device__ __forceinline__ float smooth(float x, int times) {
  float y = x;
  while (times > 0) {
    float half = y * 0.5f;
    y = half + x;
    --times;
  }
  return y;
}
__device__ __forceinline__ float both(float x, int times) {
  float a = smooth(x, times);
  float b = smooth(a, times + 1);
  return a - b;
}
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = 0;
  for (int round = 0; round < 3; ++round) {
    int place = search(in + i, 8, 20 + round);
    total += place;
    float s = both(place * 0.25f, round);
    total += static_cast<int>(s);
  }
  out[i] = total;
}
