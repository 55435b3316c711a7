// Row y of the tile has its columns in the order x ^ y, so a column lies in 32 different banks.
extern "C" __global__ void transpose(const int* source, int* out, int width, int height) {
  __shared__ int tile[1024];
  const unsigned tx = threadIdx.x, ty = threadIdx.y;
  const int from_x = blockIdx.x * blockDim.x + tx, from_y = blockIdx.y * blockDim.y + ty;
  const int to_x = blockIdx.y * blockDim.y + tx, to_y = blockIdx.x * blockDim.x + ty;
  if (from_x < width && from_y < height) tile[32 * ty + (tx ^ ty)] = source[from_x + width * from_y];
  __syncthreads();
  if (to_x >= height || to_y >= width) return;
  out[to_x + height * to_y] = tile[32 * tx + (tx ^ ty)];
}
