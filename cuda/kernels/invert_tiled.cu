// invert by way of shared memory, to see that it does not help: a tile pays where several threads need the
// same value, and here each value is read once. What is left is the detour and a barrier.

extern "C" __global__ void invert_tiled(const unsigned char* in, unsigned char* out, int width, int height) {
  __shared__ unsigned char tile[3 * 1024];  // three channels for the largest block
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  bool has_pixel = x < width && y < height;  // no early return: every thread must reach the barrier

  int pixel = y * width + x;
  if (has_pixel)
    for (int channel = 0; channel < 3; ++channel) tile[3 * thread + channel] = in[3 * pixel + channel];
  __syncthreads();
  if (has_pixel)
    for (int channel = 0; channel < 3; ++channel) out[3 * pixel + channel] = 255 - tile[3 * thread + channel];
}
