#include "core/launch/library_work.h"

#include "core/launch/backend.h"

namespace warplens {

const char* to_string(LibraryTask task) {
  switch (task) {
    case LibraryTask::matmul:
      return "matmul";
    case LibraryTask::svd:
      return "svd";
    case LibraryTask::pi:
      return "pi";
  }
  return "";
}

Result<LibraryRun> Backend::run_libraries(const Device&, const LibraryWork&, std::stop_token) {
  return missing("cuBLAS, cuSOLVER and cuRAND need a real GPU (--device cuda:0).");
}

}  // namespace warplens
