extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int window[6];
  for (int j = 0; j < 6; ++j) {
    window[j] = in[(i + j) % n];
  }
  int biggest = window[0];
  for (int j = 1; j < 6; ++j) {
    int candidate = window[j];
    if (candidate > biggest) {
      biggest = candidate;
    }
  }
  float grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
  grid[i % 2][i % 3] = biggest;
  float corner = grid[1][2];
  out[i] = biggest + static_cast<int>(corner);
}
