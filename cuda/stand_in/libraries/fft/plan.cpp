// Plans and what is set in them (cuFFT documentation, 3.2 to 3.13).
#include "cuda/stand_in/libraries/fft/plan.h"

#include <map>
#include <mutex>

#include "cuda/stand_in/libraries/fft/version.h"
#include "cuda/stand_in/libraries/shared/work.h"

namespace warplens::fft {

namespace {

// Threads may make plans at once.
struct Plans {
  std::mutex mutex;
  std::map<cufftHandle, std::shared_ptr<Plan>> by_handle;
  cufftHandle next = 1;
};
Plans& plans() {
  static Plans all;
  return all;
}

// What a function that plans is given; of 32 or 64 bits.
template <class Int>
struct Asked {
  int rank;
  const Int* n;
  const Int* inembed = nullptr;
  Int istride = 1, idist = 0;
  const Int* onembed = nullptr;
  Int ostride = 1, odist = 0;
  cufftType type = CUFFT_C2C;
  Int batch = 1;
};

bool is_type(cufftType type) {
  switch (type) {
    case CUFFT_C2C:
    case CUFFT_R2C:
    case CUFFT_C2R:
    case CUFFT_Z2Z:
    case CUFFT_D2Z:
    case CUFFT_Z2D:
      return true;
  }
  return false;
}

Asked<int> plain(int rank, const int* n, cufftType type, int batch) {
  return {.rank = rank, .n = n, .type = type, .batch = batch};
}

// Where the i-th extent of a lower rank is among three.
size_t place_of(int rank, int i) { return size_t{3} - static_cast<size_t>(rank) + static_cast<size_t>(i); }

template <class Int>
Layout given_layout(int rank, const Int* embed, Int step, Int dist) {
  Layout layout{{1, 1, 1}, step, dist};
  for (int i = 0; i < rank; ++i) layout.embed[place_of(rank, i)] = embed[i];
  return layout;
}

template <class Int>
cufftResult shape_of(const Asked<Int>& asked, Shape& shape) {
  constexpr int64_t most = int64_t{1} << 29;  // a prime length is padded to four times itself
  if (asked.rank < 1 || asked.rank > 3 || asked.n == nullptr || !is_type(asked.type))
    return CUFFT_INVALID_VALUE;
  if (asked.batch < 1) return CUFFT_INVALID_SIZE;
  double all = 1;
  for (int i = 0; i < asked.rank; ++i) {
    if (asked.n[i] < 1 || asked.n[i] > most) return CUFFT_INVALID_SIZE;
    shape.n[place_of(asked.rank, i)] = asked.n[i];
    all *= double(asked.n[i]);
  }
  if (all * double(asked.batch) > 0x1p40) return CUFFT_INVALID_SIZE;
  shape.type = asked.type;
  shape.batch = asked.batch;
  // "If set to NULL all other advanced data layout parameters are ignored", of either.
  shape.advanced = asked.inembed != nullptr && asked.onembed != nullptr;
  if (!shape.advanced) return CUFFT_SUCCESS;
  if (asked.istride < 1 || asked.ostride < 1 || asked.idist < 0 || asked.odist < 0)
    return CUFFT_INVALID_VALUE;
  shape.from = given_layout(asked.rank, asked.inembed, asked.istride, asked.idist);
  shape.to = given_layout(asked.rank, asked.onembed, asked.ostride, asked.odist);
  // Rows that overlap have no meaning; the outermost extent says nothing.
  const auto from = extents(shape, from_real(asked.type)), to = extents(shape, to_real(asked.type));
  for (size_t i = place_of(asked.rank, 1); i < 3; ++i)
    if (shape.from.embed[i] < from[i] || shape.to.embed[i] < to[i]) return CUFFT_INVALID_SIZE;
  return CUFFT_SUCCESS;
}

// No memory of the device is needed to compute here. Some programs take the size for an array, which 0 gives
// no address.
constexpr size_t work_bytes = 16;

template <class Int>
cufftResult size(const Asked<Int>& asked, size_t* bytes) {
  Shape shape;
  const cufftResult end = shape_of(asked, shape);
  if (end != CUFFT_SUCCESS) return end;
  if (bytes == nullptr) return CUFFT_INVALID_VALUE;
  *bytes = work_bytes;
  return CUFFT_SUCCESS;
}

template <class Int>
cufftResult size_of_plan(cufftHandle handle, const Asked<Int>& asked, size_t* bytes) {
  return plan_of(handle) == nullptr ? CUFFT_INVALID_PLAN : size(asked, bytes);
}

template <class Int>
cufftResult make(cufftHandle handle, const Asked<Int>& asked, size_t* bytes) {
  const auto plan = plan_of(handle);
  if (plan == nullptr || plan->made) return CUFFT_INVALID_PLAN;
  if (bytes == nullptr) return CUFFT_INVALID_VALUE;
  Shape shape;
  const cufftResult end = shape_of(asked, shape);
  if (end != CUFFT_SUCCESS) return end;
  plan->shape = shape;
  plan->made = true;
  *bytes = work_bytes;
  return CUFFT_SUCCESS;
}

cufftResult create(cufftHandle* handle) {
  if (handle == nullptr) return CUFFT_INVALID_VALUE;
  if (libraries::ensure_context() != CUDA_SUCCESS) return CUFFT_SETUP_FAILED;
  const std::lock_guard lock(plans().mutex);
  *handle = plans().next++;
  plans().by_handle.emplace(*handle, std::make_shared<Plan>());
  return CUFFT_SUCCESS;
}

cufftResult destroy(cufftHandle handle) {
  const std::lock_guard lock(plans().mutex);
  return plans().by_handle.erase(handle) == 1 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

template <class Int>
cufftResult create_made(cufftHandle* handle, const Asked<Int>& asked) {
  const cufftResult created = create(handle);
  if (created != CUFFT_SUCCESS) return created;
  size_t bytes = 0;
  const cufftResult end = make(*handle, asked, &bytes);
  if (end != CUFFT_SUCCESS) {
    destroy(*handle);
    *handle = CUFFT_PLAN_NULL;
  }
  return end;
}

// Types that go together in the extended API; 16-bit floats are not among them.
struct TypeRow {
  cudaDataType from, to, computed;
  cufftType type;
};
constexpr TypeRow type_rows[] = {
    {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_R2C},
    {CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
    {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUFFT_Z2D},
};
const TypeRow* row_of(cudaDataType from, cudaDataType to, cudaDataType computed) {
  for (const TypeRow& row : type_rows)
    if (row.from == from && row.to == to && row.computed == computed) return &row;
  return nullptr;
}

}  // namespace

std::shared_ptr<Plan> plan_of(cufftHandle handle) {
  const std::lock_guard lock(plans().mutex);
  const auto found = plans().by_handle.find(handle);
  return found == plans().by_handle.end() ? nullptr : found->second;
}

std::array<int64_t, 3> extents(const Shape& shape, bool real_side) {
  auto all = shape.n;
  if (!real_side && (from_real(shape.type) || to_real(shape.type))) all[2] = all[2] / 2 + 1;
  return all;
}

}  // namespace warplens::fft

using namespace warplens::fft;

extern "C" {

cufftResult cufftCreate(cufftHandle* handle) { return create(handle); }
cufftResult cufftDestroy(cufftHandle handle) { return destroy(handle); }

#define ASKED_MANY(Int)                                                                               \
  Asked<Int> {                                                                                        \
    .rank = rank, .n = n, .inembed = inembed, .istride = istride, .idist = idist, .onembed = onembed, \
    .ostride = ostride, .odist = odist, .type = type, .batch = batch                                  \
  }
#define PARAMETERS_MANY(Int) \
  int rank, Int *n, Int *inembed, Int istride, Int idist, Int *onembed, Int ostride, Int odist

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
  const int n[] = {nx};
  return create_made(plan, plain(1, n, type, batch));
}
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  const int n[] = {nx, ny};
  return create_made(plan, plain(2, n, type, 1));
}
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  const int n[] = {nx, ny, nz};
  return create_made(plan, plain(3, n, type, 1));
}
cufftResult cufftPlanMany(cufftHandle* plan, PARAMETERS_MANY(int), cufftType type, int batch) {
  return create_made(plan, ASKED_MANY(int));
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* bytes) {
  const int n[] = {nx};
  return make(plan, plain(1, n, type, batch), bytes);
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* bytes) {
  const int n[] = {nx, ny};
  return make(plan, plain(2, n, type, 1), bytes);
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* bytes) {
  const int n[] = {nx, ny, nz};
  return make(plan, plain(3, n, type, 1), bytes);
}
cufftResult cufftMakePlanMany(cufftHandle plan, PARAMETERS_MANY(int), cufftType type, int batch,
                              size_t* bytes) {
  return make(plan, ASKED_MANY(int), bytes);
}
cufftResult cufftMakePlanMany64(cufftHandle plan, PARAMETERS_MANY(long long), cufftType type, long long batch,
                                size_t* bytes) {
  return make(plan, ASKED_MANY(long long), bytes);
}

cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t* bytes) {
  const int n[] = {nx};
  return size(plain(1, n, type, batch), bytes);
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t* bytes) {
  const int n[] = {nx, ny};
  return size(plain(2, n, type, 1), bytes);
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t* bytes) {
  const int n[] = {nx, ny, nz};
  return size(plain(3, n, type, 1), bytes);
}
cufftResult cufftEstimateMany(PARAMETERS_MANY(int), cufftType type, int batch, size_t* bytes) {
  return size(ASKED_MANY(int), bytes);
}

cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* bytes) {
  const int n[] = {nx};
  return size_of_plan(plan, plain(1, n, type, batch), bytes);
}
cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* bytes) {
  const int n[] = {nx, ny};
  return size_of_plan(plan, plain(2, n, type, 1), bytes);
}
cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* bytes) {
  const int n[] = {nx, ny, nz};
  return size_of_plan(plan, plain(3, n, type, 1), bytes);
}
cufftResult cufftGetSizeMany(cufftHandle plan, PARAMETERS_MANY(int), cufftType type, int batch,
                             size_t* bytes) {
  return size_of_plan(plan, ASKED_MANY(int), bytes);
}
cufftResult cufftGetSizeMany64(cufftHandle plan, PARAMETERS_MANY(long long), cufftType type, long long batch,
                               size_t* bytes) {
  return size_of_plan(plan, ASKED_MANY(long long), bytes);
}

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, cudaDataType from, long long* onembed,
                                long long ostride, long long odist, cudaDataType to, long long batch,
                                size_t* bytes, cudaDataType computed) {
  const TypeRow* row = row_of(from, to, computed);
  if (row == nullptr) return CUFFT_NOT_SUPPORTED;
  const cufftType type = row->type;
  return make(plan, ASKED_MANY(long long), bytes);
}
cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                               long long istride, long long idist, cudaDataType from, long long* onembed,
                               long long ostride, long long odist, cudaDataType to, long long batch,
                               size_t* bytes, cudaDataType computed) {
  const TypeRow* row = row_of(from, to, computed);
  if (row == nullptr) return CUFFT_NOT_SUPPORTED;
  const cufftType type = row->type;
  return size_of_plan(plan, ASKED_MANY(long long), bytes);
}
#undef PARAMETERS_MANY
#undef ASKED_MANY

cufftResult cufftGetSize(cufftHandle handle, size_t* bytes) {
  const auto plan = plan_of(handle);
  if (plan == nullptr || !plan->made) return CUFFT_INVALID_PLAN;
  if (bytes == nullptr) return CUFFT_INVALID_VALUE;
  *bytes = work_bytes;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetWorkArea(cufftHandle handle, void*) {
  return plan_of(handle) == nullptr ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int) {
  return plan_of(handle) == nullptr ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}
cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  const auto plan = plan_of(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  plan->stream = stream;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetVersion(int* version) {
  if (version == nullptr) return CUFFT_INVALID_VALUE;
  *version = library_version;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return CUFFT_INVALID_VALUE;
  switch (type) {
    case MAJOR_VERSION:
      *value = library_version / 1000;
      return CUFFT_SUCCESS;
    case MINOR_VERSION:
      *value = library_version / 100 % 10;
      return CUFFT_SUCCESS;
    case PATCH_LEVEL:
      *value = library_version % 100;
      return CUFFT_SUCCESS;
  }
  return CUFFT_INVALID_VALUE;
}

}  // extern "C"
