#include "core/recording/launch_source.h"

namespace warplens::recording {

std::string text_of(const LaunchSource& source) { return source.file; }
std::optional<LaunchSource> source_of(const Recording&, const Event&) { return std::nullopt; }
SourceText read_source(const LaunchSource&) { return {}; }

}  // namespace warplens::recording
