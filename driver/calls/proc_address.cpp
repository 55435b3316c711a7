// The functions by name and version, and those that no table of ours has.
#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "driver/calls/entry.h"
#include "driver/calls/refused.h"

using namespace warplens::driver;

// Declared as addresses alone: they have many types.
extern "C" {
#define DRIVER_CALL(name, version, symbol)
#define DRIVER_OTHER_NAME(name, version, symbol, same) void warplens_##symbol() __asm__(#symbol);
#define DRIVER_REFUSED(name, version, symbol, topic) void warplens_##symbol() __asm__(#symbol);
#include "driver/api.def"
#undef DRIVER_CALL
#undef DRIVER_OTHER_NAME
#undef DRIVER_REFUSED
#define DRIVER_CALL(name, version, symbol) void warplens_##symbol() __asm__(#symbol);
#define DRIVER_OTHER_NAME(name, version, symbol, same)
#define DRIVER_REFUSED(name, version, symbol, topic)
#include "driver/api.def"
#undef DRIVER_CALL
#undef DRIVER_OTHER_NAME
#undef DRIVER_REFUSED
}

namespace {

struct Row {
  std::string_view name;
  int version;
  void (*address)();
  bool per_thread;
};

constexpr bool ends_with(std::string_view text, std::string_view end) { return text.ends_with(end); }

// Sorted by name, as the table is.
const Row rows[] = {
#define ROW(name, version, symbol) \
  {#name, version, warplens_##symbol, ends_with(#symbol, "_ptds") || ends_with(#symbol, "_ptsz")},
#define DRIVER_CALL(name, version, symbol) ROW(name, version, symbol)
#define DRIVER_OTHER_NAME(name, version, symbol, same) ROW(name, version, symbol)
#define DRIVER_REFUSED(name, version, symbol, topic) ROW(name, version, symbol)
#include "driver/api.def"
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
  const Row* best = nullptr;
  bool known = false;
  const bool per_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
  for (const Row& row : rows) {
    if (row.name != name) continue;
    known = true;
    if (row.version > version || (row.per_thread && !per_thread)) continue;
    const bool better =
        best == nullptr || row.version > best->version || (row.version == best->version && row.per_thread);
    // With a default stream for each thread, that form wins where there is one.
    if (better && !(best != nullptr && best->per_thread && !row.per_thread)) best = &row;
  }
  if (best != nullptr) *address = reinterpret_cast<void*>(best->address);
  if (status != nullptr) {
    *status = best != nullptr ? CU_GET_PROC_ADDRESS_SUCCESS
              : known         ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                              : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  }
  return best != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress(const char* name, void** address, int version, cuuint64_t flags) {
  return cuGetProcAddress_v2(name, address, version, flags, nullptr);
}

// Tables that only NVIDIA's own libraries know. Its runtime library finds out by them that this driver is not
// NVIDIA's, and stops there; we do not get round that.
CUresult cuGetExportTable(const void** table, const CUuuid*) {
  if (table != nullptr) *table = nullptr;
  note_export_table();
  return CUDA_ERROR_NOT_FOUND;
}

}  // extern "C"
