// Each thread writes down its three indices in the whole grid, as a simulation of a volume would need them.

extern "C" __global__ void index_map_3d(int* x_of, int* y_of, int* z_of, int width, int height, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= width || y >= height || z >= depth) return;

  int element = (z * height + y) * width + x;  // layer after layer, row after row
  x_of[element] = x;
  y_of[element] = y;
  z_of[element] = z;
}
