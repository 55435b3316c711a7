// Handles and descriptors (cuBLAS documentation, "cuBLASLt API Reference").
#include "cuda/stand_in/libraries/blas_lt/descriptors.h"

#include <new>

#include "cuda/stand_in/libraries/blas/version.h"
#include "cuda/stand_in/libraries/shared/work.h"

struct cublasLtContext {};

extern "C" {
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);
}

using namespace warplens::blas_lt;

namespace {

constexpr auto success = CUBLAS_STATUS_SUCCESS;
constexpr auto invalid = CUBLAS_STATUS_INVALID_VALUE;

// An attribute: where it lies in its descriptor.
struct Field {
  int attribute;
  size_t at, size;
};
#define FIELD(NAME, Type, member) \
  { NAME, offsetof(Type, member), sizeof(Type::member) }
constexpr Field layout_fields[] = {
    FIELD(CUBLASLT_MATRIX_LAYOUT_TYPE, Layout, type),
    FIELD(CUBLASLT_MATRIX_LAYOUT_ORDER, Layout, order),
    FIELD(CUBLASLT_MATRIX_LAYOUT_ROWS, Layout, rows),
    FIELD(CUBLASLT_MATRIX_LAYOUT_COLS, Layout, columns),
    FIELD(CUBLASLT_MATRIX_LAYOUT_LD, Layout, ld),
    FIELD(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, Layout, batch),
    FIELD(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, Layout, stride),
};
constexpr Field matmul_fields[] = {
    FIELD(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, Matmul, compute),
    FIELD(CUBLASLT_MATMUL_DESC_SCALE_TYPE, Matmul, scale),
    FIELD(CUBLASLT_MATMUL_DESC_POINTER_MODE, Matmul, pointer_mode),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSA, Matmul, op_a),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSB, Matmul, op_b),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSC, Matmul, op_c),
    FIELD(CUBLASLT_MATMUL_DESC_FILL_MODE, Matmul, fill),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE, Matmul, epilogue),
    FIELD(CUBLASLT_MATMUL_DESC_BIAS_POINTER, Matmul, bias),
    FIELD(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, Matmul, bias_stride),
    FIELD(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, Matmul, bias_type),
    FIELD(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, Matmul, sms),
    FIELD(CUBLASLT_MATMUL_DESC_FAST_ACCUM, Matmul, fast),
};
constexpr Field transform_fields[] = {
    FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, Transform, scale),
    FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, Transform, pointer_mode),
    FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, Transform, op_a),
    FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, Transform, op_b),
};
constexpr Field preference_fields[] = {
    FIELD(CUBLASLT_MATMUL_PREF_SEARCH_MODE, Preference, search),
    FIELD(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, Preference, most_bytes),
    FIELD(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, Preference, reductions),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, Preference, alignment[0]),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, Preference, alignment[1]),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, Preference, alignment[2]),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, Preference, alignment[3]),
    FIELD(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, Preference, most_waves),
    FIELD(CUBLASLT_MATMUL_PREF_IMPL_MASK, Preference, implementations),
};
#undef FIELD

// An attribute that is in no row asks for what is not there, such as the scales of 8-bit floats.
template <class Opaque, size_t rows>
cublasStatus_t set(Opaque* to, const Field (&fields)[rows], int attribute, const void* from, size_t bytes) {
  if (to == nullptr || from == nullptr) return invalid;
  for (const Field& field : fields) {
    if (field.attribute != attribute) continue;
    if (bytes != field.size) return invalid;
    std::memcpy(reinterpret_cast<std::byte*>(to) + field.at, from, bytes);
    return success;
  }
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

template <class Opaque, size_t rows>
cublasStatus_t get(const Opaque* from, const Field (&fields)[rows], int attribute, void* to, size_t bytes,
                   size_t* written) {
  if (from == nullptr || (bytes == 0 && written == nullptr) || (bytes != 0 && to == nullptr)) return invalid;
  for (const Field& field : fields) {
    if (field.attribute != attribute) continue;
    if (written != nullptr) *written = field.size;
    if (bytes == 0) return success;  // only the size was asked
    if (bytes < field.size) return invalid;
    std::memcpy(to, reinterpret_cast<const std::byte*>(from) + field.at, field.size);
    return success;
  }
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

template <class Opaque, class T>
cublasStatus_t create(Opaque** made, const T& value) {
  if (made == nullptr) return invalid;
  *made = new (std::nothrow) Opaque{};
  if (*made == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
  put(*made, value);
  return success;
}
template <class Opaque>
cublasStatus_t destroy(Opaque* made) {
  delete made;
  return success;
}
template <class Opaque, class T>
cublasStatus_t init(Opaque* to, size_t bytes, const T& value) {
  if (to == nullptr || bytes < sizeof(T)) return invalid;
  std::memset(to, 0, bytes);
  put(to, value);
  return success;
}

Layout layout_of(cudaDataType type, uint64_t rows, uint64_t columns, int64_t ld) {
  Layout layout;
  layout.type = type;
  layout.rows = rows;
  layout.columns = columns;
  layout.ld = ld;
  return layout;
}
Matmul matmul_of(cublasComputeType_t compute, cudaDataType_t scale) {
  Matmul made;
  made.compute = compute;
  made.scale = scale;
  return made;
}
Transform transform_of(cudaDataType scale) {
  Transform made;
  made.scale = scale;
  return made;
}

}  // namespace

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  if (handle == nullptr) return invalid;
  if (warplens::libraries::ensure_context() != CUDA_SUCCESS) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new (std::nothrow) cublasLtContext;
  return *handle == nullptr ? CUBLAS_STATUS_ALLOC_FAILED : success;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  delete handle;
  return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : success;
}

size_t cublasLtGetVersion(void) { return static_cast<size_t>(warplens::blas::library_version); }
size_t cublasLtGetCudartVersion(void) { return warplens::blas::library_version >= 130000 ? 13000 : 12090; }
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return invalid;
  const int version = warplens::blas::library_version;
  switch (type) {
    case MAJOR_VERSION:
      *value = version / 10000;
      return success;
    case MINOR_VERSION:
      *value = version / 100 % 100;
      return success;
    case PATCH_LEVEL:
      *value = version % 100;
      return success;
  }
  return invalid;
}
const char* cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char* cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t bytes,
                                                 cudaDataType type, uint64_t rows, uint64_t columns,
                                                 int64_t ld) {
  return init(layout, bytes, layout_of(type, rows, columns, ld));
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t ld) {
  return create(layout, layout_of(type, rows, columns, ld));
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) { return destroy(layout); }
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void* from,
                                                size_t bytes) {
  return set(layout, layout_fields, attribute, from, bytes);
}
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, void* to,
                                                size_t bytes, size_t* written) {
  return get(layout, layout_fields, attribute, to, bytes, written);
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t matmul, size_t bytes,
                                               cublasComputeType_t compute, cudaDataType_t scale) {
  return init(matmul, bytes, matmul_of(compute, scale));
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* matmul, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  return create(matmul, matmul_of(compute, scale));
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t matmul) { return destroy(matmul); }
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t matmul,
                                              cublasLtMatmulDescAttributes_t attribute, const void* from,
                                              size_t bytes) {
  return set(matmul, matmul_fields, attribute, from, bytes);
}
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t matmul,
                                              cublasLtMatmulDescAttributes_t attribute, void* to,
                                              size_t bytes, size_t* written) {
  return get(matmul, matmul_fields, attribute, to, bytes, written);
}

cublasStatus_t cublasLtMatrixTransformDescInit_internal(cublasLtMatrixTransformDesc_t transform, size_t bytes,
                                                        cudaDataType scale) {
  return init(transform, bytes, transform_of(scale));
}
cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t* transform,
                                                 cudaDataType scale) {
  return create(transform, transform_of(scale));
}
cublasStatus_t cublasLtMatrixTransformDescDestroy(cublasLtMatrixTransformDesc_t transform) {
  return destroy(transform);
}
cublasStatus_t cublasLtMatrixTransformDescSetAttribute(cublasLtMatrixTransformDesc_t transform,
                                                       cublasLtMatrixTransformDescAttributes_t attribute,
                                                       const void* from, size_t bytes) {
  return set(transform, transform_fields, attribute, from, bytes);
}
cublasStatus_t cublasLtMatrixTransformDescGetAttribute(cublasLtMatrixTransformDesc_t transform,
                                                       cublasLtMatrixTransformDescAttributes_t attribute,
                                                       void* to, size_t bytes, size_t* written) {
  return get(transform, transform_fields, attribute, to, bytes, written);
}

cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference, size_t bytes) {
  return init(preference, bytes, Preference{});
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  return create(preference, Preference{});
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  return destroy(preference);
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* from, size_t bytes) {
  return set(preference, preference_fields, attribute, from, bytes);
}
cublasStatus_t cublasLtMatmulPreferenceGetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute, void* to,
                                                    size_t bytes, size_t* written) {
  return get(preference, preference_fields, attribute, to, bytes, written);
}

}  // extern "C"
