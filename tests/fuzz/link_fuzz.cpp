// Any text is a link: it is read, or refused with a sentence; what was read is written and read the same. The
// bytes are also what a link has packed.
#include <cstdlib>
#include <string>

#include "core/image/deflate.h"
#include "core/job/files/link.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens;
  const std::string text(reinterpret_cast<const char*>(bytes), count);
  (void)inflated(text, 100'000);
  is_link(text);
  const Result<Link> link = parse_link(text);
  if (!link) {
    if (link.error().message.empty()) std::abort();
    return 0;
  }
  const Result<std::string> written = link_text(*link);
  if (!written) return 0;  // packed otherwise it may be longer
  const Result<Link> again = parse_link(*written);
  if (!again || session_text(again->session) != session_text(link->session)) std::abort();
  return 0;
}
