// Any bytes as the answer of the server that compiles for a page.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/compile/served.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  const auto served = warplens::parse_served({reinterpret_cast<const char*>(bytes), count});
  if (!served && served.error().message.empty()) std::abort();
  if (served && !served->compilation.ok && !served->compilation.ptx.empty()) std::abort();
  return 0;
}
