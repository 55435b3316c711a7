// The functions by name and version, and those that no table of ours has.
#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "cuda/stand_in/driver/api.h"
#include "cuda/stand_in/driver/api_rows.h"
#include "cuda/stand_in/driver/calls/refused.h"

using namespace warplens::driver;

// Declared only as addresses, since they have many types.
extern "C" {
#define DRIVER_CALL(name, version, symbol)
#define DRIVER_OTHER_NAME(name, version, symbol, same) void warplens_##symbol() __asm__(#symbol);
#define DRIVER_REFUSED(name, version, symbol, topic) void warplens_##symbol() __asm__(#symbol);
#include "cuda/stand_in/driver/api.def"
#undef DRIVER_CALL
#undef DRIVER_OTHER_NAME
#undef DRIVER_REFUSED
#define DRIVER_CALL(name, version, symbol) void warplens_##symbol() __asm__(#symbol);
#define DRIVER_OTHER_NAME(name, version, symbol, same)
#define DRIVER_REFUSED(name, version, symbol, topic)
#include "cuda/stand_in/driver/api.def"
#undef DRIVER_CALL
#undef DRIVER_OTHER_NAME
#undef DRIVER_REFUSED
}

namespace {

constexpr bool ends_with(std::string_view text, std::string_view end) { return text.ends_with(end); }

// Sorted by name, as the table is.
constexpr ApiRow rows[] = {
#define ROW(name, version, symbol) \
  {#name, version, warplens_##symbol, ends_with(#symbol, "_ptds") || ends_with(#symbol, "_ptsz")},
#define DRIVER_CALL(name, version, symbol) ROW(name, version, symbol)
#define DRIVER_OTHER_NAME(name, version, symbol, same) ROW(name, version, symbol)
#define DRIVER_REFUSED(name, version, symbol, topic) ROW(name, version, symbol)
#include "cuda/stand_in/driver/api.def"
};

}  // namespace

extern "C" {

CUresult cuDriverGetVersion(int* version) {
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = 13050;
  return CUDA_SUCCESS;
}

CUresult cuGetProcAddress_v2(const char* name, void** address, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* status) {
  constexpr cuuint64_t known_flags =
      CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if (name == nullptr || address == nullptr || (flags & ~known_flags) != 0) return CUDA_ERROR_INVALID_VALUE;
  *address = nullptr;
  const bool per_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
  const auto [best, known] = choose_row(rows, name, version, per_thread);
  if (best != nullptr) *address = reinterpret_cast<void*>(best->address);
  if (status != nullptr) {
    *status = best != nullptr ? CU_GET_PROC_ADDRESS_SUCCESS
              : known         ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                              : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  }
  return CUDA_SUCCESS;  // the status and the address tell whether there is one
}

CUresult cuGetProcAddress(const char* name, void** address, int version, cuuint64_t flags) {
  const CUresult code = cuGetProcAddress_v2(name, address, version, flags, nullptr);
  return code == CUDA_SUCCESS && *address == nullptr ? CUDA_ERROR_NOT_FOUND : code;
}

// Tables that only NVIDIA's own libraries know. Its runtime library finds out by them that this driver is not
// NVIDIA's, and stops there; we do not get round that.
CUresult cuGetExportTable(const void** table, const CUuuid*) {
  if (table == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *table = nullptr;
  note_export_table(__builtin_return_address(0));
  return CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"
