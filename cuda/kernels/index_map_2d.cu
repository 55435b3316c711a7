// Each thread writes down its column and its row in the whole grid. With blockIdx (1, 1), blockDim (3, 3) and
// threadIdx (0, 0) that is (1 * 3 + 0, 1 * 3 + 0) = (3, 3).

extern "C" __global__ void index_map_2d(int* x_of, int* y_of, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;

  int element = y * width + x;  // rows lie one after the other in memory
  x_of[element] = x;
  y_of[element] = y;
}
