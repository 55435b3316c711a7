// The trace as one page that a browser steps through, with nothing outside of the file.
#include <fmt/format.h>

#include <ostream>

#include "app/base/html.h"
#include "app/cli/trace/trace_follow.h"
#include "app/cli/trace/trace_page.h"
#include "core/base/json/json_values.h"
#include "core/base/system/embedded.h"
#include "core/base/system/files.h"

namespace warplens {

namespace {

// More is slow in a browser.
constexpr size_t most_bytes = size_t{16} << 20, most_text_bytes = size_t{2} << 20;
constexpr uint64_t most_steps = 20'000;

// Inside of <script> no text may close it.
std::string script_text(const ReportJson& json) {
  std::string text = json_values::one_line(json);
  for (size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1))
    text.replace(at, 1, "\\u003c");
  return text;
}

ReportJson lines_json(std::string_view text) {
  ReportJson lines = ReportJson::array();
  if (text.size() > most_text_bytes) return lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(std::string(line));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return lines;
}

TracedLine as_line(const stepping::BlockStepper& stepper, const TracedInstruction& traced) {
  TracedLine line;
  line.index = traced.index;
  line.instructions = 1;
  line.warp = traced.entry.warp;
  line.lanes = traced.entry.executed;
  line.place = stepper.place(traced.entry.instruction);
  for (const stepping::SteppedAccess& access : stepper.accesses())
    if (access.space == Space::global || access.space == Space::shared) line.accesses.push_back(access);
  return line;
}

struct Steps {
  std::string json = "[";  // as text, which is smaller than as values
  uint64_t count = 0;
  bool cut = false;

  bool add(const ReportJson& step) {
    const std::string text = script_text(step);
    cut = json.size() + text.size() > most_bytes;
    if (cut) return false;
    json += (count++ == 0 ? "\n" : ",\n") + text;
    return true;
  }
};

void follow_steps(TracedBlock& traced, PageSteps& page, Steps& steps, const std::stop_token& stop) {
  stepping::BlockStepper& stepper = traced.stepper;
  const uint64_t count = std::min(traced.plan.count.value_or(most_steps), most_steps);
  if (traced.by_lines()) {
    LineWriter writer(stepper, traced.plan.lane);
    follow_lines(traced.plan, count, stepper, writer, stop,
                 [&](const TracedLine& line) { return steps.add(page.step(line)); });
  } else {
    follow_instructions(traced.plan, count, stepper, stop, [&](const TracedInstruction& instruction) {
      return steps.add(page.step(as_line(stepper, instruction)));
    });
  }
}

std::string replaced(std::string_view page, const std::vector<std::pair<std::string, std::string>>& parts) {
  std::string made;
  while (!page.empty()) {
    size_t first = page.npos;
    const std::pair<std::string, std::string>* part = nullptr;
    for (const auto& candidate : parts) {
      const size_t at = page.find(candidate.first);
      if (at >= first) continue;
      first = at;
      part = &candidate;
    }
    made += page.substr(0, first);
    if (part == nullptr) break;
    made += part->second;
    page.remove_prefix(first + part->first.size());
  }
  return made;
}

std::string cut_sentence(const TracedBlock& traced, const Steps& steps) {
  if (steps.cut)
    return fmt::format(
        "The page has the first {} steps: with more it would be larger than {} MiB. Further ones: --from {}.",
        steps.count, most_bytes >> 20, traced.stepper.position());
  if (traced.stepper.end() != stepping::End::none) return {};
  return fmt::format("The page has {} steps; the block goes on. Further ones: --from {}.", steps.count,
                     traced.stepper.position());
}

}  // namespace

Result<std::string> write_trace_page(TracedBlock& traced, const std::string& path,
                                     const std::stop_token& stop) {
  stepping::BlockStepper& stepper = traced.stepper;
  const ModuleText& module = *stepper.request().module;
  const Dim3 at = traced.plan.block;
  PageSteps page(stepper, traced.plan.lane, traced.by_lines());
  const uint64_t threads = stepper.launch().block.count();
  ReportJson data{{"title", fmt::format("{}, block ({},{},{})", stepper.launch().entry, at.x, at.y, at.z)},
                  {"about", about(traced)},
                  {"by", traced.by_lines() ? "lines" : "instructions"},
                  {"why", traced.by_lines() ? "" : traced.why_no_lines()},
                  {"warps", stepper.warps()},
                  {"threads_of_last", threads % warp_lanes == 0 ? warp_lanes : threads % warp_lanes},
                  {"source_name", module.source_name},
                  {"source", lines_json(module.source)},
                  {"ptx", lines_json(module.ptx)},
                  {"arrays", page.arrays()}};
  Steps steps;
  follow_steps(traced, page, steps, stop);
  if (stop.stop_requested()) return Error{ErrorKind::cancelled, "The page was not written."};
  if (steps.count == 0)
    return bad_input(fmt::format("there is nothing to show after position {}", traced.plan.from));
  data["variables"] = page.variables();
  data["fault"] = stepper.end() != stepping::End::none && stepper.end() != stepping::End::finished;
  data["end"] = stepper.end() == stepping::End::none ? "" : stepper.end_message();
  if (const auto agrees = agreement(traced, stop))
    data["end"] = data["end"].get<std::string>() + " " + sentence_of(*agrees);
  const std::string cut = cut_sentence(traced, steps);
  data["cut"] = cut;
  std::string text = script_text(data);
  text.pop_back();
  text += ",\"steps\":" + steps.json + "\n]}";
  const std::string whole = replaced(find_embedded("trace/page.html"),
                                     {{"{{TITLE}}", html_escaped(data["title"].get<std::string>())},
                                      {"{{STYLE}}", std::string(find_embedded("trace/page.css"))},
                                      {"{{DATA}}", text},
                                      {"{{SCRIPT}}", std::string(find_embedded("trace/page.js"))}});
  if (const Result<void> written = write_text(path, whole); !written) return written.error();
  return fmt::format("{} has {} step{}, {:.1f} MB. {}", path, steps.count, steps.count == 1 ? "" : "s",
                     static_cast<double>(whole.size()) / 1e6, cut);
}

}  // namespace warplens
