#include "core/gpu/machine/passed.h"

#include <algorithm>
#include <utility>

#include "core/gpu/machine/incident.h"

namespace warplens {

std::vector<Incident> incidents_of(const exec::PassedFaults& passed, const program::Program& program,
                                   const std::function<Incident(const exec::Fault&, Dim3)>& described) {
  // The first thread of each line, in the order of the code.
  struct Line {
    SourcePlace place;
    const exec::PassedFaults::Passed* first = nullptr;
    uint64_t count = 0;
  };
  std::vector<Line> lines;
  for (const auto& [instruction, one] : passed.all()) {
    SourcePlace place = message_place(program, instruction).place;
    auto at = std::ranges::find_if(lines, [&](const Line& line) {
      return place.line != 0 && line.place.line == place.line && line.place.file == place.file;
    });
    if (at == lines.end()) at = lines.insert(at, {std::move(place), &one});
    if (one.comes_before(*at->first)) at->first = &one;
    at->count += one.count;
  }
  std::vector<Incident> incidents;
  for (const Line& line : lines) {
    const exec::Fault& fault = line.first->fault;
    Incident& incident = incidents.emplace_back(described(fault, line.first->block));
    incident.message += fault.access == AccessKind::load ? " The read gives 0, and the kernel goes on."
                                                         : " Nothing is written, and the kernel goes on.";
    incident.count = line.count;
  }
  return incidents;
}

}  // namespace warplens
