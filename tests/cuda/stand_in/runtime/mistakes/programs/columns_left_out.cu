// A picture of 100 x 60 in blocks of 16 x 16, rounded down; then in rows with a pitch.
#include <vector>

__global__ void fill(float* p, int w, int h, size_t pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) ((float*)((char*)p + y * pitch))[x] = 1;
}

int main() {
  const int w = 100, h = 60;
  const size_t row = w * sizeof(float);
  std::vector<float> picture(w * h);
  float *p, *q;
  size_t pitch;
  cudaMalloc(&p, h * row);
  fill<<<dim3(w / 16, h / 16), dim3(16, 16)>>>(p, w, h, row);
  cudaMemcpy(picture.data(), p, h * row, cudaMemcpyDeviceToHost);  // mark: copy
  cudaMallocPitch(&q, &pitch, row, h);
  fill<<<dim3(w / 16, (h + 15) / 16), dim3(16, 16)>>>(q, w, h, pitch);
  cudaMemcpy2D(picture.data(), row, q, pitch, row, h, cudaMemcpyDeviceToHost);  // mark: rows
  cudaFree(p);
  cudaFree(q);
}
