#include "core/job/cpu_library.h"

namespace warplens {

LibraryTime cpu_library(const LibraryWork&) {
  LibraryTime time;
  time.library = "Eigen";
  time.missing =
      "The program was built without Eigen, so nothing of the CPU's stands beside the libraries: run "
      "tools/setup "
      "and build again.";
  return time;
}

}  // namespace warplens
