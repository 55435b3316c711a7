// said: 1,392 of the 6,000 elements that line {copy} copies back were never written: columns 96 to 99 and
// rows 48 to 59\. In x, 6 blocks of 16 threads cover 96; \(width \+ 15\) / 16 covers all\. In y, 3 blocks of
// 16 threads cover 48; \(height \+ 15\) / 16 covers all said: 240 of the 6,000 elements that line {rows}
// copies back were never written: columns 96 to 99\. In x, 6 blocks A picture of 100 x 60 in blocks of 16 x
// 16, rounded down; then in rows with a pitch.
#include <vector>

__global__ void fill(float* p, int w, int h, size_t pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) ((float*)((char*)p + y * pitch))[x] = 1;
}

int main() {
  const int w = 100, h = 60;
  std::vector<float> picture(w * h);
  float *p, *q;
  size_t pitch;
  cudaMalloc(&p, w * h * sizeof(float));
  fill<<<dim3(w / 16, h / 16 + 0), dim3(16, 16)>>>(p, w, h, w * sizeof(float));
  cudaMemcpy(picture.data(), p, w * h * sizeof(float), cudaMemcpyDeviceToHost);  // mark: copy
  cudaMallocPitch(&q, &pitch, w * sizeof(float), h);
  fill<<<dim3(w / 16, (h + 15) / 16), dim3(16, 16)>>>(q, w, h, pitch);
  cudaMemcpy2D(picture.data(), w * sizeof(float), q, pitch, w * sizeof(float), h,
               cudaMemcpyDeviceToHost);  // mark: rows
  cudaFree(p);
  cudaFree(q);
}
