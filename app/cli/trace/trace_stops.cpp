// Where a trace begins: breakpoints and watchpoints as people write them.
#include <fmt/format.h>

#include "app/cli/shared/values.h"
#include "app/cli/trace/trace_choices.h"

#include "core/base/text.h"

namespace warplens {

namespace {

Error with_option(const std::string& option, const Error& error) {
  return {error.kind, fmt::format("{}: {}", option, error.message)};
}

bool is_number(const std::string& text) { return is_digits(text) && text.size() < 9; }

// Takes " if CONDITION" off the end of a place.
Result<std::string> take_condition(std::string text, stepping::Breakpoint& breakpoint) {
  const size_t condition = (text + ' ').find(" if ");
  if (condition == std::string::npos) return text;
  if (condition + 4 < text.size()) breakpoint.condition = text.substr(condition + 4);
  if (breakpoint.condition.find_first_not_of(' ') == std::string::npos)
    return bad_input("there is no condition after \"if\"; write one, as in lane == 17, or leave out \"if\"");
  text.resize(condition);
  return text;
}

// "12", "kernel.cu:12", "ptx:30" or a function, then perhaps " if CONDITION".
Result<stepping::Breakpoint> breakpoint_of(const std::string& text, const stepping::BlockStepper& stepper) {
  stepping::Breakpoint breakpoint;
  const Result<std::string> taken = take_condition(text, breakpoint);
  if (!taken) return taken.error();
  const std::string& place = *taken;
  if (place.find_first_not_of(' ') == std::string::npos)
    return bad_input("name a place: a line of the kernel, FILE:LINE, ptx:LINE or a function");
  const size_t colon = place.rfind(':');
  const std::string line = colon == std::string::npos ? place : place.substr(colon + 1);
  const std::string file = colon == std::string::npos ? "" : place.substr(0, colon);
  if (!is_number(line)) {
    if (file == "ptx") return bad_input(fmt::format("\"{}\" is no line of the PTX; write a number", line));
    breakpoint.kind = stepping::Breakpoint::Kind::function;
    breakpoint.function = place;
    return breakpoint;
  }
  breakpoint.line = static_cast<uint32_t>(std::stoul(line));
  bool has_lines = false;
  for (uint32_t i = 0; i < stepper.table().instructions(); ++i)
    has_lines = has_lines || stepper.table().instruction(i).line != 0;
  if (file == "ptx" || (file.empty() && !has_lines)) return breakpoint;
  breakpoint.kind = stepping::Breakpoint::Kind::source_line;
  breakpoint.file = file;
  return breakpoint;
}

// "out", "out+148" or "out+148,4": where a buffer is written. Empty if no buffer has the name.
Result<std::optional<stepping::Breakpoint>> buffer_watch(const std::string& text,
                                                         const stepping::BlockStepper& stepper) {
  const size_t plus = text.find('+'), comma = text.find(',');
  const std::string name = text.substr(0, std::min(plus, comma));
  for (const stepping::DeviceMemory& memory : stepper.device_memory()) {
    if (memory.name != name) continue;
    uint64_t offset = 0;
    stepping::Breakpoint watch;
    watch.kind = stepping::Breakpoint::Kind::write;
    watch.bytes = plus == std::string::npos && comma == std::string::npos ? memory.bytes : 4;
    if (plus != std::string::npos) {
      const size_t length = comma == std::string::npos ? comma : comma - plus - 1;
      const Result<uint64_t> parsed = parse_count("OFFSET", text.substr(plus + 1, length), 0, UINT64_MAX / 2);
      if (!parsed) return parsed.error();
      offset = *parsed;
    }
    if (comma != std::string::npos) {
      const Result<uint64_t> bytes = parse_count("BYTES", text.substr(comma + 1), 1, UINT64_MAX / 2);
      if (!bytes) return bytes.error();
      watch.bytes = *bytes;
    }
    watch.address = memory.address + offset;
    if (offset >= memory.bytes) return bad_input(fmt::format("{} has {} bytes", name, memory.bytes));
    return std::optional(watch);
  }
  return std::optional<stepping::Breakpoint>();
}

// A buffer, or a variable or a part of one, then perhaps " if CONDITION".
Result<stepping::Breakpoint> watch_of(const std::string& text, const stepping::BlockStepper& stepper) {
  stepping::Breakpoint asked;
  const Result<std::string> place = take_condition(text, asked);
  if (!place) return place.error();
  Result<std::optional<stepping::Breakpoint>> buffer = buffer_watch(*place, stepper);
  if (!buffer) return buffer.error();
  if (*buffer) {
    (*buffer)->condition = asked.condition;
    return **buffer;
  }
  if (place->find_first_of("+,") == std::string::npos && stepper.no_variables().empty()) {
    asked.kind = stepping::Breakpoint::Kind::variable;
    asked.variable = *place;
    return asked;
  }
  std::string names;
  for (const stepping::DeviceMemory& memory : stepper.device_memory())
    names += (names.empty() ? "" : ", ") + memory.name;
  return bad_input(fmt::format("there is no buffer of the name \"{}\"; there are {}. {}",
                               place->substr(0, place->find_first_of("+,")), names,
                               stepper.no_variables().empty()
                                   ? "A variable is watched by its name, as in sum or p.x."
                                   : "Variables have no names here: " + stepper.no_variables()));
}

}  // namespace

Result<void> add_stops(const TraceChoices& choices, const TracePlan& plan, stepping::BlockStepper& stepper) {
  for (const std::string& text : choices.breaks) {
    Result<stepping::Breakpoint> breakpoint = breakpoint_of(text, stepper);
    if (!breakpoint) return with_option("--break " + text, breakpoint.error());
    breakpoint->warp = plan.warp;
    if (const Result<uint32_t> added = stepper.add(*breakpoint); !added)
      return with_option("--break " + text, added.error());
  }
  for (const std::string& text : choices.watches) {
    Result<stepping::Breakpoint> watch = watch_of(text, stepper);
    if (!watch) return with_option("--watch " + text, watch.error());
    watch->warp = plan.warp;
    if (const Result<uint32_t> added = stepper.add(*watch); !added)
      return with_option("--watch " + text, added.error());
  }
  return {};
}

}  // namespace warplens
