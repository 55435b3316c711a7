// cuRAND's device API. The numbers are those that NVIDIA's compiler makes of NVIDIA's header (CUDA 12.9
// and 13.0).
#include <cuda_runtime.h>
#include <curand_kernel.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "../runtime/expect.h"

using Wide = unsigned long long;

template <class T>
std::vector<T> values_of(const T* at, size_t count) {
  std::vector<T> values(count);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_OK(cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

template <class T>
struct OnDevice {
  T* at = nullptr;
  size_t count = 0;
  explicit OnDevice(size_t its_count) : count(its_count) { EXPECT_OK(cudaMalloc(&at, count * sizeof(T))); }
  OnDevice(const OnDevice&) = delete;
  ~OnDevice() { cudaFree(at); }
  std::vector<T> get() const { return values_of(at, count); }
};

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
// One line for each, so that a new number can be read off.
#define EXPECT_HASH(values, wanted)                                                              \
  do {                                                                                           \
    ++expected;                                                                                  \
    const uint64_t is_ = hash_of(values);                                                        \
    if (is_ != (wanted)) {                                                                       \
      ++failed;                                                                                  \
      std::printf("%s:%d: %s hashes to 0x%016llxu\n", __FILE__, __LINE__, #values, (Wide)(is_)); \
    }                                                                                            \
  } while (false)

// Where seeds, sequences and offsets have edges.
constexpr int edges = 16;
__constant__ Wide edge[edges] = {0,
                                 1,
                                 2,
                                 15,
                                 16,
                                 1023,
                                 65536,
                                 1000003,
                                 0xffffffff,
                                 0x100000000,
                                 0x123456789abcd,
                                 0x7ffffffffffff,
                                 0x7fffffffffffffff,
                                 0x8000000000000000,
                                 0xfffffffffffffffd,
                                 0xffffffffffffffff};
// Those of MRG32k3a end below 2^51, where its next sequence begins.
constexpr int sequence_edges = 12;

constexpr int draws = 6;
template <class State>
__global__ void init(unsigned* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= edges * sequence_edges * edges) return;
  State state;
  curand_init(edge[i % edges], edge[i / edges % sequence_edges], edge[i / edges / sequence_edges], &state);
  for (int k = 0; k < draws; ++k) to[draws * i + k] = curand(&state);
}
template <class State>
std::vector<unsigned> all_inits() {
  constexpr int n = edges * sequence_edges * edges;
  OnDevice<unsigned> made(draws * n);
  init<State><<<(n + 127) / 128, 128>>>(made.at);
  return made.get();
}

template <class State>
__global__ void jumps(unsigned* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= edges * edges) return;
  State state;
  curand_init(99, 3, 1, &state);
  skipahead(edge[i % edges], &state);
  to[4 * i] = curand(&state);
  skipahead_sequence(edge[i / edges], &state);
  to[4 * i + 1] = curand(&state);
  skipahead(edge[i / edges], &state);
  to[4 * i + 2] = curand(&state);
  skipahead_sequence(edge[i % edges], &state);
  to[4 * i + 3] = curand(&state);
}
template <class State>
std::vector<unsigned> all_jumps() {
  OnDevice<unsigned> made(4 * edges * edges);
  jumps<State><<<edges, edges>>>(made.at);
  return made.get();
}

__global__ void subsequences(unsigned* to) {
  curandStateMRG32k3a_t state;
  curand_init(5, 0, 0, &state);
  skipahead_subsequence(edge[threadIdx.x % sequence_edges], &state);
  to[threadIdx.x] = curand(&state);
}

void whole() {
  EXPECT_HASH(all_inits<curandState>(), 0xdb98f97a628e52cau);
  EXPECT_HASH(all_inits<curandStatePhilox4_32_10_t>(), 0xb587a917f42e2b43u);
  EXPECT_HASH(all_inits<curandStateMRG32k3a_t>(), 0x578a1b1b10f7c776u);
  EXPECT_HASH(all_jumps<curandStateXORWOW_t>(), 0x99f5ee8545b6b613u);
  EXPECT_HASH(all_jumps<curandStatePhilox4_32_10_t>(), 0xf6e38499560414c7u);
  EXPECT_HASH(all_jumps<curandStateMRG32k3a_t>(), 0x25c0866261b4f8cau);
  OnDevice<unsigned> made(32);
  subsequences<<<1, 32>>>(made.at);
  EXPECT_HASH(made.get(), 0x9b8c0b17e5216f1cu);
}

// A few plain numbers, so that a mistake in the hash would be seen.
template <class State>
__global__ void first_numbers(unsigned* to) {
  State state;
  curand_init(1234, threadIdx.x, 0, &state);
  for (int k = 0; k < 4; ++k) to[4 * threadIdx.x + k] = curand(&state);
}
void known() {
  OnDevice<unsigned> made(8);
  first_numbers<curandState><<<1, 2>>>(made.at);
  EXPECT((made.get() == std::vector<unsigned>{624778773u, 1867875844u, 3739671282u, 1954919316u, 3522650202u,
                                              3978931785u, 2198015705u, 2308946676u}));
  first_numbers<curandStatePhilox4_32_10_t><<<1, 2>>>(made.at);
  EXPECT((made.get() == std::vector<unsigned>{546353992u, 3665621163u, 1140953199u, 3419031310u, 3507855656u,
                                              1392278645u, 3354607383u, 253049307u}));
  first_numbers<curandStateMRG32k3a_t><<<1, 2>>>(made.at);
  EXPECT((made.get() == std::vector<unsigned>{3379073520u, 2521876100u, 213678209u, 1604391373u, 653317650u,
                                              2890950871u, 2749090064u, 2410030135u}));
}

constexpr int threads = 64, turns = 64;
template <class State>
__global__ void uniforms(float* floats, double* doubles) {
  State state;
  curand_init(7, threadIdx.x, 0, &state);
  for (int k = 0; k < turns; ++k) {
    floats[turns * threadIdx.x + k] = curand_uniform(&state);
    doubles[turns * threadIdx.x + k] = curand_uniform_double(&state);
  }
}
__global__ void fours(uint4* bits, float4* floats, double2* pairs, double2* doubles) {
  curandStatePhilox4_32_10_t state;
  curand_init(7, threadIdx.x, threadIdx.x, &state);
  for (int k = 0; k < turns; ++k) {
    const int i = turns * threadIdx.x + k;
    bits[i] = curand4(&state);
    floats[i] = curand_uniform4(&state);
    pairs[i] = curand_uniform2_double(&state);
    const auto four = curand_uniform4_double(&state);
    doubles[2 * i] = {four.x, four.y};
    doubles[2 * i + 1] = {four.z, four.w};
  }
}
void uniform() {
  OnDevice<float> floats(threads * turns);
  OnDevice<double> doubles(threads * turns);
  uniforms<curandState><<<1, threads>>>(floats.at, doubles.at);
  EXPECT_HASH(floats.get(), 0x4b1a0d27c2ecdc89u);
  EXPECT_HASH(doubles.get(), 0x91bdb52da79ffa74u);
  uniforms<curandStatePhilox4_32_10_t><<<1, threads>>>(floats.at, doubles.at);
  EXPECT_HASH(floats.get(), 0x0c982c884f468b70u);
  EXPECT_HASH(doubles.get(), 0xd20324bb89e8e0f6u);
  uniforms<curandStateMRG32k3a_t><<<1, threads>>>(floats.at, doubles.at);
  EXPECT_HASH(floats.get(), 0xaedc328527ef410eu);
  EXPECT_HASH(doubles.get(), 0xa47858fa5465b632u);
  OnDevice<uint4> four_bits(threads * turns);
  OnDevice<float4> four_floats(threads * turns);
  OnDevice<double2> pairs(threads * turns), four_doubles(2 * threads * turns);
  fours<<<1, threads>>>(four_bits.at, four_floats.at, pairs.at, four_doubles.at);
  EXPECT_HASH(four_bits.get(), 0x4ffb22b181f01cf1u);
  EXPECT_HASH(four_floats.get(), 0x82359c8e5de37515u);
  EXPECT_HASH(pairs.get(), 0xdee5fcacfc97f8f6u);
  EXPECT_HASH(four_doubles.get(), 0x01e4b29a3465f6fdu);
}

// Direction vectors of van der Corput's sequence, and others.
__global__ void sobols(unsigned* to) {
  unsigned vectors[32];
  for (unsigned i = 0; i < 32; ++i) vectors[i] = 1u << (31 - i) ^ i * 77 >> 3;
  curandStateSobol32_t state;
  curandStateScrambledSobol32_t scrambled;
  const auto offset = unsigned(edge[threadIdx.x % edges]);
  curand_init(vectors, offset, &state);
  curand_init(vectors, 0x1234u, offset, &scrambled);
  for (int k = 0; k < 8; ++k) {
    to[16 * threadIdx.x + 2 * k] = curand(&state);
    to[16 * threadIdx.x + 2 * k + 1] = curand(&scrambled);
    skipahead(unsigned(k * k), &state);
    skipahead(1000000007u, &scrambled);
  }
}
// Each by the inverse of the distribution.
__global__ void sobol_normals(double* to) {
  unsigned vectors[32];
  for (unsigned i = 0; i < 32; ++i) vectors[i] = 1u << (31 - i);
  curandStateSobol32_t state;
  curandStateScrambledSobol32_t scrambled;
  curand_init(vectors, 1u, &state);
  curand_init(vectors, 1234567u, 0u, &scrambled);
  *to++ = curand_normal(&state);
  *to++ = curand_normal_double(&state);
  *to++ = curand_log_normal(&state, 0.5f, 0.25f);
  *to++ = curand_normal(&scrambled);
  *to++ = curand_normal_double(&scrambled);
  *to++ = curand_log_normal_double(&scrambled, 0.5, 0.25);
}
void expect_near(const std::vector<double>& is, const std::vector<double>& wanted) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    const bool near = std::abs(is[i] - wanted[i]) < 5e-6 * (1 + std::abs(wanted[i]));
    if (!near) std::printf("number %zu is %.9g\n", i, is[i]);
    EXPECT(near);
  }
}
void sobol() {
  OnDevice<unsigned> made(16 * edges);
  sobols<<<1, edges>>>(made.at);
  EXPECT_HASH(made.get(), 0x878a393cc3bf3115u);
  OnDevice<double> normals(6);
  sobol_normals<<<1, 1>>>(normals.at);
  expect_near(normals.get(), {0, 0.674489751, 1.39288557, -3.44319224, 0.000720518192, 1.95198859});
}

// Two uniform numbers as the normal ones of this generator take them.
template <class State>
__device__ double2 uniform_pair(State* state) {
  const double one = curand_uniform_double(state);
  return {one, curand_uniform_double(state)};
}
__device__ double2 uniform_pair(curandStatePhilox4_32_10_t* state) { return curand_uniform2_double(state); }

template <class State>
__global__ void normals(float2* floats, double2* doubles, float2* uniforms, double2* wide_uniforms) {
  State state, other;
  curand_init(11, threadIdx.x, 0, &state);
  curand_init(11, threadIdx.x, 0, &other);
  for (int k = 0; k < turns; ++k) {
    const int i = turns * threadIdx.x + k;
    floats[i].x = curand_normal(&state);
    floats[i].y = curand_normal(&state);
    uniforms[i].x = curand_uniform(&other);
    uniforms[i].y = curand_uniform(&other);
    doubles[i].x = curand_normal_double(&state);
    doubles[i].y = curand_normal_double(&state);
    wide_uniforms[i] = uniform_pair(&other);
  }
}
// The largest difference from Box and Muller's formula.
template <class Two, class Uniforms>
double apart_from_formula(const std::vector<Two>& normals, const std::vector<Uniforms>& uniforms) {
  double most = 0;
  for (size_t i = 0; i < normals.size(); ++i) {
    const double length = std::sqrt(-2 * std::log(double(uniforms[i].x)));
    const double angle = 2 * 3.14159265358979323846 * double(uniforms[i].y);
    most = std::max({most, std::abs(normals[i].x - std::sin(angle) * length),
                     std::abs(normals[i].y - std::cos(angle) * length)});
  }
  return most;
}
template <class State>
void normal_of() {
  OnDevice<float2> floats(threads * turns), uniforms(threads * turns);
  OnDevice<double2> doubles(threads * turns), wide_uniforms(threads * turns);
  normals<State><<<1, threads>>>(floats.at, doubles.at, uniforms.at, wide_uniforms.at);
  EXPECT(apart_from_formula(floats.get(), uniforms.get()) < 1e-5);
  EXPECT(apart_from_formula(doubles.get(), wide_uniforms.get()) < 1e-13);
}

// In this order, because the second number of a pair waits in the state.
template <class State>
__global__ void mixed(double* to) {
  State state;
  curand_init(3, 1, 2, &state);
  *to++ = curand_normal(&state);
  *to++ = curand_log_normal(&state, 0.5f, 0.25f);
  *to++ = curand_log_normal(&state, 0.5f, 0.25f);
  *to++ = curand_normal(&state);
  *to++ = curand_normal_double(&state);
  *to++ = curand_normal2(&state).y;
  *to++ = curand_normal_double(&state);
  *to++ = curand_log_normal_double(&state, 0.5, 0.25);
  *to++ = curand_normal(&state);
  *to++ = curand_normal2_double(&state).y;
  *to++ = curand_log_normal2(&state, 0.5f, 0.25f).y;
  *to++ = curand_log_normal2_double(&state, 0.5, 0.25).y;
}
__global__ void four_normals(float4* floats, float4* logarithms, double* doubles) {
  curandStatePhilox4_32_10_t state;
  curand_init(3, 1, 2, &state);
  *floats = curand_normal4(&state);
  *logarithms = curand_log_normal4(&state, 0.5f, 0.25f);
  const auto one = curand_normal4_double(&state), other = curand_log_normal4_double(&state, 0.5, 0.25);
  doubles[0] = one.x;
  doubles[1] = one.w;
  doubles[2] = other.y;
  doubles[3] = other.z;
}
void normal() {
  normal_of<curandState>();
  normal_of<curandStatePhilox4_32_10_t>();
  normal_of<curandStateMRG32k3a_t>();
  OnDevice<double> made(12);
  mixed<curandState><<<1, 1>>>(made.at);
  expect_near(made.get(), {1.53616178, 1.03208542, 2.20934367, 0.253508538, 0.804196074, 1.708938,
                           0.616806497, 1.31522064, 0.327808321, -0.421802864, 1.31988275, 1.8644173});
  mixed<curandStatePhilox4_32_10_t><<<1, 1>>>(made.at);
  expect_near(made.get(), {0.455371976, 1.55984545, 1.5942961, 0.0827731639, 0.331097109, 0.484191835,
                           -0.620116962, 1.55315548, 1.54232538, -0.369336325, 1.41431332, 1.68126934});
  mixed<curandStateMRG32k3a_t><<<1, 1>>>(made.at);
  expect_near(made.get(), {0.152657986, 1.62541211, 1.11664784, 0.181740806, 1.0078702, 0.632839382,
                           0.296328496, 1.32144377, -0.116734155, 1.91459197, 1.02217412, 1.15197782});
  OnDevice<float4> floats(1), logarithms(1);
  OnDevice<double> doubles(4);
  four_normals<<<1, 1>>>(floats.at, logarithms.at, doubles.at);
  const float4 a = floats.get()[0], b = logarithms.get()[0];
  expect_near({a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w},
              {0.455371976, -0.289550781, -0.221653104, -0.134270951, 1.68319428, 2.42439342, 0.97239989,
               1.83018446});
  expect_near(doubles.get(), {-1.19503738, -1.65788418, 1.50330485, 2.02784318});
}

template <class State>
__global__ void poissons(unsigned* to, double lambda) {
  State state;
  curand_init(13, threadIdx.x, 0, &state);
  for (int k = 0; k < turns; ++k) to[turns * threadIdx.x + k] = curand_poisson(&state, lambda);
}
template <class State>
std::vector<unsigned> poisson_numbers(double lambda) {
  OnDevice<unsigned> made(threads * turns);
  poissons<State><<<1, threads>>>(made.at, lambda);
  return made.get();
}
// Above 64 other numbers than NVIDIA's, of the same distribution.
template <class State>
void poisson_moments() {
  for (const double lambda : {0.25, 5.0, 63.0, 64.0, 300.0, 3999.0, 20000.0}) {
    const auto numbers = poisson_numbers<State>(lambda);
    double mean = 0, square = 0;
    for (const unsigned number : numbers) mean += number;
    mean /= double(numbers.size());
    for (const unsigned number : numbers) square += (number - mean) * (number - mean);
    const double variance = square / double(numbers.size()), count = double(numbers.size());
    EXPECT(std::abs(mean - lambda) < 5 * std::sqrt(lambda / count));
    EXPECT(std::abs(variance / lambda - 1) < 5 * std::sqrt((2 + 1 / lambda) / count));
  }
}
void poisson() {
  EXPECT_HASH(poisson_numbers<curandState>(5), 0xf2632e4153d82120u);
  EXPECT_HASH(poisson_numbers<curandStatePhilox4_32_10_t>(40), 0xdbf08c913d390f85u);
  EXPECT_HASH(poisson_numbers<curandStateMRG32k3a_t>(0.25), 0x42b5de102be9cc25u);
  poisson_moments<curandState>();
  poisson_moments<curandStatePhilox4_32_10_t>();
  poisson_moments<curandStateMRG32k3a_t>();
}

// A program from a course: π by chance. The states are in memory between the launches.
__global__ void make_states(curandState* states, Wide seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, i, 0, &states[i]);
}
__global__ void count_inside(curandState* states, int points, unsigned* inside) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state = states[i];
  unsigned mine = 0;
  for (int k = 0; k < points; ++k) {
    const float x = curand_uniform(&state), y = curand_uniform(&state);
    if (x * x + y * y <= 1) ++mine;
  }
  states[i] = state;
  atomicAdd(inside, mine);
}
void pi() {
  OnDevice<curandState> states(8 * 128);
  OnDevice<unsigned> inside(1);
  EXPECT_OK(cudaMemset(inside.at, 0, sizeof(unsigned)));
  make_states<<<8, 128>>>(states.at, 42);
  count_inside<<<8, 128>>>(states.at, 50, inside.at);
  count_inside<<<8, 128>>>(states.at, 14, inside.at);
  EXPECT(inside.get()[0] == 51476u);
}

int main() {
  known();
  whole();
  uniform();
  sobol();
  normal();
  poisson();
  pi();
  return result();
}
