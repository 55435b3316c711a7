// warplens: out=int32[width, height] zero, width=6, height=6, block=2x2, grid=(ceil(width/2), ceil(height/2))
extern "C" __global__ void numbers(int* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;

  out[y * width + x] = 10 * y + x;
}
