// Any bytes are a recording: it is read, or refused with a sentence; what was read can be listed, and its
// launches become requests or are refused.
#include <cstdlib>
#include <memory>
#include <vector>

#include "core/job/files/recorded_job.h"
#include "core/recording/arguments.h"
#include "core/recording/launch_source.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens;
  const auto* begin = reinterpret_cast<const std::byte*>(bytes);
  const auto file = std::make_shared<const std::vector<std::byte>>(begin, begin + count);
  const Result<recording::Recording> read = recording::parse_recording(file, "fuzz.warplens");
  if (!read) {
    if (read.error().message.empty()) std::abort();
    return 0;
  }
  if (recording::recording_json(*read, {28, 5.0}).empty() ||
      recording::recording_text(*read, {28, 5.0}).empty())
    std::abort();
  if (report_of(*read, {28, 5.0}).title.empty()) std::abort();
  for (const recording::Event* launch : read->launches) {
    for (const recording::ShownArgument& argument : arguments_of(*read, *launch)) text_of(argument);
    source_of(*read, *launch);
    const Result<LaunchRequest> request = recorded_request(*read, *launch, "fuzz.warplens");
    if (!request && request.error().message.empty()) std::abort();
  }
  return 0;
}
