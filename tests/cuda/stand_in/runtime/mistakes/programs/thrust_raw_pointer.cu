// Thrust gets a raw pointer of the device without being told so.
#include <thrust/sort.h>

int main() {
  int* d_v;
  cudaMalloc(&d_v, 1000 * sizeof(int));
  thrust::sort(d_v, d_v + 1000);  // mark: sort
}
