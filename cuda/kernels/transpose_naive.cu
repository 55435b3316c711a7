// out = in with rows and columns exchanged. The lanes of a warp read along a row, side by side; they write
// along a column, each into a sector of its own.

extern "C" __global__ void transpose_naive(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}
