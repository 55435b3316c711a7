// The same work as grayscale, with the axes exchanged: x counts rows. Neighbouring lanes now stand one below
// the other, a whole row of the picture apart in memory, and every lane needs a sector of its own.

extern "C" __global__ void grayscale_row_on_x(const unsigned char* rgb, unsigned char* gray, int width,
                                              int height) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || column >= width) return;

  int pixel = row * width + column;
  float r = rgb[3 * pixel + 0];
  float g = rgb[3 * pixel + 1];
  float b = rgb[3 * pixel + 2];
  gray[pixel] = fmaf(.114f, b, fmaf(.587f, g, .299f * r)) + .5f;
}
