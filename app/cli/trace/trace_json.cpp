// The trace as JSON, a line of text for each step, so that a long one is never in memory as a whole.
#include <map>
#include <ostream>

#include "app/cli/trace/trace_follow.h"
#include "app/cli/trace/trace_rows.h"

#include "core/base/json/json_values.h"

namespace warplens {

namespace {

// An object whose members are written as they come.
class JsonStream {
 public:
  explicit JsonStream(std::ostream& out) : m_out(out) { m_out << "{"; }
  void member(const char* name, const ReportJson& value) { begin(name) << json_values::one_line(value); }
  void begin_list(const char* name) {
    begin(name) << "[";
    m_first_item = true;
  }
  void item(const ReportJson& value) {
    m_out << (m_first_item ? "\n  " : ",\n  ") << json_values::one_line(value);
    m_first_item = false;
  }
  void end_list() { m_out << "]"; }
  void end() { m_out << "\n}\n"; }

 private:
  std::ostream& begin(const char* name) {
    m_out << (m_first ? "\n " : ",\n ") << '"' << name << "\": ";
    m_first = false;
    return m_out;
  }
  std::ostream& m_out;
  bool m_first = true, m_first_item = true;
};

void add_launch(const TracedBlock& traced, JsonStream& json) {
  const stepping::BlockStepper& stepper = traced.stepper;
  const LaunchStep& launch = stepper.launch();
  const auto extent = [](Dim3 d) { return ReportJson{d.x, d.y, d.z}; };
  json.member("kernel", stepper.request().kernel);
  json.member("entry", launch.entry);
  json.member("device", stepper.request().device.name);
  json.member("grid", extent(launch.grid));
  json.member("block", extent(launch.block));
  json.member("at", extent(traced.plan.block));
  json.member("earlier_blocks", traced.plan.options.earlier_blocks);
  json.member("no_variables", traced.by_lines() ? ReportJson() : ReportJson(traced.why_no_lines()));
}

ReportJson row_json(const TraceRow& row) {
  ReportJson lanes = ReportJson::array();
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    lanes.push_back((row.has >> lane & 1) != 0 ? ReportJson(row.texts[lane]) : ReportJson());
  ReportJson json{{"name", row.name}, {"type", row.type}};
  if (!row.group.empty()) json["of"] = row.group;
  json["lanes"] = std::move(lanes);
  for (const auto& [name, mask] :
       {std::pair{"not_set", row.not_set}, {"no_place", row.no_place}, {"unreadable", row.unreadable}})
    if (mask != 0) json[name] = mask;
  return json;
}

// What there is before the first step, of the warp that takes it.
ReportJson start_json(const TracedBlock& traced) {
  const stepping::BlockStepper& stepper = traced.stepper;
  const std::optional<TraceEntry> next = stepper.next();
  const uint32_t warp = traced.plan.warp.value_or(next ? next->warp : 0);
  const uint32_t lanes = traced.plan.lane ? 1u << *traced.plan.lane : ~0u;
  ReportJson json{{"position", stepper.position()}, {"warp", warp}};
  const auto add = [&](const char* name, const std::vector<TraceRow>& rows) {
    json[name] = ReportJson::array();
    for (const TraceRow& row : rows) json[name].push_back(row_json(row));
  };
  if (traced.by_lines()) add("variables", variable_rows(stepper, warp, lanes));
  if (!traced.by_lines() || traced.choices.registers) add("registers", register_rows(stepper, warp, lanes));
  return json;
}

// The names of what is in scope, where that is another list than at this warp's line before.
class ScopeWriter {
 public:
  void add(const stepping::BlockStepper& stepper, uint32_t warp, uint32_t lanes, ReportJson& line) {
    std::vector<std::string> names;
    for (const stepping::VariableView& view : stepper.variables(warp, lanes))
      names.push_back(view.within.empty() ? view.name : view.within + ": " + view.name);
    std::vector<std::string>& before = m_before[warp];
    if (names == before) return;
    before = names;
    line["in_scope"] = names;
  }

 private:
  std::map<uint32_t, std::vector<std::string>> m_before;
};

const char* word_of(Agreement agreement) {
  return agreement == Agreement::same ? "same" : agreement == Agreement::rounding ? "rounding" : "other";
}

}  // namespace

Result<void> write_trace_json(TracedBlock& traced, std::ostream& out, const std::stop_token& stop) {
  stepping::BlockStepper& stepper = traced.stepper;
  const uint64_t count = traced.plan.count_or_default();
  JsonStream json(out);
  add_launch(traced, json);
  json.member("stopped", traced.stopped.empty() ? ReportJson() : ReportJson(traced.stopped));
  json.member("start", start_json(traced));
  if (traced.by_lines()) {
    LineWriter writer(stepper, traced.plan.lane);
    ScopeWriter scopes;
    json.begin_list("lines");
    follow_lines(traced.plan, count, stepper, writer, stop, [&](const TracedLine& line) {
      ReportJson object = writer.json(line);
      scopes.add(stepper, line.warp, writer.texts().shown(line.lanes), object);
      json.item(object);
      return out.good();
    });
  } else {
    TraceWriter writer(stepper, traced.plan.lane);
    json.begin_list("instructions");
    follow_instructions(traced.plan, count, stepper, stop, [&](const TracedInstruction& instruction) {
      json.item(writer.json(instruction));
      return out.good();
    });
  }
  json.end_list();
  json.member("position", stepper.position());
  json.member("end", stepper.end() == stepping::End::none ? ReportJson() : ReportJson(stepper.end_message()));
  const std::optional<Agreement> agrees = agreement(traced, stop);
  json.member("agreement",
              agrees ? ReportJson{{"optimised_run", word_of(*agrees)}, {"sentence", sentence_of(*agrees)}}
                     : ReportJson());
  json.end();
  return {};
}

}  // namespace warplens
