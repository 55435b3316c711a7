// Where a kernel spends its time: a timer interrupts the run and records which op was running. The run uses
// one core and no counters, and a copy of the program in which each op first records that it runs.
#include <fmt/format.h>
#include <signal.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>

#include "core/gpu/exec/state/counters.h"
#include "core/gpu/exec/state/routines.h"
#include "core/gpu/machine/machine.h"
#include "core/launch/steps.h"
#include "core/ptx/parser/parse.h"
#include "core/ptx/print/print.h"
#include "tests/bench/cases.h"
#include "tests/bench/tables.h"

namespace warplens::bench {

namespace {

// Read by the handler of the timer's signal. In addition to the ops, there is a state in which a block is
// prepared.
struct Sampled {
  std::vector<exec::Op> ops;
  std::vector<exec::Handlers> originals;
  std::vector<uint32_t> samples;  // per op; the last one: between blocks
  std::atomic<size_t> current{0};
};
Sampled* sampled = nullptr;

const exec::Op* run_sampled(const exec::Op* op, exec::Warp& warp) {
  const auto number = static_cast<size_t>(op - warp.block->program->ops.data());
  sampled->current.store(number, std::memory_order_relaxed);
  return sampled->originals[number].run[warp.mode](op, warp);
}

void note_sample(int) { ++sampled->samples[sampled->current.load(std::memory_order_relaxed)]; }

class NextBlock final : public exec::BlockObserver {
 public:
  void enter(uint64_t) override { sampled->current = sampled->samples.size() - 1; }
};

// Signals every so often while it lives.
class Timer {
 public:
  explicit Timer(std::chrono::nanoseconds each) {
    struct sigaction action {};
    action.sa_handler = note_sample;
    action.sa_flags = SA_RESTART;
    sigaction(SIGPROF, &action, nullptr);
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGPROF;
    timer_create(CLOCK_MONOTONIC, &event, &m_timer);
    const timespec time{0, static_cast<long>(each.count())};
    const itimerspec spec{time, time};
    timer_settime(m_timer, 0, &spec, nullptr);
  }
  ~Timer() {
    timer_delete(m_timer);
    signal(SIGPROF, SIG_IGN);
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  timer_t m_timer{};
};

// "ld.global.f32": what an instruction is, without its guard and operands.
std::string form_of(const program::Program& program, uint32_t instruction) {
  std::string text = ptx::print_instruction(*program.module, *program.code_of(instruction).function,
                                            program.instruction(instruction));
  if (text.starts_with('@')) text = text.substr(text.find(' ') + 1);
  return text.substr(0, text.find_first_of(" ;"));
}

struct Share {
  double time = 0, executed = 0;
};

// The launch again and again until there are samples enough.
std::map<std::string, Share> profile_of(const LaunchRequest& request) {
  const Result<Programs> programs = load_programs(request, {.watching = program::Watching::divisions});
  if (!programs) return {};
  const LaunchStep& step = *first_launch(request);
  program::Program program = *programs->by_entry.find(step.entry)->second;
  Sampled data;
  for (exec::Op& op : program.ops) {
    data.originals.push_back(op.handlers);
    op.handlers.run[exec::all_lanes] = op.handlers.run[exec::some_lanes] = run_sampled;
  }
  data.samples.resize(program.ops.size() + 1);
  data.current = program.ops.size();
  sampled = &data;
  NextBlock next_block;
  std::vector<exec::BlockCount> counts;
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(600)) {
    Result<Machine> machine = Machine::create(request, *programs);
    for (uint32_t b = 0; machine && b < request.buffers.size(); ++b)
      if (!machine->allocate(b) || !machine->copy_in(b)) return {};
    if (!machine) return {};
    Result<exec::GridLaunch> launch = machine->prepare(step, program, 1);
    if (!launch) return {};
    launch->count_memory = launch->record_blocks = false;
    launch->block_observer = &next_block;
    launch->tier = exec::Tier::off;  // whose ops say nothing
    const Timer timer(std::chrono::microseconds(50));
    counts = exec::run_grid(*launch, {}, nullptr).counts;
  }
  double samples = 0, executed = 0;
  for (const uint32_t count : data.samples) samples += count;
  for (uint32_t i = 0; i < program.instructions(); ++i)
    executed += static_cast<double>(counts[program.flow.block_of[i]].warps);
  std::map<std::string, Share> forms;
  forms["starting blocks"].time = data.samples.back() / samples;
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const exec::Op& op = program.ops[i];
    const bool enters = data.originals[i].run[exec::all_lanes] == &exec::run_enter;
    const std::string form = enters ? "entering basic blocks" : form_of(program, op.instruction);
    forms[form].time += data.samples[i] / samples;
  }
  for (uint32_t i = 0; i < program.instructions(); ++i)
    forms[form_of(program, i)].executed +=
        static_cast<double>(counts[program.flow.block_of[i]].warps) / executed;
  return forms;
}

}  // namespace

void print_profile(const std::string& only) {
  constexpr size_t most_forms = 8;
  fmt::print("| kernel | where the time goes (in brackets: of the warp instructions) |\n|---|---|\n");
  for (const Case& c : all_cases()) {
    if (c.name.find(only) == std::string::npos) continue;
    std::vector<std::pair<std::string, Share>> forms;
    for (const auto& form : profile_of(*c.request)) forms.push_back(form);
    std::ranges::sort(forms, [](const auto& a, const auto& b) { return a.second.time > b.second.time; });
    std::string text;
    for (size_t i = 0; i < std::min(most_forms, forms.size()); ++i) {
      const auto& [name, share] = forms[i];
      if (share.time < .01) break;
      text += fmt::format("{}{} {:.0f} %", i == 0 ? "" : ", ",
                          name.find(' ') == std::string::npos ? "`" + name + "`" : name, 100 * share.time);
      if (share.executed > 0) text += fmt::format(" ({:.0f} %)", 100 * share.executed);
    }
    fmt::print("| {} | {} |\n", c.name, text);
  }
  fmt::print("\n");
}

}  // namespace warplens::bench
