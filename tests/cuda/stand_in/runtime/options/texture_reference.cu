// A texture reference, as in books of before CUDA 12.
#include <cstdio>

texture<float, 1, cudaReadModeElementType> values;

__global__ void copy(float* out) { out[threadIdx.x] = tex1Dfetch(values, threadIdx.x); }

int main() {
  float *in, *out;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaBindTexture(0, values, in, 32 * sizeof(float));
  copy<<<1, 32>>>(out);
  cudaUnbindTexture(values);
}
