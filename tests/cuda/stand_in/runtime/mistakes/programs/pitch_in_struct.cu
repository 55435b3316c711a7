// The pitch in a cudaPitchedPtr is in bytes too; here it counts doubles.
#include <cstdio>

__global__ void fill(cudaPitchedPtr p, int w, int h) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x < w && y < h) static_cast<double*>(p.ptr)[y * p.pitch + x] = x;  // mark: access
}

int main() {
  cudaPitchedPtr p;
  cudaMalloc3D(&p, make_cudaExtent(50 * sizeof(double), 40, 1));
  fill<<<40, 64>>>(p, 50, 40);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(p.ptr);
}
