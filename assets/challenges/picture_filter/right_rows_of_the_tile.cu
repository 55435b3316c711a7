// Each thread keeps its pixel's whole neighbourhood until the sum is done; the tile's rows have a fixed
// width.
__device__ int inside(int at, int size) { return at < 0 ? 0 : at >= size ? size - 1 : at; }

extern "C" __global__ void weigh(const int* picture, const int* weights, int* out, int width, int height) {
  __shared__ int tile[18][19];
  __shared__ int w[9];
  const int threads = blockDim.x * blockDim.y;
  const int me = threadIdx.x + threadIdx.y * blockDim.x;
  const int x0 = blockIdx.x * blockDim.x, y0 = blockIdx.y * blockDim.y;
  if (me < 9) w[me] = weights[me];
  if (threads < 9)
    for (int k = me + threads; k < 9; k += threads) w[k] = weights[k];
  int places = (blockDim.x + 2) * (blockDim.y + 2);
  for (int at = me; at < places; at += threads) {
    int ty = at / (blockDim.x + 2), tx = at - ty * (blockDim.x + 2);
    tile[ty][tx] = picture[inside(y0 + ty - 1, height) * width + inside(x0 + tx - 1, width)];
  }
  __syncthreads();
  int pixels[9];
  for (int k = 0; k < 9; ++k) pixels[k] = tile[threadIdx.y + k / 3][threadIdx.x + k % 3];
  int sum = 0;
  for (int k = 0; k < 9; ++k) sum += w[k] * pixels[k];
  if (x0 + threadIdx.x < width && y0 + threadIdx.y < height)
    out[(y0 + threadIdx.y) * width + x0 + threadIdx.x] = sum;
}
