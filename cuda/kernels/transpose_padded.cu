// out = in with rows and columns exchanged. A block reads a tile row by row and writes it row by row, both
// side by side. One unused column shifts each row of the tile by a bank, so that a column lies in 32 banks.

extern "C" __global__ void transpose_padded(const float* in, float* out, int width, int height) {
  constexpr int tile = 32;  // the block must be 32 x 32
  __shared__ float values[tile][tile + 1];
  int x = blockIdx.x * tile + threadIdx.x;
  int y = blockIdx.y * tile + threadIdx.y;
  if (x < width && y < height) values[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();

  int out_x = blockIdx.y * tile + threadIdx.x;  // where the tile lies on the other side of the diagonal
  int out_y = blockIdx.x * tile + threadIdx.y;
  if (out_x < height && out_y < width) out[out_y * height + out_x] = values[threadIdx.x][threadIdx.y];
}
