// Sorts an array of the device with the host's std::sort.
#include <algorithm>
#include <cstdio>

int main() {
  int* d_v;
  cudaMalloc(&d_v, 1000 * sizeof(int));
  std::sort(d_v, d_v + 1000);  // mark: sort
  printf("sorted\n");
}
