// Each pixel becomes the mean of the square around it. With a radius of 2 a thread reads 25 pixels, of which
// its neighbour reads 20 again. Beyond the edge, the outermost pixels count as often as needed.

extern "C" __global__ void box_blur(const unsigned char* in, unsigned char* out, int width, int height,
                                    int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;

  int red = 0, green = 0, blue = 0;
  for (int dy = -radius; dy <= radius; ++dy) {
    int row = min(max(y + dy, 0), height - 1);
    for (int dx = -radius; dx <= radius; ++dx) {
      int column = min(max(x + dx, 0), width - 1);
      const unsigned char* pixel = in + 3 * (row * width + column);
      red += pixel[0];
      green += pixel[1];
      blue += pixel[2];
    }
  }
  int count = (2 * radius + 1) * (2 * radius + 1);
  unsigned char* pixel = out + 3 * (y * width + x);
  pixel[0] = (red + count / 2) / count;  // rounded
  pixel[1] = (green + count / 2) / count;
  pixel[2] = (blue + count / 2) / count;
}
