#include "core/job/cpu_library.h"

namespace warplens {

LibraryTime cpu_library(const LibraryWork&) {
  LibraryTime time;
  time.library = "Eigen";
  time.missing =
      "This build has no Eigen, so the CPU is not compared. A first tools/run leaves it out; tools/test, or "
      "cmake --preset release and a build, brings it.";
  return time;
}

}  // namespace warplens
