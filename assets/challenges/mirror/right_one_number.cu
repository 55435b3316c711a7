// Right: each thread computes its number in the grid, then x and y from it. Divisions of 64 bits cost many
// instructions.
extern "C" __global__ void mirror(const unsigned char* source, unsigned char* out, int width, int height) {
  int thread = threadIdx.y * blockDim.x + threadIdx.x;
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  long long i = (long long)(block)*blockDim.x * blockDim.y + thread;
  if (i < width * height) {
    int x = int(i % width);
    int y = int(i / width);
    out[y * width + x] = source[y * width + (width - 1 - x)];
  }
}
