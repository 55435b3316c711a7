#include "core/lesson/play/stage.h"

#include <fmt/format.h>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/gpu/stepping/walk.h"
#include "core/image/image.h"
#include "core/job/files/own_kernel_file.h"
#include "core/job/run_job.h"
#include "core/lesson/goals/sm_facts.h"

namespace warplens::lesson {

std::string with_edits(const std::string& source, const std::map<uint32_t, std::string>& edits) {
  std::string text;
  uint32_t number = 1;
  for (size_t at = 0; at < source.size(); ++number) {
    const size_t end = std::min(source.find('\n', at), source.size());
    const auto edit = edits.find(number);
    if (edit == edits.end()) {
      text += source.substr(at, end - at);
    } else {
      text += source.substr(at, std::min(source.find_first_not_of(" \t", at), end) - at);
      text += edit->second;
    }
    text += '\n';
    at = end + 1;
  }
  return text;
}

namespace {

// A text with everything in a state that a run depends on.
std::string key_of(const Show& show) {
  std::string key = fmt::format("{}|{}|{}|{}|{}|", show.kernel.value_or(""), show.code.value_or(""),
                                show.entry.value_or(""), show.image.value_or(""), show.device.value_or(""));
  for (const auto& [name, value] : show.values) key += fmt::format("{}={};", name, value);
  const auto size = [&](const std::optional<Dim3>& d) {
    return d ? fmt::format("{},{},{}|", d->x, d->y, d->z) : "|";
  };
  key += size(show.block) + size(show.grid);
  key += fmt::format("{}|{}|{}|{}|", show.fit_grid.value_or(false), show.shared_bytes.value_or(0),
                     show.seed.value_or(1), show.order.value_or(0));
  for (const auto& [line, text] : show.edits) key += fmt::format("{}:{}\n", line, text);
  return key;
}

Result<void> go_to(stepping::BlockStepper& stepper, const StepPlace& place, uint32_t& warp,
                   const std::stop_token& stop) {
  using stepping::Breakpoint;
  warp = place.warp.value_or(0);
  switch (place.kind) {
    case StepPlace::Kind::line: {
      const stepping::Stop at =
          stepper.run_to_line(Breakpoint::Kind::source_line, uint32_t(place.value), warp, stop);
      if (at.why != stepping::Why::breakpoint && at.why != stepping::Why::stepped)
        return bad_input(fmt::format("warp {} does not come to line {}: {}", warp, place.value, at.message));
      return {};
    }
    case StepPlace::Kind::position:
      stepper.jump(place.value, stop);
      return {};
    case StepPlace::Kind::barrier:
      warp = stepping::seek(stepper, stepping::Seek::barrier, stop).warp;
      return {};
    case StepPlace::Kind::divergence:
      warp = stepping::seek(stepper, stepping::Seek::divergence, stop).warp;
      return {};
    case StepPlace::Kind::conflict:
      warp = stepping::seek(stepper, stepping::Seek::conflict, stop).warp;
      return {};
    case StepPlace::Kind::end:
      stepper.run({}, stop);
      return {};
  }
  return {};
}

Dim3 stepped_block(const Show& show) {
  for (const Target& pin : show.pins.value_or(std::vector<Target>{}))
    if (pin.kind == Target::Kind::block || pin.kind == Target::Kind::thread) return pin.block;
  return {0, 0, 0};
}

}  // namespace

Result<SteppedTo> stepped_to(const Show& show, std::shared_ptr<const LaunchRequest> request, uint32_t& warp,
                             const std::stop_token& stop) {
  Result<stepping::BlockStepper> stepper =
      stepping::BlockStepper::open(std::move(request), stepped_block(show), {}, stop);
  if (!stepper) return stepper.error();
  if (const Result<void> went = go_to(*stepper, *show.step, warp, stop); !went) return went.error();
  SteppedTo at;
  at.position = stepper->position();
  at.end = stepper->end() != stepping::End::none;
  if (const auto next = stepper->next()) {
    at.line = stepper->place(next->instruction).line;
    at.active = uint32_t(__builtin_popcount(next->active));
  }
  return at;
}

struct Stage::State {
  // The input of a run of a state, and its result.
  struct Made {
    std::shared_ptr<const KernelDescription> kernel;
    KernelSetup setup;
    Device device;
    std::shared_ptr<const RunResult> result;
  };

  Folder folder;
  std::string device;
  std::unique_ptr<Backend> backend = make_virtual_gpu();
  RunsProgram runs_program;
  std::map<std::string, std::shared_ptr<const Made>> runs;
  std::map<std::string, std::vector<ProgramOutcome>> program_runs;

  // In the order of the calls, and then in another one if that is asked for.
  Result<std::vector<ProgramOutcome>> run_program(const Show& show, const Device& chosen,
                                                  const std::stop_token& stop) {
    const std::string key = *show.program + "|" + chosen.id + key_of(show);
    if (const auto known = program_runs.find(key); known != program_runs.end()) return known->second;
    if (!runs_program) return missing("Programs cannot be run here.");
    const auto file = folder.files.find(*show.program);
    if (file == folder.files.end()) return bad_input(fmt::format("{} is not in the folder", *show.program));
    ProgramOrder order{*show.program, with_edits(file->second, show.edits), chosen.id};
    if (show.order.value_or(0) != 0) order.runs.push_back({{}, "late"});
    Result<std::vector<ProgramOutcome>> ran = runs_program(order, stop);
    if (ran) program_runs[key] = *ran;
    return ran;
  }

  Result<Device> device_of(const Show& show) const {
    const std::string id = show.device.value_or(device);
    return id.empty() ? Result<Device>(built_in_devices().front()) : find_device(id);
  }

  Result<std::shared_ptr<const KernelDescription>> kernel_of(const Show& show, const Device& chosen,
                                                             const std::stop_token& stop) {
    if (!show.code && show.edits.empty()) {
      const Result<const KernelDescription*> kernel = find_kernel(show.kernel.value_or(""));
      if (!kernel) return kernel.error();
      return borrowed(**kernel);
    }
    OwnKernelSource source;
    source.entry = show.entry.value_or("");
    if (show.code) {
      const auto file = folder.files.find(*show.code);
      if (file == folder.files.end()) return bad_input(fmt::format("{} is not in the folder", *show.code));
      source.source = file->second;
      source.name = *show.code;
    } else {
      const Result<const KernelDescription*> kernel = find_kernel(show.kernel.value_or(""));
      if (!kernel) return kernel.error();
      source.source = (*kernel)->source;
      source.name = (*kernel)->source_name;
      source.copy_of = (*kernel)->name;
    }
    source.source = with_edits(source.source, show.edits);
    const Result<CompiledKernel> made = make_own_kernel(source, chosen, stop);
    if (!made) return made.error();
    if (!made->own.kernel) return error_of(made->own.diagnostics);
    return made->own.kernel;
  }

  Result<std::shared_ptr<const Image>> image_of(const Show& show) {
    if (!show.image) return std::shared_ptr<const Image>();
    const auto file = folder.files.find(*show.image);
    Result<Image> image = file == folder.files.end()
                              ? open_picture(*show.image, 0)
                              : decode_image(std::as_bytes(std::span(file->second)), *show.image, 0);
    if (!image) return image.error();
    return std::make_shared<const Image>(std::move(*image));
  }

  Result<std::shared_ptr<const Made>> run(const Show& show, const std::stop_token& stop) {
    const std::string key = key_of(show);
    if (const auto known = runs.find(key); known != runs.end()) return known->second;
    const Result<Device> chosen = device_of(show);
    if (!chosen) return chosen.error();
    const auto kernel = kernel_of(show, *chosen, stop);
    if (!kernel) return kernel.error();
    auto made = std::make_shared<Made>();
    made->kernel = *kernel;
    made->device = *chosen;
    made->setup = default_setup(**kernel);
    for (const auto& [name, value] : show.values) made->setup.values[name] = value;
    if (show.block) made->setup.block = *show.block;
    if (show.fit_grid) made->setup.fit_grid = *show.fit_grid;
    if (show.grid) made->setup.grid = *show.grid;
    made->setup.shared_dynamic_bytes = show.shared_bytes.value_or(made->setup.shared_dynamic_bytes);
    made->setup.data_seed = show.seed.value_or(1);
    const auto image = image_of(show);
    if (!image) return image.error();
    made->setup.image = *image;
    RunOptions options;
    options.seed = show.order.value_or(0);
    options.workers = 1;  // as in the window: the result of a race is the same each time
    options.findings = true;
    options.caches = true;
    options.sm = asks_for_sm(folder);
    options.record_writers = true;
    options.record_blocks = true;
    const Result<Job> job = make_job(*kernel, made->setup, *chosen, options);
    if (!job) return job.error();
    Result<RunResult> ran = run_job(*job, *backend, stop, nullptr);
    if (!ran) return ran.error();
    made->result = std::make_shared<const RunResult>(std::move(*ran));
    runs[key] = made;
    return std::shared_ptr<const Made>(made);
  }
};

Stage::Stage(const Folder& folder, std::string default_device, RunsProgram runs_program)
    : m_state(std::make_unique<State>()) {
  m_state->folder = folder;
  m_state->device = std::move(default_device);
  m_state->runs_program = std::move(runs_program);
}
Stage::~Stage() = default;

std::string Stage::text_of(const std::string& file) const {
  const auto found = m_state->folder.files.find(file);
  return found == m_state->folder.files.end() ? std::string() : found->second;
}

// What does not depend on a run.
static void note_show(const Show& show, const Folder& folder, Situation& s) {
  s.view = show.view.value_or(show.program ? "program" : "grid");
  s.part = show.part.value_or("");
  s.order = show.order.value_or(0);
  s.text_percent = show.text_percent.value_or(100);
  s.runs = 1;
  s.edited = !show.edits.empty();
  // A picture in the lesson's folder is used as the student's own.
  s.own_image = show.image && folder.files.contains(*show.image);
  s.pins = show.pins.value_or(std::vector<Target>{});
}

Result<std::shared_ptr<const Staged>> Stage::set_program(const Show& show, const std::stop_token& stop) {
  auto staged = std::make_shared<Staged>();
  const Result<Device> chosen = m_state->device_of(show);
  if (!chosen) return chosen.error();
  const auto ran = m_state->run_program(show, *chosen, stop);
  if (!ran) return ran.error();
  staged->show = show;
  staged->device = *chosen;
  staged->program = std::make_shared<const ProgramOutcome>(ran->front());
  if (ran->size() > 1) staged->reordered = std::make_shared<const ProgramOutcome>(ran->back());
  Situation& s = staged->situation;
  note_show(show, m_state->folder, s);
  s.device = &staged->device;
  s.program = staged->program.get();
  s.reordered = staged->reordered.get();
  s.prints = show.prints.value_or("");
  staged->facts = facts_of(s);
  return std::shared_ptr<const Staged>(staged);
}

Result<std::shared_ptr<const Staged>> Stage::set(const Show& show, std::stop_token stop) {
  if (show.program) return set_program(show, stop);
  const auto made = m_state->run(show, stop);
  if (!made) return made.error();
  auto staged = std::make_shared<Staged>();
  staged->show = show;
  staged->kernel = (*made)->kernel;
  staged->setup = (*made)->setup;
  staged->device = (*made)->device;
  staged->result = (*made)->result;
  if (!show.baseline.empty()) {
    const auto other = m_state->run(with_changes(show, show.baseline.front()), stop);
    if (!other) return other.error();
    staged->baseline = (*other)->result;
  }
  Situation& s = staged->situation;
  s.kernel = staged->kernel.get();
  s.setup = &staged->setup;
  s.device = &staged->device;
  s.shape = staged->result->shape;
  const Result<Dim3> problem = problem_size(*staged->kernel, staged->setup);
  if (problem) s.problem = *problem;
  s.result = staged->result;
  s.baseline = staged->baseline;
  note_show(show, m_state->folder, s);
  s.kernel_name = show.kernel && show.edits.empty() ? *show.kernel : "";
  if (show.step) {
    uint32_t warp = 0;
    const Result<SteppedTo> at = stepped_to(show, staged->result->request, warp, stop);
    if (!at) return at.error();
    s.step = *at;
  }
  staged->facts = facts_of(s);
  return std::shared_ptr<const Staged>(staged);
}

}  // namespace warplens::lesson
