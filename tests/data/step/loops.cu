extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  int last = -1;
  for (int row = 0; row < i % 4; ++row) {
    int inner = row * 10;
    for (int column = 0; column < (i + row) % 5; ++column) {
      int product = row * column;
      inner += product;
      sum += inner;
    }
    last = inner;
    sum -= row;
  }
  out[i] = sum + last;
}
