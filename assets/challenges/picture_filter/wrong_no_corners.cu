// The threads at the edges of the block load the four sides, but no thread loads the corners.
extern "C" __global__ void weigh(const int* picture, const int* weights, int* out, int width, int height) {
  __shared__ int tile[18][18];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int column = min(x, width - 1), row = min(y, height - 1);
  tile[ty][tx] = picture[row * width + column];
  if (tx == 1) tile[ty][0] = picture[row * width + max(x - 1, 0)];
  if (ty == 1) tile[0][tx] = picture[max(y - 1, 0) * width + column];
  if (tx == blockDim.x) tile[ty][tx + 1] = picture[row * width + min(x + 1, width - 1)];
  if (ty == blockDim.y) tile[ty + 1][tx] = picture[min(y + 1, height - 1) * width + column];
  __syncthreads();
  if (x >= width || y >= height) return;
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += weights[3 * (dy + 1) + dx + 1] * tile[ty + dy][tx + dx];
  out[y * width + x] = sum;
}
