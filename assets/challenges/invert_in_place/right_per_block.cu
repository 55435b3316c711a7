// Each block takes a run of 3 bytes a thread and goes through it in three steps.
extern "C" __global__ void invert(unsigned char* pixels, int width, int height) {
  const int threads = blockDim.x * blockDim.y;
  const int bytes = width * height * 3;
  const int begin = (blockIdx.x + blockIdx.y * gridDim.x) * threads * 3;
  for (int step = 0; step < 3; ++step) {
    const int i = begin + step * threads + threadIdx.x + threadIdx.y * blockDim.x;
    if (i < bytes) pixels[i] = ~pixels[i];
  }
}
