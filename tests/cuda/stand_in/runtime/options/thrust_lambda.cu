// Thrust with lambdas of the device.
#include <thrust/device_vector.h>
#include <thrust/transform_reduce.h>
#include <cstdio>

int main() {
  thrust::device_vector<float> v(1000, 3.0f);
  float factor = 2.0f;
  float sum = thrust::transform_reduce(
      v.begin(), v.end(), [=] __host__ __device__(float x) { return factor * x; }, 0.0f,
      thrust::plus<float>());
  printf("%g, should be 6000\n", sum);
}
