// Any bytes are a PTX text: parse must answer, and what it takes must print to what it takes again.
#include <cstdlib>

#include "core/ptx/parser/parse.h"
#include "core/ptx/print/print.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens::ptx;
  const ParseResult result = parse(std::string(bytes, bytes + count), "fuzz.ptx");
  if ((result.module == nullptr) == result.diagnostics.empty()) std::abort();
  if (!result.module) return 0;
  const std::string printed = print(*result.module);
  const ParseResult again = parse(printed, "printed.ptx");
  if (!again.module || print(*again.module) != printed) std::abort();
  return 0;
}
