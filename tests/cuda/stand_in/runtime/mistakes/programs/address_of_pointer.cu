// Calls that get the address of a pointer, an array of the host, or a cudaArray for memory of the device.
#include <cstdio>

int main() {
  float *d_v, x[100] = {};
  cudaMalloc(&d_v, sizeof(x));
  cudaMemset(&d_v, 0, sizeof(x));                          // mark: memset
  cudaMemcpy(&d_v, x, sizeof(x), cudaMemcpyHostToDevice);  // mark: copy_in
  cudaFree(&d_v);                                          // mark: free
  cudaMemset(x, 0, sizeof(x));                             // mark: host
  cudaArray_t picture;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&picture, &format, 10, 10);
  cudaMemcpy(picture, x, sizeof(x), cudaMemcpyHostToDevice);  // mark: array
  cudaFree(picture);                                          // mark: free_array
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
