// warplens: rgb=rgb8, gray=gray8 zero, width=image_width
// warplens: block=16x16, grid=(ceil(image_width/16), ceil(image_height/16))
extern "C" __global__ void gray_unchecked(const unsigned char* rgb, unsigned char* gray, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;

  int pixel = y * width + x;
  float r = rgb[3 * pixel + 0];
  float g = rgb[3 * pixel + 1];
  float b = rgb[3 * pixel + 2];
  gray[pixel] = .299f * r + .587f * g + .114f * b + .5f;
}
