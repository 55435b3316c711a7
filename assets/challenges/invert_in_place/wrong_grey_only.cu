extern "C" __global__ void invert(unsigned char* pixels, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) pixels[y * width + x] = 255 - pixels[y * width + x];
}
