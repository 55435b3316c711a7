// One thread turns one pixel from colour to gray.
// The grid is a raster of blocks laid over the picture; x runs along a row, as the pixels do in memory.

extern "C" __global__ void grayscale(const unsigned char* rgb, unsigned char* gray, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;  // blocks at the right and lower edge reach past the picture

  int pixel = y * width + x;
  float r = rgb[3 * pixel + 0];
  float g = rgb[3 * pixel + 1];
  float b = rgb[3 * pixel + 2];
  gray[pixel] = fmaf(.114f, b, fmaf(.587f, g, .299f * r)) + .5f;  // the eye sees green best, blue least
}
