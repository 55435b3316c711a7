// What a beginner forgets, one mistake a run: `mistakes NAME`. mistakes.py knows what is to be said of each,
// and at which of the lines that have a mark.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

namespace {

constexpr int n = 1000;
constexpr size_t bytes = n * sizeof(float);
std::vector<float> host(n, 1.0f);
float *a, *b, *c;

bool is(const char* name, const char* asked) { return std::strcmp(name, asked) == 0; }

float* array(size_t size) {
  float* made = nullptr;
  cudaMalloc(&made, size);  // mark: array
  return made;
}

void free_all() {
  for (float* one : {a, b, c}) cudaFree(one);
}

}  // namespace

int main(int, char** arguments) {
  const char* name = arguments[1];
  a = array(bytes);
  b = array(bytes);
  c = array(bytes);
  if (is("elements_allocated", name)) {
    float* few = nullptr;
    cudaMalloc(&few, n);            // mark: few
    add<<<4, 256>>>(few, b, c, n);  // mark: launch_few
    cudaDeviceSynchronize();
    return 0;
  }
  if (is("elements_copied", name)) {
    cudaMemcpy(a, host.data(), n, cudaMemcpyHostToDevice);  // mark: few_copied
  } else if (is("direction", name)) {
    cudaMemcpy(a, host.data(), bytes, cudaMemcpyDeviceToHost);  // mark: direction
  } else {
    cudaMemcpy(a, host.data(), bytes, cudaMemcpyHostToDevice);
  }
  if (is("too_large", name)) {
    float* large = nullptr;
    cudaMalloc(&large, size_t{1} << 50);  // mark: too_large
  }
  if (is("host_pointer", name)) {
    add<<<4, 256>>>(host.data(), b, c, n);  // mark: host_pointer
    cudaDeviceSynchronize();
    return 0;
  }
  const int block = is("refused", name) || is("asked", name) ? 2048 : 256;
  add<<<4, block>>>(a, b, c, n);  // mark: launch
  if (is("asked", name) && cudaGetLastError() != cudaSuccess) std::puts("the launch failed");
  if (is("dereferenced", name)) {
    cudaDeviceSynchronize();
    std::printf("%f\n", double(c[0]));  // mark: dereferenced
  }
  if (!is("never_back", name)) cudaMemcpy(host.data(), c, bytes, cudaMemcpyDeviceToHost);
  if (is("status", name)) return 1;
  if (!is("not_freed", name)) free_all();
}
