// The findings of a recording, each with the launch that it is about.
#pragma once

#include <cstdint>
#include <vector>

#include "core/recording/recording.h"

namespace warplens::recording {

struct RecordedFinding {
  const Event* event = nullptr;
  uint64_t launch = 0;  // the newest of its process; 0 if there was none, or the finding is about a call
};
std::vector<RecordedFinding> findings_of(const Recording& recording);

}  // namespace warplens::recording
