// cuRAND's host API (cuRAND documentation, 5.1).
#include <algorithm>
#include <iterator>
#include <memory>

#include "cuda/stand_in/libraries/rand/fill.h"
#include "cuda/stand_in/libraries/rand/types.h"
#include "cuda/stand_in/libraries/shared/work.h"

struct curandGenerator_st {
  curandRngType_t type = CURAND_RNG_PSEUDO_XORWOW;
  bool on_host = false;
  cudaStream_t stream = nullptr;
  // Shared with work in graphs, which goes on where it was.
  std::shared_ptr<warplens::rand::Stream> numbers = std::make_shared<warplens::rand::Stream>();

  bool is_quasi() const { return type >= CURAND_RNG_QUASI_DEFAULT; }
  // Another seed or order counts from where the generator is, as in NVIDIA's library. That counts Philox on
  // the device in turns, each of four numbers, and takes the turns for numbers then (measured on an H100).
  void go_on_anew() {
    const bool in_turns = type == CURAND_RNG_PSEUDO_PHILOX4_32_10 && !on_host;
    if (numbers->engine) numbers->offset = in_turns ? numbers->at / 4 : numbers->at;
    numbers->engine.reset();
  }
};

namespace warplens::rand {

namespace {

constexpr int version = 10400;  // of CUDA 13.0

void tell(const char* sentence) {
  libraries::ensure_context();
  if (warplens_tell != nullptr) warplens_tell("missing", CUDA_ERROR_NOT_SUPPORTED, sentence);
}

curandStatus_t make(curandGenerator_t* made, curandRngType_t type, bool on_host) {
  if (made == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *made = nullptr;
  if (type == CURAND_RNG_PSEUDO_DEFAULT) type = CURAND_RNG_PSEUDO_XORWOW;
  if (type == CURAND_RNG_QUASI_DEFAULT) type = CURAND_RNG_QUASI_SOBOL32;
  constexpr curandRngType_t known[] = {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A,
                                       CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_QUASI_SOBOL32,
                                       CURAND_RNG_QUASI_SOBOL64};
  if (std::find(std::begin(known), std::end(known), type) == std::end(known)) {
    tell(
        "curandCreateGenerator has XORWOW, MRG32k3a, Philox 4x32-10, Sobol32 and Sobol64 here; MTGP32, "
        "MT19937 and "
        "the scrambled sequences are not provided. Take one of the first.");
    return CURAND_STATUS_TYPE_ERROR;
  }
  if (!on_host && libraries::ensure_context() != CUDA_SUCCESS) return CURAND_STATUS_INITIALIZATION_FAILED;
  auto generator = std::make_unique<curandGenerator_st>();
  generator->type = type;
  generator->on_host = on_host;
  generator->numbers->of_64_bits = type == CURAND_RNG_QUASI_SOBOL64;
  *made = generator.release();
  return CURAND_STATUS_SUCCESS;
}

void make_engine(curandRngType_t type, Stream& numbers) {
  if (numbers.engine) return;
  if (type == CURAND_RNG_PSEUDO_XORWOW) numbers.engine = Xorwow(numbers.seed, numbers.offset);
  if (type == CURAND_RNG_PSEUDO_MRG32K3A)
    numbers.engine =
        Mrg32k3a(numbers.seed, numbers.offset, numbers.legacy ? Mrg32k3a::legacy : Mrg32k3a::usual);
  if (type == CURAND_RNG_PSEUDO_PHILOX4_32_10) numbers.engine = Philox(numbers.seed, numbers.offset);
  numbers.at = numbers.offset;
}

void give(curandRngType_t type, Stream& numbers, const Wish& wish, void* to, size_t count) {
  if (type >= CURAND_RNG_QUASI_DEFAULT) return fill_quasi(numbers, wish, to, count);
  make_engine(type, numbers);
  fill(numbers, wish, to, count);
}

curandStatus_t status_of(CUresult code) {
  switch (code) {
    case CUDA_SUCCESS:
      return CURAND_STATUS_SUCCESS;
    case CUDA_ERROR_OUT_OF_MEMORY:
      return CURAND_STATUS_ALLOCATION_FAILED;
    default:
      return CURAND_STATUS_LAUNCH_FAILURE;
  }
}

template <class T>
curandStatus_t generate(const char* name, curandGenerator_t generator, T* to, size_t count,
                        const Wish& wish) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  const bool pairs =
      (wish.kind == Kind::normal || wish.kind == Kind::log_normal) &&
      (generator->type == CURAND_RNG_PSEUDO_XORWOW || generator->type == CURAND_RNG_PSEUDO_MRG32K3A);
  if ((pairs && count % 2 != 0) || (generator->is_quasi() && count % generator->numbers->dimensions != 0))
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (count == 0) return CURAND_STATUS_SUCCESS;
  const curandRngType_t type = generator->type;
  if (generator->on_host) {
    give(type, *generator->numbers, wish, to, count);
    return CURAND_STATUS_SUCCESS;
  }
  // Computing a number costs almost nothing compared with writing it.
  const libraries::Call call{name, libraries::shape_of({static_cast<int64_t>(count)}), 0, warplens_integer,
                             false};
  return status_of(libraries::run_on(
      generator->stream, call, [=, numbers = generator->numbers](const libraries::Memory& memory) {
        T* found = memory.array<T>(to, static_cast<int64_t>(count), warplens_writes);
        if (found != nullptr) give(type, *numbers, wish, found, count);
        return found != nullptr;
      }));
}

}  // namespace

}  // namespace warplens::rand

using namespace warplens::rand;

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return make(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return make(generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  const std::unique_ptr<curandGenerator_st> ended(generator);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int* to) {
  if (to == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *to = version;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) return CURAND_STATUS_OUT_OF_RANGE;
  *value = type == MAJOR_VERSION   ? version / 1000
           : type == MINOR_VERSION ? version / 100 % 10
                                   : version % 100;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->is_quasi()) return CURAND_STATUS_TYPE_ERROR;
  generator->go_on_anew();
  generator->numbers->seed = seed;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->numbers->offset = offset;
  generator->numbers->engine.reset();
  generator->numbers->points = 0;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->is_quasi())
    return order == CURAND_ORDERING_QUASI_DEFAULT ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
  if (order == CURAND_ORDERING_PSEUDO_BEST || order == CURAND_ORDERING_PSEUDO_DEFAULT ||
      order == CURAND_ORDERING_PSEUDO_LEGACY) {
    generator->go_on_anew();
    generator->numbers->legacy = order == CURAND_ORDERING_PSEUDO_LEGACY;
    return CURAND_STATUS_SUCCESS;
  }
  tell(
      "curandSetGeneratorOrdering has the orders BEST, DEFAULT and LEGACY here; SEEDED and DYNAMIC are not "
      "provided.");
  return CURAND_STATUS_OUT_OF_RANGE;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned dimensions) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->is_quasi()) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions == 0 || dimensions > 20000) return CURAND_STATUS_OUT_OF_RANGE;
  if (dimensions > most_dimensions) {
    tell(
        "Sobol32 and Sobol64 have 10 dimensions here. Take fewer, or the device API (curand_kernel.h) with "
        "direction vectors of your own.");
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  generator->numbers->dimensions = dimensions;
  return CURAND_STATUS_SUCCESS;
}

// Makes the states, which the first numbers do anyway.
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->is_quasi()) make_engine(generator->type, *generator->numbers);
  return CURAND_STATUS_SUCCESS;
}

// Only 64-bit sequences give whole numbers of 64 bits, and they give no others.
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* to, size_t count) {
  if (generator != nullptr && generator->numbers->of_64_bits) return CURAND_STATUS_TYPE_ERROR;
  return generate("curandGenerate", generator, to, count, {Kind::bits, false});
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* to, size_t count) {
  if (generator != nullptr && !generator->numbers->of_64_bits) return CURAND_STATUS_TYPE_ERROR;
  return generate("curandGenerateLongLong", generator, to, count, {Kind::bits, false});
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* to, size_t count) {
  return generate("curandGenerateUniform", generator, to, count, {Kind::uniform, false});
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* to, size_t count) {
  return generate("curandGenerateUniformDouble", generator, to, count, {Kind::uniform, true});
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* to, size_t count, float mean,
                                    float deviation) {
  return generate("curandGenerateNormal", generator, to, count, {Kind::normal, false, mean, deviation});
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* to, size_t count, double mean,
                                          double deviation) {
  return generate("curandGenerateNormalDouble", generator, to, count, {Kind::normal, true, mean, deviation});
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* to, size_t count, float mean,
                                       float deviation) {
  return generate("curandGenerateLogNormal", generator, to, count,
                  {Kind::log_normal, false, mean, deviation});
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* to, size_t count,
                                             double mean, double deviation) {
  return generate("curandGenerateLogNormalDouble", generator, to, count,
                  {Kind::log_normal, true, mean, deviation});
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned* to, size_t count, double lambda) {
  if (generator != nullptr && !(lambda > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  return generate("curandGeneratePoisson", generator, to, count, {Kind::poisson, false, lambda, 0});
}

}  // extern "C"
