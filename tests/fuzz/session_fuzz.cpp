// Any bytes are a session: it is read, or refused with a sentence; what was read is written and read the
// same.
#include <cstdlib>
#include <string>

#include "core/job/files/session_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens;
  const std::string text(reinterpret_cast<const char*>(bytes), count);
  is_session(text);
  const Result<Session> session = parse_session(text, "fuzz.json", "");
  if (!session) {
    if (session.error().message.empty()) std::abort();
    return 0;
  }
  const std::string written = session_text(*session);
  const Result<Session> again = parse_session(written, "fuzz.json", "");
  if (!again || session_text(*again) != written) std::abort();
  return 0;
}
