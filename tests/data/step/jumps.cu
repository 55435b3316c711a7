extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int state = i % 3;
  int steps = 0;
  int trace = 0;
again:
  steps += 1;
  switch (state) {
    case 0:
      trace = trace * 10 + 1;
      state = steps > 4 ? 3 : 1;
      goto again;
    case 1: {
      int inner = steps * 2;
      trace += inner;
      state = 2;
      goto again;
    }
    case 2:
      for (int j = 0; j < 5; ++j) {
        trace += j;
        if (j == i % 5) {
          break;
        }
        if (j % 2 == 0) {
          continue;
        }
        trace -= 1;
      }
      state = steps > 3 ? 3 : 0;
      goto again;
    default:
      break;
  }
  int found = -1;
  for (int row = 0; row < 4 && found < 0; ++row) {
    for (int column = 0; column < 4; ++column) {
      int value = row * 4 + column;
      if (value == i % 20) {
        found = value;
        break;
      }
    }
  }
  out[i] = trace + found + steps;
}
