__device__ int next_of(int v) {
  int half = v / 2;
  return v > 5 ? half : v - 1;
}
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i + 9;
  int y = 0, z = 100;
  int count = 0;
  for (int a = 0, b = 10; a < b; a += 2, --b) {
    int gap = b - a;
    if (gap % 3 == i % 3) {
      continue;
    }
    count += gap;
  }
  if ((y = next_of(x)) > 6 && (z = next_of(y)) > 3) {
    count += z;
  }
  int picked = i % 4 == 0 ? x : i % 4 == 1 ? y : i % 4 == 2 ? z : count;
  int kept = picked;
  if (i % 2 == 0) {
    kept = x;
    x = y;
  } else {
    kept += 3;
    y = x;
  }
  int sum = kept + x;
  {
    int x = sum - 2;
    int kept = x * 2;
    sum += kept;
    for (int x = 0; x < 3; ++x) {
      sum += x;
    }
    sum -= x;
  }
  sum += x;
  x = sum > 50 ? sum - 50 : sum;
  out[i] = x + y + z + kept;
}
