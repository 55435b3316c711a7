#include "app/worker/file_worker.h"

#include <exception>
#include <new>
#include <utility>

#include "app/state/update.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/files/recorded_kernel.h"

namespace warplens {
namespace {

template <class Call>
auto or_out_of_memory(Call&& call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return failed("There is not enough memory for this recording.");
  } catch (const std::exception& e) {
    return failed(std::string("The recording could not be read: ") + e.what());
  }
}

Action read(uint64_t serial, const std::string& path) {
  auto program = or_out_of_memory([&] { return open_program(path); });
  if (!program) return RecordingRead{serial, nullptr, program.error().message};
  return RecordingRead{serial, *std::move(program), ""};
}

Action make_ready(uint64_t serial, const OpenedProgram& program, uint64_t number) {
  const ProgramLaunch& launch = program.launches[static_cast<size_t>(number - 1)];
  auto kernel =
      or_out_of_memory([&] { return recorded_kernel(program.recording, *launch.event, program.name); });
  if (!kernel) return LaunchReady{serial, nullptr, kernel.error().message};
  return LaunchReady{serial, *std::move(kernel), ""};
}

using LongWork = std::function<Action(const std::stop_token&)>;
constexpr MailRules<LongWork, Action> newest_rules{
    .replaces = [](const LongWork&, const LongWork&) { return true; },
    .stops = [](const LongWork&, const LongWork&) { return true; }};

std::optional<Action> do_long_work(const LongWork& work, const Mailbox<LongWork, Action>::Worker& worker) {
  return work(worker.stop);
}

Action searched(uint64_t serial, const OpenedProgram& program, bool of_any_size,
                const std::stop_token& stop) {
  const std::shared_ptr<Backend> gpu = make_virtual_gpu();
  auto search = or_out_of_memory(
      [&] { return search_program(program.recording, program.name, of_any_size, *gpu, stop); });
  if (!search) return ProgramSearched{serial, nullptr, search.error().message};
  return ProgramSearched{serial, std::make_shared<const ProgramSearch>(*std::move(search)), ""};
}

// The program that is shown is searched once it is there. What is searched stops if another one comes.
void drive_search(const AppState& state, FileWorker& worker) {
  const SearchState& search = state.program.search;
  if (!search.wanted && worker.searching) worker.stop_search();
  worker.searching = search.wanted;
  if (!search.wanted || worker.submitted_search == search.serial || !state.program.opened) return;
  worker.submitted_search = search.serial;
  const bool of_any_size = state.frame.preferences.looking == Looking::always;
  worker.search([serial = search.serial, opened = state.program.opened, of_any_size](
                    const std::stop_token& stop) { return searched(serial, *opened, of_any_size, stop); });
}

}  // namespace

FileWorker::FileWorker(std::function<void()> on_event)
    : m_box(
          {.rank = [](const Order& order) { return order.in_turn ? 0 : 1; },
           .replaces = [](const Order& newer,
                          const Order& waiting) { return !newer.in_turn && !waiting.in_turn; },
           .must_be_done = [](const Order& order) { return order.in_turn; }},
          [](const Order& order, const auto&) -> std::optional<Action> { return order.work(); }, on_event),
      m_long(newest_rules, do_long_work, on_event),
      m_searches(newest_rules, do_long_work, std::move(on_event)) {}

std::vector<Action> FileWorker::poll() {
  std::vector<Action> events = m_box.take();
  for (auto* box : {&m_long, &m_searches})
    for (Action& one : box->take()) events.push_back(std::move(one));
  return events;
}

void drive_files(AppState& state, FileWorker& worker) {
  for (const Action& event : worker.poll()) update(state, event);
  drive_search(state, worker);
  const ProgramState& program = state.program;
  if (worker.submitted == program.serial) return;
  worker.submitted = program.serial;
  if (!program.reading.empty()) {
    worker.newest([serial = program.serial, path = program.reading] { return read(serial, path); });
  } else if (program.wanted != 0 && program.opened) {
    worker.newest([serial = program.serial, opened = program.opened, number = program.wanted] {
      return make_ready(serial, *opened, number);
    });
  }
}

}  // namespace warplens
