// Frees memory of the device with the function of the C library.
#include <cstdlib>

int main() {
  int* d_v;
  cudaMalloc(&d_v, 1000 * sizeof(int));
  free(d_v);  // mark: free
}
