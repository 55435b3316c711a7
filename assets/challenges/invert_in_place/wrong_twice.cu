// Red, green, and red once more: it should be blue.
extern "C" __global__ void invert(unsigned char* pixels, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    unsigned char* pixel = pixels + 3 * (y * width + x);
    pixel[0] = 255 - pixel[0];
    pixel[1] = 255 - pixel[1];
    pixel[0] = 255 - pixel[0];
  }
}
