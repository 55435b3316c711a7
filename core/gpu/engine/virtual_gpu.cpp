// The virtual GPU: runs a request's steps on the CPU and reports what was counted.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "core/base/system/between_frames.h"
#include "core/base/system/no_memory.h"
#include "core/gpu/engine/cache_recorder.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/gpu/exec/state/observer.h"
#include "core/gpu/machine/incident.h"
#include "core/gpu/machine/machine.h"
#include "core/gpu/machine/module_runtime.h"
#include "core/gpu/machine/no_memory.h"
#include "core/gpu/machine/passed.h"
#include "core/gpu/machine/tally.h"
#include "core/gpu/sanitize/sanitizer.h"
#include "core/gpu/stepping/trace/run_tracer.h"
#include "core/launch/backend.h"
#include "core/launch/steps.h"

namespace warplens {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(std::chrono::nanoseconds d) {
  return std::chrono::duration<double, std::milli>(d).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return n == 0 ? 0 : n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

program::DecodeMode mode_of(const LaunchRequest& request) {
  const program::Watching watching = request.sanitize == Sanitize::off      ? program::Watching::nothing
                                     : request.sanitize == Sanitize::memory ? program::Watching::divisions
                                                                            : program::Watching::all;
  return {.stepping = request.trace_limit != 0, .watching = watching, .base = module_base_of(request)};
}

class TwoRecorders final : public exec::AccessRecorder {
 public:
  TwoRecorders(exec::AccessRecorder& first, exec::AccessRecorder& second)
      : m_first(first), m_second(second) {}
  void record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
              const uint64_t* addresses) override {
    m_first.record(op, warp, mask, space, kind, addresses);
    m_second.record(op, warp, mask, space, kind, addresses);
  }
  void record_shaped(const exec::Op& op, uint32_t warp, Space space, AccessKind kind,
                     exec::AccessShape& shape, uint64_t first) override {
    m_first.record_shaped(op, warp, space, kind, shape, first);
    m_second.record_shaped(op, warp, space, kind, shape, first);
  }
  bool listens_to(Space space) const override {
    return m_first.listens_to(space) || m_second.listens_to(space);
  }
  void record_texture(std::span<const uint64_t> sectors) override {
    m_first.record_texture(sectors);
    m_second.record_texture(sectors);
  }

 private:
  exec::AccessRecorder &m_first, &m_second;
};

// One pass over all steps, from the initial buffers.
class RequestPass {
 public:
  RequestPass(const LaunchRequest& request, const Programs& programs, uint32_t workers, RunResult& result)
      : m_request(request), m_programs(programs), m_workers(workers), m_result(result) {
    if (request.model_caches && CacheRecorder::knows(request.device)) m_caches.emplace(request);
    if (request.trace_limit != 0) m_tracer.emplace(request.trace_limit);
    if (request.sanitize != Sanitize::off) {
      m_sanitizer.emplace(request.sanitize == Sanitize::all);
      std::vector<DType> types;
      for (const BufferSpec& buffer : request.buffers) types.push_back(buffer.dtype);
      m_sanitizer->know_types(std::move(types));
    }
    if (m_caches && m_sanitizer) m_both.emplace(*m_caches, *m_sanitizer);
  }

  Result<void> run(std::stop_token stop, Progress* progress) {
    Result<Machine> machine = Machine::create(m_request, m_programs);
    if (!machine) return machine.error();
    const auto steps = all_steps(m_request);  // the last launch is used after the loop
    for (const Step& step : steps) {
      if (auto done = take(step, *machine, stop, progress); !done) return done;
      if (m_result.status != RunStatus::ok) break;
    }
    // A fault leaves memory as it is, so what the kernel wrote before can still be inspected.
    for (uint32_t b = 0; m_result.status != RunStatus::ok && b < m_request.buffers.size(); ++b)
      collect(b, machine->copy_out(b), *machine);
    if (m_tracer) m_result.trace = m_tracer->take();
    if (m_sanitizer) {
      if (m_result.status == RunStatus::ok) m_sanitizer->finish();
      m_result.findings = m_sanitizer->incidents();
      m_result.looked_for = m_request.sanitize;
    }
    std::ranges::move(m_passed, std::back_inserter(m_result.findings));
    return {};
  }

  double execute_ms() const { return m_execute_ms; }
  bool ran_in_parallel() const { return m_parallel; }
  bool ran_out_of_memory() const { return m_out_of_memory; }

 private:
  Result<void> allocate(const AllocateStep& step, Machine& machine) {
    auto done = machine.allocate(step.buffer);
    if (done && m_sanitizer && !step.cleared) m_sanitizer->allocate_buffer(*machine.allocation(step.buffer));
    return done;
  }

  Result<void> copy_in(uint32_t buffer, Machine& machine) {
    const Bytes* host = m_copied_out[buffer].get();
    auto done = machine.copy_in(buffer, host);
    if (!done || !m_sanitizer) return done;
    const Bytes* from = host != nullptr ? host : m_request.buffers[buffer].initial.get();
    m_sanitizer->copy_in(*machine.allocation(buffer), from == nullptr ? UINT64_MAX : from->size());
    return done;
  }

  Result<void> take(const Step& step, Machine& machine, std::stop_token stop, Progress* progress) {
    if (const auto* s = std::get_if<AllocateStep>(&step)) return allocate(*s, machine);
    if (const auto* s = std::get_if<CopyInStep>(&step)) return copy_in(s->buffer, machine);
    if (const auto* s = std::get_if<CopyOutStep>(&step)) {
      if (!machine.is_allocated(s->buffer)) return not_allocated(s->buffer, "copied from");
      m_copied_out[s->buffer] = machine.copy_out(s->buffer);
      collect(s->buffer, m_copied_out[s->buffer], machine);
    } else if (const auto* f = std::get_if<FreeStep>(&step)) {
      if (!machine.is_allocated(f->buffer)) return not_allocated(f->buffer, "freed");
      if (m_sanitizer) m_sanitizer->free_buffer(*machine.allocation(f->buffer));
      machine.free(f->buffer);
    } else if (const auto* l = std::get_if<LaunchStep>(&step)) {
      return launch(*l, machine, stop, progress);
    }
    return {};
  }

  Error not_allocated(uint32_t buffer, const char* what) const {
    return bad_input("The buffer " + m_request.buffers[buffer].name + " is " + what +
                     " while it is not allocated.");
  }

  void collect(uint32_t buffer, std::shared_ptr<const Bytes> bytes, Machine& machine) {
    std::erase_if(m_result.outputs, [&](const OutputBuffer& o) { return o.index == buffer; });
    if (!m_request.buffers[buffer].output) return;
    const LaunchStep* last = m_last_launch != nullptr ? m_last_launch : first_launch(m_request);
    if (bytes != nullptr)
      m_result.outputs.push_back({buffer, std::move(bytes), machine.writers(buffer, *last)});
  }

  Result<void> launch(const LaunchStep& step, Machine& machine, std::stop_token stop, Progress* progress) {
    const std::shared_ptr<const program::Program>& program = m_programs.by_entry.find(step.entry)->second;
    Result<exec::GridLaunch> launch = machine.prepare(step, *program, m_workers);
    if (!launch) return launch.error();
    if (program->calls_runtime && !m_runtime)
      m_runtime.emplace(m_programs.module, mode_of(m_request), m_request.device);
    launch->runtime = m_runtime ? &*m_runtime : nullptr;
    m_last_launch = &step;
    LaunchRecord record;
    record.entry = step.entry;
    record.shape = shape_of(step);
    const std::optional<Counters> before = m_result.counters;
    std::vector<exec::WorkLevel> levels;
    Result<void> done = run(*launch, step, program, machine, stop, progress, record, levels);
    if (done && m_runtime) done = run_works(*launch, machine, stop, progress, record, levels);
    if (!done) return done;
    if (m_result.counters) record.counters = since(*before, *m_result.counters);
    m_execute_ms += record.execute_ms;
    m_result.launches.push_back(std::move(record));
    return {};
  }

  // Runs a grid. What it gave to the device is a new level; the record gets what all grids of a launch
  // counted.
  Result<void> run(exec::GridLaunch& launch, const LaunchStep& step,
                   const std::shared_ptr<const program::Program>& shared_program, Machine& machine,
                   const std::stop_token& stop, Progress* progress, LaunchRecord& record,
                   std::vector<exec::WorkLevel>& levels) {
    const program::Program& program = *shared_program;
    const bool is_child = m_runtime && m_runtime->depth != 0;
    if (m_sanitizer) watch(step, shared_program, machine, launch);
    if (m_caches) {
      m_caches->start_launch(step, program);
      launch.workers = 1;
      launch.turn_steps = CacheRecorder::turn_steps;
      launch.recorder = launch.watch != nullptr ? static_cast<exec::AccessRecorder*>(&*m_both) : &*m_caches;
      launch.block_observer = &*m_caches;
    }
    if (m_tracer) m_tracer->start_launch(step, shared_program, launch);
    // Blocks of a loop may differ in the amount of work, which the time model needs to know.
    const bool loops = m_request.observe != Observe::none && program::has_loop(program.flow) && !is_child;
    if (loops) launch.record_blocks = true;
    m_parallel = m_parallel || launch.workers > 1;
    exec::PassedFaults passed;
    if (m_request.passes_faults) launch.passed = &passed;
    const WorkClock clock;
    exec::GridOutcome outcome = exec::run_grid(launch, stop, progress);
    if (outcome.end == exec::GridOutcome::End::out_of_memory) {
      m_out_of_memory = true;
      return no_memory_for(launch, step.entry);
    }
    record.execute_ms += milliseconds(clock.elapsed());
    if (m_result.counters) count(outcome, program, *m_result.counters, record);
    if (loops && outcome.end == exec::GridOutcome::End::finished)
      record.block_work = block_work(outcome.blocks);
    note_console(outcome.console);
    const auto described = [&](const exec::Fault& fault, Dim3 block) {
      return describe(fault, program, machine.memory(), block, step.block);
    };
    std::ranges::move(incidents_of(passed, program, described), std::back_inserter(m_passed));
    if (m_request.record_blocks && m_result.blocks == nullptr) {
      m_result.blocks = std::make_shared<const BlockStats>(std::move(outcome.blocks));
    }
    if (outcome.end == exec::GridOutcome::End::cancelled) {
      m_result.status = RunStatus::cancelled;
      m_result.message = "The run was cancelled.";
    } else if (outcome.end == exec::GridOutcome::End::fault) {
      m_result.status = RunStatus::fault;
      m_result.faults.push_back(described(outcome.fault, outcome.fault_block));
      m_result.message = m_result.faults.back().message;
    }
    if (!outcome.works.empty()) levels.push_back({std::move(outcome.works)});
    return {};
  }

  // What a launch gave to the device, in order, and what that gives itself.
  Result<void> run_works(const exec::GridLaunch& root, Machine& machine, const std::stop_token& stop,
                         Progress* progress, LaunchRecord& record, std::vector<exec::WorkLevel>& levels) {
    // What a kernel launched in a program on the virtual GPU was recorded as launches of their own. Their
    // addresses are the program's, unlike those of other requests.
    if (m_request.place.global != 0) levels.clear();
    Result<void> done;
    while (const exec::DeviceWork* work = exec::next_work(levels, *m_runtime)) {
      machine.memory().forget_parameters();  // the launches have copies
      if (work->kind == exec::DeviceWork::Kind::kernel) {
        done = run_child(root, *work, machine, stop, progress, record, levels);
      } else if (const auto changed = exec::perform(*work, machine.memory()); changed && m_sanitizer) {
        m_sanitizer->copy_to(*changed->allocation, changed->offset, changed->bytes);
      }
      if (!done || m_result.status != RunStatus::ok) break;
    }
    m_runtime->depth = m_runtime->pending = 0;
    machine.memory().forget_parameters();
    return done;
  }

  Result<void> run_child(const exec::GridLaunch& root, const exec::DeviceWork& work, Machine& machine,
                         const std::stop_token& stop, Progress* progress, LaunchRecord& record,
                         std::vector<exec::WorkLevel>& levels) {
    const Result<std::shared_ptr<const program::Program>> program = m_runtime->program_of(work.function);
    if (!program) return program.error();
    exec::GridLaunch launch = child_of(root, work, **program);
    launch.workers = (*program)->order_dependent ? 1 : m_workers;
    launch.record_blocks = false;
    launch.index = machine.next_launch();
    const LaunchStep step = step_of(launch);
    return run(launch, step, *program, machine, stop, progress, record, levels);
  }

  void count(const exec::GridOutcome& outcome, const program::Program& program, Counters& counters,
             LaunchRecord& record) {
    tally(outcome, program, true, counters, record.mix, m_result.lines);
    if (m_caches) m_caches->report(counters);
  }

  // Empty if the launches before it have used up the space.
  BlockWork block_work(const BlockStats& blocks) {
    constexpr size_t most = 16'384;
    const size_t bins = blocks.warp_instructions.size(), joined = std::max<size_t>(1, ceil_div(bins, most));
    const size_t cells = ceil_div(bins, joined);
    if (cells > m_cells_left) return {};
    m_cells_left -= cells;
    BlockWork work{blocks.blocks_per_bin * joined, std::vector<uint64_t>(cells)};
    for (size_t bin = 0; bin < bins; ++bin) work.cells[bin / joined] += blocks.warp_instructions[bin];
    return work;
  }

  // Code that follows accesses needs them in order, on one worker.
  void watch(const LaunchStep& step, std::shared_ptr<const program::Program> program, Machine& machine,
             exec::GridLaunch& launch) {
    const bool lockstep = m_request.device.compute_capability.major < 7;
    m_sanitizer->start_launch(step, std::move(program), machine.memory(), launch.parameters, lockstep);
    launch.notes = &*m_sanitizer;
    if (!m_sanitizer->follows_accesses()) return;
    launch.watch = launch.notes;
    launch.recorder = launch.notes;
    launch.workers = 1;
  }

  void note_console(const exec::Console& console) {
    if (console.dropped != 0) {
      m_result.console += fmt::format(
          "[{} bytes of output are not here: CUDA's buffer for printf holds 1 MiB, and the last output is "
          "kept.]\n",
          console.dropped);
    }
    m_result.console += console.text;
  }

  const LaunchRequest& m_request;
  const Programs& m_programs;
  uint32_t m_workers;
  RunResult& m_result;
  std::map<uint32_t, std::shared_ptr<const Bytes>> m_copied_out;  // the host's arrays after the first copy
  std::optional<CacheRecorder> m_caches;
  std::optional<stepping::RunTracer> m_tracer;
  std::optional<sanitize::Sanitizer> m_sanitizer;
  std::optional<TwoRecorders> m_both;
  std::optional<ModuleRuntime> m_runtime;  // once a kernel may launch others
  std::vector<Incident> m_passed;          // accesses outside of memory after which launches went on
  const LaunchStep* m_last_launch = nullptr;
  double m_execute_ms = 0;
  bool m_parallel = false, m_out_of_memory = false;
  size_t m_cells_left = size_t{1} << 20;  // of BlockWork, for all launches: 8 MiB
};

// The buffer that a step names; empty for a launch.
std::optional<uint32_t> buffer_of(const Step& step) {
  return std::visit(
      [](const auto& s) -> std::optional<uint32_t> {
        if constexpr (std::is_same_v<std::decay_t<decltype(s)>, LaunchStep>) {
          return std::nullopt;
        } else {
          return s.buffer;
        }
      },
      step);
}

bool names_missing_buffer(const LaunchRequest& request, const Step& step) {
  const auto missing = [&](uint32_t buffer) { return buffer >= request.buffers.size(); };
  if (const auto buffer = buffer_of(step)) return missing(*buffer);
  const auto& arguments = std::get<LaunchStep>(step).arguments;
  return std::any_of(arguments.begin(), arguments.end(), [&](const Argument& argument) {
    if (const auto* given = std::get_if<StructArgument>(&argument))
      return std::ranges::any_of(given->pointers, [&](const auto& p) { return missing(p.to.buffer); });
    if (const auto* texture = std::get_if<TextureArgument>(&argument)) return missing(texture->buffer);
    const auto* buffer = std::get_if<BufferArgument>(&argument);
    return buffer != nullptr && missing(buffer->buffer);
  });
}

}  // namespace

Result<void> check_request(const LaunchRequest& request) {
  for (const TextureBinding& binding : request.textures) {
    if (binding.texture.buffer >= request.buffers.size())
      return bad_input("A texture names a buffer that the request lacks.");
  }
  for (const Step& step : request.steps) {
    if (names_missing_buffer(request, step))
      return bad_input("A step names a buffer that the request lacks.");
    const auto* launch = std::get_if<LaunchStep>(&step);
    if (launch == nullptr) continue;
    const uint64_t threads = launch->block.count();
    if (launch->grid.count() == 0 || threads == 0 || threads > 1024) {
      return bad_input("A launch needs at least one block, and from 1 to 1,024 threads in each.");
    }
    if (launch->shared_dynamic_bytes > (1u << 20)) return bad_input("No GPU has that much shared memory.");
  }
  return {};
}

namespace {

class VirtualGpu final : public Backend {
 public:
  Result<RunResult> run(std::shared_ptr<const LaunchRequest> request, std::stop_token stop,
                        Progress* progress) override {
    return or_no_memory([&] { return run_passes(request, stop, progress); }, no_memory);
  }

 private:
  static constexpr const char* no_memory =
      "There is not enough memory on this machine for the run: for its buffers and what is recorded of it. "
      "Choose smaller sizes.";

  Result<RunResult> run_passes(const std::shared_ptr<const LaunchRequest>& request,
                               const std::stop_token& stop, Progress* progress) {
    if (const auto fine = check_request(*request); !fine) return fine.error();
    const Result<Programs> programs = load(*request);
    if (!programs) return programs.error();
    uint32_t workers =
        request->workers != 0 ? request->workers : std::max(1u, std::thread::hardware_concurrency());
    std::vector<double> times;
    RunResult result;
    for (uint32_t i = 0; i < std::max(1u, request->repeat); ++i) {
      const auto pass = [&] { return run_pass(request, *programs, workers, result, stop, progress); };
      PassEnd end = pass();
      if (wants_order(end, result)) {
        workers = 1;
        end = pass();
      }
      if (!end.done) return end.done.error();
      times.push_back(end.execute_ms);
      if (result.status != RunStatus::ok) break;
    }
    result.host.execute_ms = median(times);
    result.host.workers = workers;
    result.host.repeats = static_cast<uint32_t>(times.size());
    return result;
  }

  struct PassEnd {
    Result<void> done;
    double execute_ms = 0;
    bool parallel = false, out_of_memory = false;
  };

  // When this returns, everything but the result is freed, so that another pass can use the memory.
  static PassEnd run_pass(const std::shared_ptr<const LaunchRequest>& request, const Programs& programs,
                          uint32_t workers, RunResult& result, const std::stop_token& stop,
                          Progress* progress) {
    result = empty_result(request);
    PassEnd end;
    end.done = or_no_memory(
        [&] {
          end.out_of_memory = true;  // stays if an exception is thrown below
          end.parallel = workers > 1;
          RequestPass pass(*request, programs, workers, result);
          Result<void> done = pass.run(stop, progress);
          end = {{}, pass.execute_ms(), pass.ran_in_parallel(), pass.ran_out_of_memory()};
          return done;
        },
        no_memory);
    return end;
  }

  // With several workers, the blocks that ran besides the faulting one depend on the workers' speed, so the
  // report is made from a run in order. A run that lacked memory is repeated too: a single worker has fewer
  // blocks in progress and needs less.
  static bool wants_order(const PassEnd& end, const RunResult& result) {
    if (!end.parallel) return false;
    if (!end.done) return end.out_of_memory;
    return result.status == RunStatus::fault && result.faults[0].kind != IncidentKind::step_limit;
  }

  static RunResult empty_result(const std::shared_ptr<const LaunchRequest>& request) {
    RunResult result;
    result.request = request;
    if (const LaunchStep* launch = first_launch(*request)) {
      result.entry = launch->entry;
      result.shape = shape_of(*launch);
    }
    if (request->observe != Observe::none) result.counters.emplace();
    return result;
  }

  // The last module is kept: changing a block size runs the same code again.
  Result<Programs> load(const LaunchRequest& request) {
    const std::scoped_lock lock(m_mutex);
    const program::DecodeMode mode = mode_of(request);
    const bool same = m_module != nullptr && m_mode == mode &&
                      (m_module == request.module || m_module->ptx == request.module->ptx);
    if (same && has_all_entries(request)) return m_programs;
    Result<Programs> programs = load_programs(request, mode);
    if (!programs) return programs;
    Programs kept = *programs;  // first what may throw
    m_module = request.module;
    m_mode = mode;
    m_programs = std::move(kept);
    return programs;
  }
  bool has_all_entries(const LaunchRequest& request) const {
    return std::all_of(request.steps.begin(), request.steps.end(), [&](const Step& step) {
      const auto* launch = std::get_if<LaunchStep>(&step);
      return launch == nullptr || m_programs.by_entry.contains(launch->entry);
    });
  }

  std::mutex m_mutex;
  std::shared_ptr<const ModuleText> m_module;
  program::DecodeMode m_mode = program::DecodeMode::for_running;
  Programs m_programs;
};

}  // namespace

std::unique_ptr<Backend> make_virtual_gpu() { return std::make_unique<VirtualGpu>(); }

}  // namespace warplens
