// Any bytes as the input of the debugger's server: frames are read, or refused with a message.
#include <cstdlib>
#include <sstream>
#include <string>

#include "app/debug/framing.h"
#include "app/debug/messages.h"
#include "app/debug/stops.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens;
  const std::string text(reinterpret_cast<const char*>(bytes), count);
  std::istringstream in(text);
  for (;;) {
    const Result<std::optional<std::string>> frame = dap::read_frame(in);
    if (!frame && frame.error().message.empty()) std::abort();
    if (!frame || !*frame) break;
    const Result<dap::Request> request = dap::parse_request(**frame);
    if (!request && request.error().message.empty()) std::abort();
    if (!request) continue;
    // What is answered can be read again.
    std::istringstream out(dap::framed(dap::response(*request, request->arguments)));
    const auto again = dap::read_frame(out);
    if (!again || !*again) std::abort();
  }
  if (const auto rule = dap::HitRule::parse(text); !rule && rule.error().message.empty()) std::abort();
  if (const auto parts = dap::message_parts(text);
      parts ? parts->size() % 2 == 0 : parts.error().message.empty())
    std::abort();
  return 0;
}
