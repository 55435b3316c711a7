// A picture in pitched memory, whose pitch is taken for a number of floats.
#include <cstdio>
#include <vector>

__global__ void brighten(float* p, size_t pitch, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) p[y * pitch + x] += 1.0f;  // mark: access
}

int main() {
  const int w = 100, h = 60;
  std::vector<float> picture(w * h, 1.0f);
  float* p;
  size_t pitch;
  cudaMallocPitch(&p, &pitch, w * sizeof(float), h);
  cudaMemcpy2D(p, pitch, picture.data(), w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice);
  brighten<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(p, pitch, w, h);
  cudaMemcpy2D(picture.data(), w * sizeof(float), p, pitch, w * sizeof(float), h, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (float v : picture) wrong += v != 2.0f;
  printf("%d of %d are wrong\n", wrong, w * h);
  cudaFree(p);
}
