// The instructions of a stepped block, as lines for people and as JSON.
#pragma once

#include <optional>
#include <string>

#include "core/base/json/json.h"
#include "core/gpu/stepping/block_stepper.h"

namespace warplens {

// The effects of one instruction: the facts known before it runs, and the state after it.
struct TracedInstruction {
  uint64_t index = 0;
  TraceEntry entry;
};

// "all 32", "0-15, 20", "none".
std::string lanes_text(uint32_t lanes);
// The values of these lanes, folded: "7", "0, 1, 2 … 31", "3 (16 lanes), 4 (16 lanes)", or all of them.
std::string values_text(const stepping::RegisterView& view, uint32_t lanes);

// The same for a variable. Lanes without a value are left out.
std::string values_text(const stepping::BlockStepper& stepper, uint32_t warp,
                        const stepping::VariableView& view, uint32_t lanes);
// "kernel.cu:12"; empty if the line is not known.
std::string source_line(const stepping::CodePlace& place);
ReportJson place_json(const stepping::CodePlace& place);

// Where lanes access memory.
struct AccessPlace {
  const char* verb = "";  // "reads", "writes", "updates"
  std::string name;       // of the buffer or shared array that holds all of it, or of the space
  uint64_t base = 0;      // where that begins
};

class TraceWriter {
 public:
  TraceWriter(const stepping::BlockStepper& stepper, std::optional<uint32_t> lane)
      : m_stepper(stepper), m_lane(lane) {}

  static std::string heading();
  // The stepper must be just after the instruction.
  std::string line(const TracedInstruction& traced);
  ReportJson json(const TracedInstruction& traced) const;

  std::string paths(uint32_t warp) const;      // a line for each path; empty if all lanes stay together
  std::string registers(uint32_t warp) const;  // only those that are set
  std::string barriers() const;
  AccessPlace place_of(const stepping::SteppedAccess& access) const;
  // "reads 4 bytes a lane of x at 0, 4, 8 … 124"; empty if no lane that is shown accesses it.
  std::string access_text(const stepping::SteppedAccess& access) const;
  ReportJson accesses_json(const std::vector<stepping::SteppedAccess>& accesses) const;
  ReportJson paths_json(uint32_t warp) const;
  // paths(), if it is another text than the last time.
  std::string changed_paths(uint32_t warp);
  uint32_t shown(uint32_t lanes) const { return m_lane ? lanes & 1u << *m_lane : lanes; }

 private:
  const std::string& text_of(uint32_t instruction);
  std::string place_text(const stepping::CodePlace& place) const;

  const stepping::BlockStepper& m_stepper;
  std::optional<uint32_t> m_lane;
  std::map<uint32_t, std::string> m_texts;
  std::map<uint32_t, std::string> m_paths;  // the text that was last written, by warp
};

}  // namespace warplens
