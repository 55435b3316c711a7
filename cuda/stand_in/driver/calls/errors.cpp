// Names and texts of errors, the driver's version, and the functions by name.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "cuda/stand_in/driver/calls/entry.h"

using namespace warplens::driver;

namespace {

struct ErrorRow {
  CUresult code;
  const char *name, *text;
};

constexpr ErrorRow errors[] = {
#define ERROR_ROW(name, text) {CUDA_##name, "CUDA_" #name, text},
#include "cuda/stand_in/driver/calls/errors.def"
#undef ERROR_ROW
};

const ErrorRow* find_error(CUresult code) {
  const auto* at = std::find_if(std::begin(errors), std::end(errors),
                                [&](const ErrorRow& row) { return row.code == code; });
  return at == std::end(errors) ? nullptr : at;
}

}  // namespace

extern "C" {

CUresult cuGetErrorName(CUresult code, const char** name) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const ErrorRow* row = find_error(code);
  *name = row == nullptr ? nullptr : row->name;
  return row == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult code, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const ErrorRow* row = find_error(code);
  *text = row == nullptr ? nullptr : row->text;
  return row == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuProfilerStart() {
  return with_context(Waits::no, [](Gpu&, Context&) { return CUDA_SUCCESS; });
}
CUresult cuProfilerStop() { return cuProfilerStart(); }

}  // extern "C"
