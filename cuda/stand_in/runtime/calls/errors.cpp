// Names and texts of errors, and the last error of a thread.
#include <algorithm>
#include <iterator>

#include "cuda/stand_in/runtime/calls/entry.h"

using namespace warplens::runtime;

namespace {

struct ErrorRow {
  int code;
  const char *name, *text;
};

constexpr ErrorRow errors[] = {
#define ERROR_ROW(name, text) {cuda##name, "cuda" #name, text},
#include "cuda/stand_in/runtime/calls/errors.def"
#undef ERROR_ROW
};

const ErrorRow* find_error(cudaError_t code) {
  const auto* at = std::find_if(std::begin(errors), std::end(errors),
                                [&](const ErrorRow& row) { return row.code == code; });
  return at == std::end(errors) ? nullptr : at;
}

constexpr const char* unknown = "unrecognized error code";

}  // namespace

namespace warplens::runtime {

const char* name_of(cudaError_t code) {
  const ErrorRow* row = find_error(code);
  return row == nullptr ? unknown : row->name;
}

}  // namespace warplens::runtime

extern "C" {

const char* cudaGetErrorName(cudaError_t code) {
  note_asked();
  return name_of(code);
}

const char* cudaGetErrorString(cudaError_t code) {
  note_asked();
  const ErrorRow* row = find_error(code);
  return row == nullptr ? unknown : row->text;
}

cudaError_t cudaGetLastError() { return last_error(true); }
cudaError_t cudaPeekAtLastError() { return last_error(false); }

}  // extern "C"
