#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/figures.h"
#include "core/base/json/json.h"
#include "core/base/json/json_values.h"
#include "core/recording/arguments.h"
#include "core/recording/recording.h"

namespace warplens::recording {

namespace {

const char* to_string(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::launch:
      return "launch";
    case Event::Kind::copy:
      return "copy";
    case Event::Kind::library:
      return "library";
    case Event::Kind::allocate:
      return "allocate";
    case Event::Kind::release:
      return "free";
    case Event::Kind::finding:
      return "finding";
    case Event::Kind::warning:
      return "warning";
    case Event::Kind::module:
      return "module";
    case Event::Kind::pages:
      return "pages";
    case Event::Kind::end:
      return "end";
  }
  return "";
}

const char* why_not(const Event& launch) {
  if (launch.launch == nullptr) return "not recorded";
  return launch.launch->lacking.empty() ? "" : launch.launch->lacking.c_str();
}

ReportJson json_of(const ShownArgument& argument) {
  using Kind = ShownArgument::Kind;
  ReportJson row = {{"kind", argument.kind == Kind::array     ? "array"
                             : argument.kind == Kind::pointer ? "pointer"
                             : argument.kind == Kind::bytes   ? "bytes"
                                                              : "number"},
                    {"type", argument.element.empty() ? ReportJson(nullptr) : ReportJson(argument.element)}};
  if (argument.kind == Kind::array) {
    row["shape"] = argument.shape;
    row["strides"] = argument.strides;
    row["item_bytes"] = argument.element_bytes;
  }
  if (argument.kind == Kind::array || argument.kind == Kind::pointer) {
    row["address"] = argument.address;
    row["in"] = argument.allocation;
    row["offset"] = argument.offset;
  }
  if (argument.bytes) row["bytes"] = *argument.bytes;
  if (!argument.value.empty()) row["value"] = argument.value;
  return row;
}

ReportJson json_of(const Recording& recording, const Event& event) {
  ReportJson row = {{"event", to_string(event.kind)}, {"process", event.process}, {"at_us", event.at_us}};
  if (event.place != nullptr) row["called_at"] = place_json(*event.place);
  if (recording.devices.size() > 1 && (is_device_work(event) || event.kind == Event::Kind::allocate))
    row["device"] = event.device;
  switch (event.kind) {
    case Event::Kind::launch:
      row["number"] = event.number;
      row["kernel"] = event.name;
      row["grid"] = {event.grid.x, event.grid.y, event.grid.z};
      row["block"] = {event.block.x, event.block.y, event.block.z};
      row["shared_bytes"] = event.shared_bytes;
      row["stream"] = event.stream;
      row["begin_us"] = json_values::or_null(event.begin_us);
      row["device_us"] = json_values::or_null(event.device_us);
      row["host_us"] = event.host_us;
      if (event.depth != 0) {
        row["launched_by"] = event.launched_by;
        row["depth"] = event.depth;
      }
      if (!event.file.empty()) {
        row["file"] = event.file;
        row["line"] = event.line;
      }
      row["recorded"] = *why_not(event) == 0;
      if (*why_not(event) != 0) row["why_not"] = why_not(event);
      if (event.launch != nullptr) {
        row["arguments"] = ReportJson::array();
        for (const ShownArgument& argument : arguments_of(recording, event))
          row["arguments"].push_back(json_of(argument));
      }
      break;
    case Event::Kind::copy:
      row["direction"] = event.name;
      row["bytes"] = event.bytes;
      row["address"] = event.address;
      row["stream"] = event.stream;
      row["begin_us"] = json_values::or_null(event.begin_us);
      row["device_us"] = json_values::or_null(event.device_us);
      row["waits"] = event.waits;
      break;
    case Event::Kind::library:
      row["call"] = event.name;
      row["shape"] = event.shape;
      row["bytes"] = event.bytes;
      row["stream"] = event.stream;
      row["begin_us"] = json_values::or_null(event.begin_us);
      row["device_us"] = json_values::or_null(event.device_us);
      row["host_us"] = event.host_us;
      row["waits"] = event.waits;
      break;
    case Event::Kind::allocate:
      row["kind"] = event.name;
      row["address"] = event.address;
      row["bytes"] = event.bytes;
      break;
    case Event::Kind::release:
      row["address"] = event.address;
      break;
    case Event::Kind::finding:
    case Event::Kind::warning:
      row["message"] = event.name;
      break;
    case Event::Kind::end:
      row["status"] = event.status;
      break;
    case Event::Kind::pages:
      row["why"] = event.name;
      if (event.pages == nullptr) break;
      row["to"] = event.pages->to == pages::Side::host ? "host" : "device";
      row["address"] = event.address;
      row["bytes"] = event.bytes;
      row["mapped_bytes"] = event.pages->mapped_bytes;
      row["misses"] = event.pages->misses;
      row["begin_us"] = json_values::or_null(event.begin_us);
      row["device_us"] = json_values::or_null(event.device_us);
      break;
    case Event::Kind::module:
      row["host_us"] = event.host_us;
      row["bytes"] = event.bytes;
      break;
  }
  return row;
}

std::set<uint64_t> processes_of(const Recording& recording) {
  std::set<uint64_t> found;
  for (const Event* launch : recording.launches) found.insert(launch->process);
  return found;
}

}  // namespace

std::string recording_json(const Recording& recording, const DeviceFigures& device) {
  ReportJson events = ReportJson::array();
  for (const Event& event : recording.events) events.push_back(json_of(recording, event));
  const ProgramSummary summary = summary_of(recording, device);
  // Its events are indices in this list; the summary's are those in the journals, one after the other.
  const ProgramReport in_order = report_of(recording, device);
  ReportJson report = {
      {"schema", 1},
      {"command", recording.command},
      {"device", recording.device},
      {"exit_status", recording.exit_status ? ReportJson(*recording.exit_status) : ReportJson(nullptr)},
      {"wall_ms", recording.wall_ms},
      {"processes", summary.processes},
      {"process_lines", process_lines_json(summary.lines)},
      {"cut", recording.cut},
      {"title", in_order.title},
      {"advice", summary.advice},
      {"warnings", warnings_json(in_order)},
      {"events", std::move(events)}};
  if (recording.devices.size() > 1) report["devices"] = recording.devices;
  return json_values::indented(report);
}

std::string recording_text(const Recording& recording, const DeviceFigures& device) {
  std::string out = fmt::format(
      "{}{}\n", fmt::join(recording.command, " "),
      recording.exit_status ? fmt::format(" · ended with {}", *recording.exit_status) : std::string());
  if (recording.cut)
    out += "The recording is not complete: it reached its limit, or the file is not whole.\n";
  const std::set<uint64_t> processes = processes_of(recording);
  out += fmt::format("  {:>6}  {:<28} {:>18} {:>14} {:>14} {:>12}{}\n", "launch", "kernel", "grid", "block",
                     "on the GPU", "here", processes.size() > 1 ? "  process" : "");
  // For the first launch of each kernel; the JSON has them all.
  std::set<std::string> argued;
  constexpr size_t most_argued = 100;
  for (const Event* launch : recording.launches) {
    const std::string not_again = why_not(*launch);
    out += fmt::format("  {:>6}  {:<28} {:>18} {:>14} {:>14} {:>12}{}{}{}{}\n", launch->number, launch->name,
                       shape_text(launch->grid), shape_text(launch->block),
                       launch->device_us ? microseconds_text(*launch->device_us) : "not known",
                       microseconds_text(launch->host_us),
                       processes.size() > 1 ? fmt::format("  {:>7}", launch->process) : std::string(),
                       launch->place == nullptr ? std::string() : "  " + place_text(*launch->place),
                       not_again.empty() ? "" : "  ", not_again);
    if (argued.size() < most_argued && argued.insert(launch->name).second)
      for (const ShownArgument& argument : arguments_of(recording, *launch))
        out += fmt::format("          {}\n", text_of(argument));
  }
  return out + summary_text(summary_of(recording, device));
}

}  // namespace warplens::recording
