#include "core/recording/findings.h"

#include <map>

#include "core/recording/finding_title.h"

namespace warplens::recording {

std::vector<RecordedFinding> findings_of(const Recording& recording) {
  std::vector<RecordedFinding> findings;
  std::map<uint64_t, uint64_t> newest;
  for (const Event& event : recording.events) {
    if (event.kind == Event::Kind::launch) newest[event.process] = event.number;
    if (event.kind == Event::Kind::finding)
      findings.push_back({&event, is_of_a_launch(event.finding) ? newest[event.process] : 0});
  }
  return findings;
}

}  // namespace warplens::recording
