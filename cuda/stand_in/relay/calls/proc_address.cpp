// Addresses of functions, by which most programs call the driver: where NVIDIA's driver has the function, the
// symbol of this library that replaces it.
#include <vector>

#include "cuda/stand_in/driver/api_rows.h"
#include "cuda/stand_in/relay/next.h"

using warplens::driver::ApiRow;

// Declared only as addresses, since they have many types.
extern "C" {
#define RELAY_SYMBOL(symbol) void warplens_##symbol() __asm__(#symbol);
#define DRIVER_CALL(name, version, symbol) RELAY_SYMBOL(symbol)
#define DRIVER_OTHER_NAME(name, version, symbol, same) RELAY_SYMBOL(symbol)
#define DRIVER_REFUSED(name, version, symbol, topic) RELAY_SYMBOL(symbol)
#include "cuda/stand_in/driver/api.def"
#undef DRIVER_CALL
#undef DRIVER_OTHER_NAME
#undef DRIVER_REFUSED
}

namespace {

constexpr bool is_per_thread(std::string_view symbol) {
  return symbol.ends_with("_ptds") || symbol.ends_with("_ptsz");
}

struct Row {
  ApiRow row;
  void* const* next;
};

constexpr Row all_rows[] = {
#define ROW(name, version, symbol) \
  {{#name, version, warplens_##symbol, is_per_thread(#symbol)}, &warplens_next_##symbol},
#define DRIVER_CALL(name, version, symbol) ROW(name, version, symbol)
#define DRIVER_OTHER_NAME(name, version, symbol, same) ROW(name, version, symbol)
#define DRIVER_REFUSED(name, version, symbol, topic) ROW(name, version, symbol)
#include "cuda/stand_in/driver/api.def"
};

// Those that NVIDIA's driver has: an older one does not know the newest forms.
const std::vector<ApiRow>& rows_that_are_there() {
  static const std::vector<ApiRow> rows = [] {
    std::vector<ApiRow> there;
    for (const Row& row : all_rows)
      if (warplens::relay::has_next(*row.next)) there.push_back(row.row);
    return there;
  }();
  return rows;
}

// What NVIDIA's driver does not give stays so; what no table has keeps its address, and is not noted.
void put_in_front(CUresult answer, const char* name, void** address, int version, cuuint64_t flags) {
  if (answer != CUDA_SUCCESS || name == nullptr || address == nullptr || *address == nullptr) return;
  const bool per_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
  const ApiRow* row = warplens::driver::choose_row(rows_that_are_there(), name, version, per_thread).row;
  if (row != nullptr) *address = reinterpret_cast<void*>(row->address);
}

}  // namespace

extern "C" {

CUresult cuGetProcAddress_v2(const char* name, void** address, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* status) {
  const CUresult answer = NEXT(cuGetProcAddress_v2)(name, address, version, flags, status);
  put_in_front(answer, name, address, version, flags);
  return answer;
}

CUresult cuGetProcAddress(const char* name, void** address, int version, cuuint64_t flags) {
  const CUresult answer = NEXT(cuGetProcAddress)(name, address, version, flags);
  put_in_front(answer, name, address, version, flags);
  return answer;
}

}  // extern "C"
