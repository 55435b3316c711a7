// nvcc: -lcurand
// cuRAND's host API. What is wanted bit for bit comes from the device API of CUDA's own curand_kernel.h, and,
// as plain numbers, from NVIDIA's library.
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../runtime/expect.h"

#define EXPECT_RAND(call, code)                                                              \
  do {                                                                                       \
    ++expected;                                                                              \
    const curandStatus_t is_ = (call);                                                       \
    if (is_ != (code)) {                                                                     \
      ++failed;                                                                              \
      std::printf("%s:%d: %s gives %d\n", __FILE__, __LINE__, #call, static_cast<int>(is_)); \
    }                                                                                        \
  } while (false)
#define EXPECT_RAND_OK(call) EXPECT_RAND(call, CURAND_STATUS_SUCCESS)

template <class T>
struct OnDevice {
  T* at = nullptr;
  size_t count = 0;
  explicit OnDevice(size_t its_count) : count(its_count) { EXPECT_OK(cudaMalloc(&at, count * sizeof(T))); }
  OnDevice(const OnDevice&) = delete;
  ~OnDevice() { cudaFree(at); }
  std::vector<T> get() const {
    std::vector<T> values(count);
    EXPECT_OK(cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
};

struct Generator {
  curandGenerator_t it = nullptr;
  explicit Generator(curandRngType_t type, unsigned long long seed = 0, bool on_host = false) {
    EXPECT_RAND_OK(on_host ? curandCreateGeneratorHost(&it, type) : curandCreateGenerator(&it, type));
    if (type < CURAND_RNG_QUASI_DEFAULT) EXPECT_RAND_OK(curandSetPseudoRandomGeneratorSeed(it, seed));
  }
  Generator(const Generator&) = delete;
  ~Generator() { EXPECT_RAND_OK(curandDestroyGenerator(it)); }
};

constexpr curandRngType_t pseudo[] = {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A,
                                      CURAND_RNG_PSEUDO_PHILOX4_32_10};

// Result n is number n / T of sequence n mod T.
template <class State>
__global__ void by_device_api(unsigned long long seed, unsigned sequences, unsigned* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  State state;
  curand_init(seed, i % sequences, i / sequences, &state);
  to[i] = curand(&state);
}
__global__ void philox_by_device_api(unsigned long long seed, unsigned* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, i / 4 % 65536, i / 262144 * 4 + i % 4, &state);
  to[i] = curand(&state);
}

void order() {
  constexpr int n = 6000;
  constexpr unsigned long long seed = 0x9876543210ull;
  for (const auto type : pseudo) {
    Generator generator(type, seed);
    OnDevice<unsigned> is(n), wanted(n);
    EXPECT_RAND_OK(curandGenerate(generator.it, is.at, n));
    const int blocks = (n + 127) / 128;
    if (type == CURAND_RNG_PSEUDO_XORWOW)
      by_device_api<curandState><<<blocks, 128>>>(seed, 4096, wanted.at, n);
    if (type == CURAND_RNG_PSEUDO_MRG32K3A)
      by_device_api<curandStateMRG32k3a><<<blocks, 128>>>(seed, 81920, wanted.at, n);
    if (type == CURAND_RNG_PSEUDO_PHILOX4_32_10) philox_by_device_api<<<blocks, 128>>>(seed, wanted.at, n);
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(is.get() == wanted.get());
  }
}

// Numbers of NVIDIA's library, so that a mistake in both would be seen.
void known() {
  struct Row {
    curandRngType_t type;
    unsigned at_0, at_1, at_4096, at_19999;
  };
  constexpr Row rows[] = {
      {CURAND_RNG_PSEUDO_XORWOW, 624778773u, 3522650202u, 1867875844u, 2623622396u},
      {CURAND_RNG_PSEUDO_MRG32K3A, 3379073520u, 653317650u, 2648318237u, 3975717995u},
      {CURAND_RNG_PSEUDO_PHILOX4_32_10, 546353992u, 3665621163u, 2053518784u, 385872282u}};
  for (const Row& row : rows) {
    Generator generator(row.type, 1234), on_host(row.type, 1234, true);
    OnDevice<unsigned> is(20000);
    std::vector<unsigned> here(20000);
    EXPECT_RAND_OK(curandGenerate(generator.it, is.at, is.count));
    EXPECT_RAND_OK(curandGenerate(on_host.it, here.data(), here.size()));
    const auto values = is.get();
    EXPECT(values[0] == row.at_0 && values[1] == row.at_1 && values[4096] == row.at_4096);
    EXPECT(values[19999] == row.at_19999);
    EXPECT(values == here);
  }
}

void offsets() {
  for (const auto type : pseudo) {
    Generator all(type, 5), from(type, 5), in_parts(type, 5);
    OnDevice<unsigned> a(12000), b(5000), c(12000);
    EXPECT_RAND_OK(curandGenerate(all.it, a.at, a.count));
    EXPECT_RAND_OK(curandSetGeneratorOffset(from.it, 6789));
    EXPECT_RAND_OK(curandGenerate(from.it, b.at, b.count));
    size_t at = 0;
    for (const size_t part : {1, 99, 4100, 3, 7797}) {
      EXPECT_RAND_OK(curandGenerate(in_parts.it, c.at + at, part));
      at += part;
    }
    const auto whole = a.get();
    EXPECT(b.get() == std::vector<unsigned>(whole.begin() + 6789, whole.begin() + 11789));
    EXPECT(c.get() == whole);
    // Another seed counts from where the generator is.
    Generator again(type, 6);
    EXPECT_RAND_OK(curandGenerate(again.it, c.at, 100));
    EXPECT_RAND_OK(curandSetPseudoRandomGeneratorSeed(again.it, 5));
    EXPECT_RAND_OK(curandGenerate(again.it, c.at, 5000));
    // Philox on the device counts turns of four, and takes them for numbers.
    const size_t here = type == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? 25 : 100;
    EXPECT(c.get()[0] == whole[here] && c.get()[4999] == whole[here + 4999]);
    EXPECT_RAND_OK(curandSetGeneratorOrdering(all.it, CURAND_ORDERING_PSEUDO_LEGACY));
    EXPECT_RAND_OK(curandSetGeneratorOffset(all.it, 0));
    EXPECT_RAND_OK(curandGenerate(all.it, c.at, 12000));
    // MRG32k3a has 4,096 sequences in this order, and 81,920 else: number 4096 is the second of the first
    // one.
    OnDevice<unsigned> more(81920 + 4096);
    Generator usual(type, 5);
    EXPECT_RAND_OK(curandGenerate(usual.it, more.at, more.count));
    const std::vector<unsigned> legacy = c.get(), usually = more.get();
    const size_t second = type == CURAND_RNG_PSEUDO_MRG32K3A ? 81920 : 4096;
    EXPECT(std::equal(legacy.begin(), legacy.begin() + 4096, usually.begin()));
    EXPECT(std::equal(legacy.begin() + 4096, legacy.begin() + 8192, usually.begin() + long(second)));
  }
}

uint64_t hash_of(const void* bytes, size_t count) {  // FNV-1a
  uint64_t hash = 1469598103934665603u;
  for (size_t i = 0; i < count; ++i)
    hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 1099511628211u;
  return hash;
}
template <class T>
uint64_t hash_of(const std::vector<T>& values) {
  return hash_of(values.data(), values.size() * sizeof(T));
}

// Uniform floats and doubles are those of NVIDIA's library to the last bit; the hashes are of its numbers.
void uniform() {
  struct Row {
    curandRngType_t type;
    uint64_t floats, doubles;
  };
  constexpr Row rows[] = {{CURAND_RNG_PSEUDO_XORWOW, 13375404545603729727u, 11488215151616066698u},
                          {CURAND_RNG_PSEUDO_MRG32K3A, 8105406766179957178u, 2954481424288875761u},
                          {CURAND_RNG_PSEUDO_PHILOX4_32_10, 15888822765273011703u, 10439579416919730478u}};
  for (const Row& row : rows) {
    Generator one(row.type, 77), other(row.type, 77);
    OnDevice<float> floats(10000);
    OnDevice<double> doubles(10000);
    EXPECT_RAND_OK(curandGenerateUniform(one.it, floats.at, floats.count));
    EXPECT_RAND_OK(curandGenerateUniformDouble(other.it, doubles.at, doubles.count));
    EXPECT(hash_of(floats.get()) == row.floats);
    EXPECT(hash_of(doubles.get()) == row.doubles);
    for (const float value : floats.get())
      if (!(value > 0 && value <= 1)) EXPECT(value > 0 && value <= 1);
  }
}

struct Moments {
  double mean = 0, deviation = 0;
};
template <class T>
Moments moments_of(const std::vector<T>& values) {
  Moments found;
  for (const T value : values) found.mean += double(value);
  found.mean /= double(values.size());
  for (const T value : values) found.deviation += (double(value) - found.mean) * (double(value) - found.mean);
  found.deviation = std::sqrt(found.deviation / double(values.size()));
  return found;
}

// Box and Muller of the uniform numbers that belong to them, within what a GPU's fast sine differs.
void normal() {
  constexpr double pi = 3.14159265358979323846;
  for (const auto type : pseudo) {
    Generator bits(type, 31), normals(type, 31), wide(type, 31), logs(type, 31);
    constexpr int n = 8192;
    OnDevice<float> uniforms(2 * n), values(n), exponentials(n);
    OnDevice<double> doubles(n);
    EXPECT_RAND_OK(curandGenerateUniform(bits.it, uniforms.at, uniforms.count));
    EXPECT_RAND_OK(curandGenerateNormal(normals.it, values.at, n, 2, 3));
    EXPECT_RAND_OK(curandGenerateNormalDouble(wide.it, doubles.at, n, -1, 0.5));
    EXPECT_RAND_OK(curandGenerateLogNormal(logs.it, exponentials.at, n, 0, 1));
    const auto u = uniforms.get(), x = values.get(), e = exponentials.get();
    double apart = 0, apart_log = 0;
    const int pairs = type == CURAND_RNG_PSEUDO_XORWOW     ? 2048
                      : type == CURAND_RNG_PSEUDO_MRG32K3A ? 0
                                                           : n / 2;
    for (int i = 0; i < pairs; ++i) {
      // XORWOW: both numbers of one sequence; Philox: neighbours.
      const int first = type == CURAND_RNG_PSEUDO_XORWOW ? i : 2 * i;
      const int second = type == CURAND_RNG_PSEUDO_XORWOW ? i + 4096 : 2 * i + 1;
      const double length = std::sqrt(-2 * std::log(double(u[first]))), angle = 2 * pi * double(u[second]);
      apart = std::max({apart, std::abs(x[2 * i] - (2 + 3 * std::sin(angle) * length)),
                        std::abs(x[2 * i + 1] - (2 + 3 * std::cos(angle) * length))});
      apart_log = std::max(apart_log, std::abs(std::log(double(e[2 * i])) - std::sin(angle) * length));
    }
    EXPECT(apart < 5e-5);
    EXPECT(apart_log < 5e-5);
    const Moments found = moments_of(x), found_wide = moments_of(doubles.get());
    EXPECT(std::abs(found.mean - 2) < 0.1 && std::abs(found.deviation - 3) < 0.1);
    EXPECT(std::abs(found_wide.mean + 1) < 0.02 && std::abs(found_wide.deviation - 0.5) < 0.02);
    // Pairs of numbers, but for Philox.
    const bool pairs_alone = type != CURAND_RNG_PSEUDO_PHILOX4_32_10;
    EXPECT_RAND(curandGenerateNormal(normals.it, values.at, 3, 0, 1),
                pairs_alone ? CURAND_STATUS_LENGTH_NOT_MULTIPLE : CURAND_STATUS_SUCCESS);
  }
}

void poisson() {
  for (const auto type : pseudo)
    for (const double lambda : {0.5, 10.0, 200.0, 5000.0}) {
      Generator generator(type, 8);
      OnDevice<unsigned> values(20000);
      EXPECT_RAND_OK(curandGeneratePoisson(generator.it, values.at, values.count, lambda));
      const Moments found = moments_of(values.get());
      EXPECT(std::abs(found.mean - lambda) < 5 * std::sqrt(lambda / 20000));
      EXPECT(std::abs(found.deviation / std::sqrt(lambda) - 1) < 0.05);
    }
}

void sobol() {
  Generator generator(CURAND_RNG_QUASI_SOBOL32);
  OnDevice<unsigned> one(8);
  EXPECT_RAND_OK(curandGenerate(generator.it, one.at, 8));
  EXPECT((one.get() == std::vector<unsigned>{0, 2147483648u, 3221225472u, 1073741824u, 1610612736u,
                                             3758096384u, 2684354560u, 536870912u}));
  // More dimensions count from where it is, too.
  EXPECT_RAND_OK(curandSetQuasiRandomGeneratorDimensions(generator.it, 2));
  OnDevice<unsigned> two(2);
  EXPECT_RAND_OK(curandGenerate(generator.it, two.at, 2));
  EXPECT(two.get()[0] == 805306368u);
  EXPECT_RAND_OK(curandSetGeneratorOffset(generator.it, 0));
  EXPECT_RAND_OK(curandSetQuasiRandomGeneratorDimensions(generator.it, 10));
  OnDevice<unsigned> ten(10 * 1000);
  EXPECT_RAND_OK(curandGenerate(generator.it, ten.at, ten.count));
  EXPECT(hash_of(ten.get()) == 17842015670178994179u);
  EXPECT_RAND(curandGenerate(generator.it, ten.at, 15), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  OnDevice<float> floats(10 * 1000);
  EXPECT_RAND_OK(curandGenerateUniform(generator.it, floats.at, floats.count));
  for (int d = 0; d < 10; ++d) {
    const auto all = floats.get();
    const Moments found =
        moments_of(std::vector<float>(all.begin() + d * 1000, all.begin() + (d + 1) * 1000));
    EXPECT(std::abs(found.mean - 0.5) < 0.01);
  }
}

// The hashes are of the numbers of NVIDIA's library.
void sobol_of_64_bits() {
  using Wide = unsigned long long;
  Generator generator(CURAND_RNG_QUASI_SOBOL64);
  OnDevice<Wide> one(4);
  EXPECT_RAND_OK(curandGenerateLongLong(generator.it, one.at, 4));
  EXPECT((one.get() == std::vector<Wide>{0, Wide{1} << 63, Wide{3} << 62, Wide{1} << 62}));
  EXPECT_RAND_OK(curandSetGeneratorOffset(generator.it, 0));
  EXPECT_RAND_OK(curandSetQuasiRandomGeneratorDimensions(generator.it, 10));
  OnDevice<Wide> ten(10 * 1000);
  EXPECT_RAND_OK(curandGenerateLongLong(generator.it, ten.at, ten.count));
  EXPECT(hash_of(ten.get()) == 5339109386262865539u);
  OnDevice<float> floats(10 * 1000);
  EXPECT_RAND_OK(curandSetGeneratorOffset(generator.it, 0));
  EXPECT_RAND_OK(curandGenerateUniform(generator.it, floats.at, floats.count));
  EXPECT(hash_of(floats.get()) == 9042794812960404606u);
  OnDevice<double> doubles(10 * 1000);
  EXPECT_RAND_OK(curandSetGeneratorOffset(generator.it, 0));
  EXPECT_RAND_OK(curandGenerateUniformDouble(generator.it, doubles.at, doubles.count));
  EXPECT(hash_of(doubles.get()) == 17127883024630139580u);
  EXPECT_RAND_OK(curandSetGeneratorOffset(generator.it, 0));
  EXPECT_RAND_OK(curandGenerateNormalDouble(generator.it, doubles.at, doubles.count, 0, 1));
  const auto normals = doubles.get();
  EXPECT(std::abs(normals[0] + 8.292361075813593) < 1e-13 &&
         std::abs(normals[2] - 0.6744897501960818) < 1e-15);
  // Whole numbers of 64 bits are for sequences of 64 bits, and no others.
  OnDevice<unsigned> narrow(10);
  EXPECT_RAND(curandGenerate(generator.it, narrow.at, 10), CURAND_STATUS_TYPE_ERROR);
  Generator other(CURAND_RNG_QUASI_SOBOL32);
  EXPECT_RAND(curandGenerateLongLong(other.it, one.at, 4), CURAND_STATUS_TYPE_ERROR);
}

__global__ void count_inside(const float* x, const float* y, int n, unsigned* inside) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] * x[i] + y[i] * y[i] <= 1) atomicAdd(inside, 1u);
}

// A course's program: π by chance, in a stream.
void pi() {
  constexpr int n = 1 << 16;
  cudaStream_t stream = nullptr;
  EXPECT_OK(cudaStreamCreate(&stream));
  Generator generator(CURAND_RNG_PSEUDO_DEFAULT, 42);
  EXPECT_RAND_OK(curandSetStream(generator.it, stream));
  OnDevice<float> x(n), y(n);
  OnDevice<unsigned> inside(1);
  EXPECT_OK(cudaMemsetAsync(inside.at, 0, 4, stream));
  EXPECT_RAND_OK(curandGenerateUniform(generator.it, x.at, n));
  EXPECT_RAND_OK(curandGenerateUniform(generator.it, y.at, n));
  count_inside<<<n / 256, 256, 0, stream>>>(x.at, y.at, n, inside.at);
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT(inside.get()[0] == 51369u);
  EXPECT_OK(cudaStreamDestroy(stream));
}

void codes() {
  int version = 0, major = 0;
  EXPECT_RAND_OK(curandGetVersion(&version));
  EXPECT_RAND_OK(curandGetProperty(MAJOR_VERSION, &major));
  EXPECT(major == 10 && version / 1000 == 10);
  unsigned to = 0;
  EXPECT_RAND(curandGenerate(nullptr, &to, 1), CURAND_STATUS_NOT_INITIALIZED);
  EXPECT_RAND(curandDestroyGenerator(nullptr), CURAND_STATUS_NOT_INITIALIZED);
  curandGenerator_t generator = nullptr;
  EXPECT_RAND(curandCreateGenerator(&generator, static_cast<curandRngType_t>(77)), CURAND_STATUS_TYPE_ERROR);
  Generator quasi(CURAND_RNG_QUASI_SOBOL32), plain(CURAND_RNG_PSEUDO_XORWOW);
  EXPECT_RAND(curandSetPseudoRandomGeneratorSeed(quasi.it, 1), CURAND_STATUS_TYPE_ERROR);
  EXPECT_RAND(curandSetQuasiRandomGeneratorDimensions(plain.it, 2), CURAND_STATUS_TYPE_ERROR);
  EXPECT_RAND(curandSetQuasiRandomGeneratorDimensions(quasi.it, 0), CURAND_STATUS_OUT_OF_RANGE);
  EXPECT_RAND(curandSetGeneratorOrdering(quasi.it, CURAND_ORDERING_PSEUDO_BEST), CURAND_STATUS_OUT_OF_RANGE);
}

int main() {
  order();
  known();
  offsets();
  uniform();
  normal();
  poisson();
  sobol();
  sobol_of_64_bits();
  pi();
  codes();
  return result();
}
