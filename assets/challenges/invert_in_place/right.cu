// The threads of the grid, numbered from 0, go through the bytes; a warp does 32 neighbours at a time.
extern "C" __global__ void invert(unsigned char* pixels, int width, int height) {
  int in_block = threadIdx.y * blockDim.x + threadIdx.x;
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  int each = blockDim.x * blockDim.y;
  for (int i = block * each + in_block; i < 3 * width * height; i += gridDim.x * gridDim.y * each)
    pixels[i] = 255 - pixels[i];
}
