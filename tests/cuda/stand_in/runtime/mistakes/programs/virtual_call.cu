// Objects with virtual functions that the host made and copied to the device.
#include <cstdio>

struct Shape {
  __host__ __device__ virtual float area() const { return 0; }
  float side = 2;
};
struct Square : Shape {
  __host__ __device__ float area() const override { return side * side; }
};

__global__ void areas(const Square* squares, float* out) {
  const Shape* shape = squares + threadIdx.x;
  out[threadIdx.x] = shape->area();  // mark: call
}

int main() {
  Square host[4];
  Square* d_squares;
  float *d_out, out[4];
  cudaMalloc(&d_squares, sizeof(host));
  cudaMalloc(&d_out, sizeof(out));
  cudaMemcpy(d_squares, host, sizeof(host), cudaMemcpyHostToDevice);
  areas<<<1, 4>>>(d_squares, d_out);
  cudaError_t error = cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
  printf("%s\n", cudaGetErrorString(error));
}
