extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i + 1;
  int steps = 0;
  int odd = 0;
  while (true) {
    if (value == 1) {
      break;
    }
    ++steps;
    if (value % 2 == 0) {
      value /= 2;
      continue;
    }
    ++odd;
    value = 3 * value + 1;
    if (steps > 12) {
      break;
    }
  }
  int round = 0;
  do {
    int half = value / 2;
    value -= half;
    ++round;
  } while (value > 3 && round < 6);
  out[i] = steps * 100 + odd + round;
}
