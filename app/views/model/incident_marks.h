// Where faults and findings happened, for the marks in every view: line, block, thread and element.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/base/draw/style.h"
#include "core/launch/run_result.h"

namespace warplens {

// One fault, or one side of a finding.
struct IncidentMark {
  bool fault = false;  // else a finding
  std::string verb;    // "refused" for a fault, "race" for one side of a race
  std::string place;   // "x[10000]", "tile, byte 8"; empty if it is no access
  std::string message;
  std::string file;
  uint32_t line = 0;  // 0 if not known
  Dim3 block, thread;
  std::optional<uint32_t> buffer;   // index in LaunchRequest::buffers
  std::optional<uint64_t> element;  // of that buffer; may lie past its end
  std::optional<uint64_t> offset;   // the same in bytes
  bool is_of(Dim3 other_block) const { return block == other_block; }
  bool is_of(Dim3 other_block, Dim3 other_thread) const {
    return block == other_block && thread == other_thread;
  }
};

// At most `limit`, faults first.
std::vector<IncidentMark> incident_marks(const RunResult& result, size_t limit = 256);

// The first one of this line. Null if there is none.
const IncidentMark* incident_of_line(const std::vector<IncidentMark>& marks, const std::string& file,
                                     uint32_t line);

// Red for a fault, and the colour of text for a finding.
Colour colour_of_mark(const Style& style, const IncidentMark& mark);
// A frame around a cell with a cross for a fault or a dot for a finding, so that the two differ without
// their colours. The frame is at least ten pixels large.
void draw_incident_mark(Picture& picture, const Style& style, Box cell, const IncidentMark& mark);

}  // namespace warplens
