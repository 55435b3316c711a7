// nvcc: -lcurand
// What courses do with cuRAND's host API: integrals, histograms, distributions made of uniform numbers.
#include <cuda_runtime.h>
#include <curand.h>

#include <cmath>
#include <vector>

#include "../runtime/expect.h"

#define EXPECT_RAND_OK(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

constexpr curandRngType_t pseudo[] = {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A,
                                      CURAND_RNG_PSEUDO_PHILOX4_32_10};
constexpr int n = 1 << 16;

template <class T>
struct OnDevice {
  T* at = nullptr;
  size_t count = 0;
  explicit OnDevice(size_t its_count) : count(its_count) {
    EXPECT_OK(cudaMalloc(&at, count * sizeof(T)));
    EXPECT_OK(cudaMemset(at, 0, count * sizeof(T)));
  }
  OnDevice(const OnDevice&) = delete;
  ~OnDevice() { cudaFree(at); }
  std::vector<T> get() const {
    std::vector<T> values(count);
    EXPECT_OK(cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
};

std::vector<float> uniforms(curandRngType_t type, unsigned long long seed, bool on_host) {
  curandGenerator_t generator = nullptr;
  EXPECT_RAND_OK(on_host ? curandCreateGeneratorHost(&generator, type)
                         : curandCreateGenerator(&generator, type));
  EXPECT_RAND_OK(curandSetPseudoRandomGeneratorSeed(generator, seed));
  std::vector<float> made(n);
  if (on_host) {
    EXPECT_RAND_OK(curandGenerateUniform(generator, made.data(), n));
  } else {
    OnDevice<float> values(n);
    EXPECT_RAND_OK(curandGenerateUniform(generator, values.at, n));
    made = values.get();
  }
  EXPECT_RAND_OK(curandDestroyGenerator(generator));
  return made;
}

// A generator on the host gives what one on the device gives.
void host_and_device() {
  for (const auto type : pseudo) EXPECT(uniforms(type, 99, true) == uniforms(type, 99, false));
}

void seeds() {
  for (const auto type : pseudo) {
    const auto one = uniforms(type, 1, false), other = uniforms(type, 2, false);
    EXPECT(one == uniforms(type, 1, false));
    int equal = 0;
    for (int i = 0; i < n; ++i) equal += one[i] == other[i];
    EXPECT(equal < 20);
  }
}

__global__ void add_up(const double* x, const double* y, int count, double* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(sum, x[i] * x[i] * y[i]);
}
// ∫∫ x² y over the unit square is 1/6; 65,536 points of a Sobol sequence come far closer than chance does.
void integral() {
  for (const auto type : {CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SOBOL64}) {
    curandGenerator_t generator = nullptr;
    EXPECT_RAND_OK(curandCreateGenerator(&generator, type));
    EXPECT_RAND_OK(curandSetQuasiRandomGeneratorDimensions(generator, 2));
    OnDevice<double> points(2 * n), sum(1);
    EXPECT_RAND_OK(curandGenerateUniformDouble(generator, points.at, 2 * n));
    add_up<<<n / 256, 256>>>(points.at, points.at + n, n, sum.at);
    EXPECT(std::abs(sum.get()[0] / n - 1.0 / 6) < 2e-5);
    EXPECT_RAND_OK(curandDestroyGenerator(generator));
  }
}

__global__ void sort_into(const float* values, int count, unsigned* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(&bins[min(int(fabsf(values[i])), 3)], 1u);
}
// 68.3 % of normal numbers are within one deviation, 27.2 % more within two.
void histogram() {
  for (const auto type : pseudo) {
    cudaStream_t stream = nullptr;
    curandGenerator_t generator = nullptr;
    EXPECT_OK(cudaStreamCreate(&stream));
    EXPECT_RAND_OK(curandCreateGenerator(&generator, type));
    EXPECT_RAND_OK(curandSetStream(generator, stream));
    EXPECT_RAND_OK(curandSetPseudoRandomGeneratorSeed(generator, 2024));
    OnDevice<float> values(n);
    OnDevice<unsigned> bins(4);
    EXPECT_RAND_OK(curandGenerateNormal(generator, values.at, n, 0, 1));
    sort_into<<<n / 256, 256, 0, stream>>>(values.at, n, bins.at);
    EXPECT_OK(cudaStreamSynchronize(stream));
    const auto counts = bins.get();
    EXPECT(std::abs(counts[0] / double(n) - 0.6827) < 0.01);
    EXPECT(std::abs(counts[1] / double(n) - 0.2718) < 0.01);
    EXPECT(counts[0] + counts[1] + counts[2] + counts[3] == unsigned(n));
    EXPECT_RAND_OK(curandDestroyGenerator(generator));
    EXPECT_OK(cudaStreamDestroy(stream));
  }
}

__global__ void to_exponential(float* values, int count, float rate) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = -logf(values[i]) / rate;  // never of 0: cuRAND's numbers are in (0, 1]
}
void exponential() {
  curandGenerator_t generator = nullptr;
  EXPECT_RAND_OK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  EXPECT_RAND_OK(curandSetPseudoRandomGeneratorSeed(generator, 7));
  OnDevice<float> values(n);
  EXPECT_RAND_OK(curandGenerateUniform(generator, values.at, n));
  to_exponential<<<n / 256, 256>>>(values.at, n, 2);
  double sum = 0;
  for (const float value : values.get()) sum += double(value);
  EXPECT(std::abs(sum / n - 0.5) < 0.01);
  EXPECT_RAND_OK(curandDestroyGenerator(generator));
}

// The mean of exp(normal of mean m and deviation s) is exp(m + s²/2).
void log_normal() {
  for (const auto type : pseudo) {
    curandGenerator_t generator = nullptr;
    EXPECT_RAND_OK(curandCreateGenerator(&generator, type));
    EXPECT_RAND_OK(curandSetPseudoRandomGeneratorSeed(generator, 11));
    OnDevice<double> values(n);
    EXPECT_RAND_OK(curandGenerateLogNormalDouble(generator, values.at, n, 0.5, 0.25));
    double sum = 0;
    for (const double value : values.get()) sum += value;
    EXPECT(std::abs(sum / n / std::exp(0.5 + 0.25 * 0.25 / 2) - 1) < 0.01);
    EXPECT_RAND_OK(curandDestroyGenerator(generator));
  }
}

int main() {
  host_and_device();
  seeds();
  integral();
  histogram();
  exponential();
  log_normal();
  return result();
}
