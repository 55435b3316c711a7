// Any bytes as a cubin, and as the output of ptxas: reading both must return.
#include <cstdlib>
#include <string>

#include "core/compile/compiler_log.h"
#include "core/compile/cubin.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens;
  const std::string text(reinterpret_cast<const char*>(bytes), count);
  const Result<Resources> resources = read_cubin(text, "k");
  if (!resources && resources.error().message.empty()) std::abort();
  const PtxasInfo info = parse_ptxas_info(text, "k");
  if (info.registers && text.find("registers") == std::string::npos) std::abort();
  for (const Diagnostic& diagnostic : parse_ptxas_errors(text, "k"))
    if (diagnostic.file != "k") std::abort();
  return 0;
}
