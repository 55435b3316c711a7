#include "core/lesson/goals/facts.h"

#include <algorithm>
#include <array>

#include "core/kernels/evaluated.h"
#include "core/launch/fields.h"
#include "core/lesson/format/words.h"
#include "core/lesson/goals/program_facts.h"
#include "core/lesson/goals/sm_facts.h"

namespace warplens::lesson {
namespace {

using expression::Value;

constexpr std::array<const char*, 3> axes = {".x", ".y", ".z"};

uint32_t axis(Dim3 d, size_t i) { return i == 0 ? d.x : i == 1 ? d.y : d.z; }

void set_dim3(Facts& facts, const std::string& name, const std::optional<Dim3>& value) {
  for (size_t i = 0; i < 3; ++i) facts.set(name + axes[i], value ? Value(axis(*value, i)) : Value{});
}

void add_counters(Facts& facts, const std::string& prefix, const RunResult* result) {
  const bool counted = result != nullptr && result->counters;
  const Counters counters = counted ? *result->counters : Counters{};
  each_field(counters, [&]<class T>(std::string_view name, const T& value) {
    facts.set(prefix + "counters." + std::string(name), counted ? Value(value) : Value{});
  });
  // In any way: by loads, background copies or atomics.
  const auto reads = [&](const char* name, uint64_t sum) {
    facts.set(prefix + "reads." + name, counted ? Value(sum) : Value{});
  };
  reads("global_sectors",
        counters.global_load_sectors + counters.async_copy_global_sectors + counters.atomic_sectors);
  reads("global_requests",
        counters.global_load_requests + counters.async_copy_requests + counters.atomic_requests);
}

void add_occupancy(Facts& facts, const std::string& prefix, const RunResult* result) {
  const std::optional<Occupancy> o = result ? result->occupancy : std::nullopt;
  const auto set = [&](const char* name, Value value) { facts.set(prefix + name, o ? value : Value{}); };
  const Occupancy known = o.value_or(Occupancy{});
  set("occupancy.percent", known.theoretical_percent);
  set("occupancy.blocks", known.active_blocks_per_sm);
  set("occupancy.warps", known.active_warps_per_sm);
  set("occupancy.waves", known.waves);
  set("limit.registers", known.limit_registers);
  set("limit.shared_memory", known.limit_shared);
  set("limit.warps", known.limit_warps);
  set("limit.blocks", known.limit_blocks);
  for (const Limiter limiter :
       {Limiter::registers, Limiter::shared_memory, Limiter::warps, Limiter::blocks}) {
    const bool limits = std::ranges::find(known.limiters, limiter) != known.limiters.end();
    facts.set(prefix + "limiter." + to_string(limiter), o ? Value(limits ? 1 : 0) : Value{});
  }
  const std::optional<Resources> r = result ? result->resources : std::nullopt;
  facts.set(prefix + "resources.registers", r ? Value(r->registers_per_thread) : Value{});
  facts.set(prefix + "resources.shared_static_bytes", r ? Value(r->shared_static_bytes) : Value{});
  facts.set(prefix + "resources.local_bytes", r ? Value(r->local_bytes) : Value{});
}

void add_times(Facts& facts, const std::string& prefix, const RunResult* result) {
  const TimesUs t = result ? result->time : TimesUs{};
  facts.set(prefix + "time.copy_in", t.copy_in);
  facts.set(prefix + "time.launch", t.launch);
  facts.set(prefix + "time.kernel", t.kernel);
  facts.set(prefix + "time.copy_out", t.copy_out);
  std::optional<double> total;
  if (t.kernel) total = t.copy_in.value_or(0) + t.launch.value_or(0) + *t.kernel + t.copy_out.value_or(0);
  facts.set(prefix + "time.total", total);
  std::optional<double> cpu;
  if (result && result->host.cpu_ms) cpu = *result->host.cpu_ms * 1000;
  facts.set(prefix + "time.cpu", cpu);
}

// Added in pairs of halves, as in NumPy: then the rounding error hardly grows with the number of elements.
double sum_of(std::span<const std::byte> bytes, DType type, uint64_t first, uint64_t count) {
  if (count <= 8) {
    double sum = 0;
    for (uint64_t i = first; i < first + count; ++i) sum += element_at(bytes, type, i).number();
    return sum;
  }
  return sum_of(bytes, type, first, count / 2) + sum_of(bytes, type, first + count / 2, count - count / 2);
}

bool is_fault(IncidentKind kind) { return kind >= IncidentKind::out_of_bounds; }

void add_incidents(Facts& facts, const std::string& prefix, const RunResult* result) {
  const auto count = [&](const std::vector<Incident>& all, IncidentKind kind) {
    return std::ranges::count(all, kind, &Incident::kind);
  };
  const auto set = [&](const std::string& name, Value value) {
    facts.set(prefix + name, result ? value : Value{});
  };
  static const std::vector<Incident> none;
  const std::vector<Incident>& faults = result ? result->faults : none;
  const std::vector<Incident>& findings = result ? result->findings : none;
  for (int i = 0; i < int(IncidentKind::unknown); ++i) {
    const auto kind = IncidentKind(i);
    if (is_fault(kind) || kind == IncidentKind::mask)
      set("fault." + std::string(to_string(kind)), count(faults, kind));
    if (!is_fault(kind)) set("finding." + std::string(to_string(kind)), count(findings, kind));
  }
  set("faults", faults.size());
  set("findings", findings.size());
  set("fault.line", faults.empty() ? 0 : faults.front().line);
  set("finding.line", findings.empty() ? 0 : findings.front().line);
  const std::vector<Warning> warnings = result ? result->warnings : std::vector<Warning>{};
  set("warnings", warnings.size());
  for (int i = 0; i <= int(WarningId::resources_unknown); ++i)
    set("warning." + std::string(to_string(WarningId(i))),
        std::ranges::count(warnings, WarningId(i), &Warning::id));
}

void add_outcome(Facts& facts, const std::string& prefix, const RunResult* result) {
  const auto is = [&](const char* name, RunStatus status) {
    facts.set(prefix + "status." + name, result ? Value(result->status == status ? 1 : 0) : Value{});
  };
  is("ok", RunStatus::ok);
  is("fault", RunStatus::fault);
  is("refused", RunStatus::refused);
  is("cancelled", RunStatus::cancelled);
  std::optional<int> right;
  std::optional<uint64_t> mismatches;
  if (result && !result->checks.empty()) {
    mismatches = 0;
    for (const Check& check : result->checks) *mismatches += check.mismatches;
    right = std::ranges::all_of(result->checks, &Check::equal) ? 1 : 0;
  } else if (result && result->status != RunStatus::ok) {
    right = 0;
  }
  facts.set(prefix + "right", right);
  facts.set(prefix + "mismatches", mismatches);
}

// Index of the first element of the first output that this thread wrote.
std::optional<uint64_t> written_by(const RunResult& result, const Target& thread) {
  for (const OutputBuffer& output : result.outputs) {
    if (!output.writers) continue;
    const WriterMap& map = *output.writers;
    if (thread.block.x >= map.grid.x || thread.block.y >= map.grid.y || thread.block.z >= map.grid.z)
      continue;
    const uint64_t number =
        linear_index(thread.block, map.grid) * map.block.count() + linear_index(thread.thread, map.block) + 1;
    const auto found = std::ranges::find(map.writer, number);
    if (found != map.writer.end()) return static_cast<uint64_t>(found - map.writer.begin());
  }
  return std::nullopt;
}

void add_pins(Facts& facts, const Situation& situation) {
  const auto find = [&](Target::Kind kind) -> const Target* {
    const auto found = std::ranges::find(situation.pins, kind, &Target::kind);
    return found == situation.pins.end() ? nullptr : &*found;
  };
  const Target* thread = find(Target::Kind::thread);
  const Target* block = thread ? thread : find(Target::Kind::block);
  const Target* element = find(Target::Kind::element);
  const Target* line = find(Target::Kind::line);
  facts.set("pinned", situation.pins.empty() ? 0 : 1);
  facts.set("pinned.block", block ? 1 : 0);
  facts.set("pinned.thread", thread ? 1 : 0);
  facts.set("pinned.element", element ? 1 : 0);
  facts.set("pinned.line", line ? line->index : 0);
  set_dim3(facts, "pinned.block", block ? std::optional(block->block) : std::nullopt);
  set_dim3(facts, "pinned.thread", thread ? std::optional(thread->thread) : std::nullopt);
  std::optional<uint64_t> index;
  if (element)
    index = element->index;
  else if (thread && situation.result)
    index = written_by(*situation.result, *thread);
  facts.set("pinned.index", index);
}

void add_choices(Facts& facts, const Situation& s) {
  for (const std::string_view view : view_names())
    facts.set("view." + std::string(view), s.view == view ? 1 : 0);
  for (const std::string_view part : all_part_names())
    facts.set("part." + std::string(part), s.part == part ? 1 : 0);
  for (const KernelDescription& kernel : built_in_kernels())
    facts.set("kernel." + kernel.name, s.kernel_name == kernel.name ? 1 : 0);
  for (const Device& device : built_in_devices())
    facts.set("device." + device.id, s.device && s.device->id == device.id ? 1 : 0);
  facts.set("device.sms", s.device ? Value(s.device->sms) : Value{});
  facts.set("image.own", s.own_image ? 1 : 0);
  facts.set("edited", s.edited ? 1 : 0);
  facts.set("order", s.order);
  facts.set("seed", s.setup ? Value(s.setup->data_seed) : Value{});
  facts.set("text", s.text_percent);
  facts.set("runs", s.runs);
  facts.set("ran", s.result ? 1 : 0);
}

void add_program_of(Facts& facts, const Situation& s) {
  add_program(facts, "", s.program);
  const bool ran = s.program != nullptr && s.program->compiles;
  facts.set("program.right", ran ? Value(has_lines(s.program->printed, s.prints) ? 1 : 0) : Value{});
  facts.set("program.reordered", s.reordered ? 1 : 0);
  facts.set("program.same",
            ran && s.reordered ? Value(s.program->printed == s.reordered->printed ? 1 : 0) : Value{});
}

}  // namespace

void Facts::set(std::string_view name, Value value) {
  if (value.is_known()) {
    known.insert_or_assign(std::string(name), value);
    if (const auto at = unknown.find(name); at != unknown.end()) unknown.erase(at);
  } else {
    if (const auto at = known.find(name); at != known.end()) known.erase(at);
    unknown.emplace(name);
  }
}

bool Facts::has(std::string_view name) const { return known.contains(name) || unknown.contains(name); }

std::vector<std::string_view> Facts::names() const {
  std::vector<std::string_view> all;
  for (const auto& [name, value] : known) all.push_back(name);
  all.insert(all.end(), unknown.begin(), unknown.end());
  all.insert(all.end(), arrays.begin(), arrays.end());
  return all;
}

void add_run(Facts& facts, const std::string& prefix, const RunResult* result) {
  add_counters(facts, prefix, result);
  add_occupancy(facts, prefix, result);
  add_times(facts, prefix, result);
  add_incidents(facts, prefix, result);
  add_outcome(facts, prefix, result);
  add_sm(facts, prefix, result);
}

void add_launch(Facts& facts, const std::string& prefix, const std::optional<LaunchShape>& shape) {
  set_dim3(facts, prefix + "launch.block", shape ? std::optional(shape->block) : std::nullopt);
  set_dim3(facts, prefix + "launch.grid", shape ? std::optional(shape->grid) : std::nullopt);
  const auto set = [&](const char* name, Value value) { facts.set(prefix + name, shape ? value : Value{}); };
  const uint64_t blocks = shape ? shape->grid.count() : 0, threads = shape ? shape->block.count() : 0;
  set("launch.blocks", blocks);
  set("launch.threads", blocks * threads);
  set("launch.warps", blocks * ceil_div(threads, warp_lanes));
  set("launch.shared_bytes", shape ? shape->shared_dynamic_bytes : 0);
}

void add_numbers(Facts& facts, const KernelDescription& kernel, const KernelSetup& setup) {
  const Result<Evaluated> evaluated = evaluate_setup(kernel, setup);
  for (const auto* list : {&kernel.settings, &kernel.arguments})
    for (const KernelArgument& argument : *list)
      if (!argument.is_buffer) facts.set(argument.name, {});
  if (evaluated)
    for (const auto& [name, value] : evaluated->names) facts.set(name, value);
  for (const auto* list : {&kernel.arguments, &kernel.buffers})
    for (const KernelArgument& argument : *list)
      if (argument.is_buffer) facts.arrays.insert(argument.name);
}

void add_arrays(Facts& facts, const std::shared_ptr<const RunResult>& result) {
  if (!result || !result->request) return;
  const auto find = [result](std::string_view array) -> const OutputBuffer* {
    for (const OutputBuffer& output : result->outputs)
      if (result->request->buffers[output.index].name == array && output.bytes) return &output;
    return nullptr;
  };
  facts.element = [result, find](std::string_view array, uint64_t index) -> Value {
    const OutputBuffer* output = find(array);
    if (!output) return {};
    return element_at(*output->bytes, result->request->buffers[output->index].dtype, index);
  };
  facts.total = [result, find](std::string_view array) -> Value {
    const OutputBuffer* output = find(array);
    if (!output) return {};
    const DType type = result->request->buffers[output->index].dtype;
    return sum_of(*output->bytes, type, 0, output->bytes->size() / bytes_of(type));
  };
}

Facts facts_of(const Situation& situation) {
  Facts facts;
  add_choices(facts, situation);
  add_launch(facts, "", situation.shape);
  facts.set("launch.fit", situation.setup && situation.setup->fit_grid ? 1 : 0);
  set_dim3(facts, "problem", situation.problem);
  facts.set("problem.threads", situation.problem ? Value(situation.problem->count()) : Value{});
  add_run(facts, "", situation.result.get());
  add_run(facts, "baseline.", situation.baseline.get());
  add_launch(facts, "baseline.",
             situation.baseline ? std::optional(situation.baseline->shape) : std::nullopt);
  add_pins(facts, situation);
  add_program_of(facts, situation);
  const auto& step = situation.step;
  facts.set("step.line", step ? Value(step->line) : Value{});
  facts.set("step.position", step ? Value(step->position) : Value{});
  facts.set("step.end", step ? Value(step->end ? 1 : 0) : Value{});
  facts.set("step.active", step ? Value(step->active) : Value{});
  if (situation.kernel && situation.setup) add_numbers(facts, *situation.kernel, *situation.setup);
  add_arrays(facts, situation.result);
  return facts;
}

}  // namespace warplens::lesson
