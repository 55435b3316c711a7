#include "app/worker/program_worker.h"

#include <exception>
#include <new>
#include <utility>

#include "app/state/update.h"
#include "core/files/recorded_kernel.h"

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

}  // namespace

ProgramWorker::ProgramWorker(std::function<void()> on_news)
    : m_on_news(std::move(on_news)), m_thread([this](const std::stop_token& quit) { work(quit); }) {}

ProgramWorker::~ProgramWorker() = default;

void ProgramWorker::order(std::function<Action()> work) {
  {
    const std::lock_guard lock(m_mutex);
    m_order = std::move(work);
  }
  m_wake.notify_all();
}

void ProgramWorker::save(std::function<Action()> work) {
  {
    const std::lock_guard lock(m_mutex);
    m_saves.push_back(std::move(work));
  }
  m_wake.notify_all();
}

std::vector<Action> ProgramWorker::poll() {
  const std::lock_guard lock(m_mutex);
  return std::exchange(m_news, {});
}

bool ProgramWorker::busy() const {
  const std::lock_guard lock(m_mutex);
  return m_at_work || m_order || !m_saves.empty() || !m_news.empty();
}

void ProgramWorker::work(const std::stop_token& quit) {
  std::unique_lock lock(m_mutex);
  while (m_wake.wait(lock, quit, [this] { return m_order != nullptr || !m_saves.empty(); })) {
    std::function<Action()> order;
    if (m_saves.empty()) {
      order = std::exchange(m_order, nullptr);
    } else {
      order = std::move(m_saves.front());
      m_saves.pop_front();
    }
    m_at_work = true;
    lock.unlock();
    Action news = order();
    lock.lock();
    m_at_work = false;
    m_news.push_back(std::move(news));
    lock.unlock();
    if (m_on_news) m_on_news();
    lock.lock();
  }
}

void drive_program(AppState& state, ProgramWorker& worker) {
  for (const Action& news : worker.poll()) update(state, news);
  const ProgramState& program = state.program;
  if (worker.submitted == program.serial) return;
  worker.submitted = program.serial;
  if (!program.reading.empty()) {
    worker.order([serial = program.serial, path = program.reading] { return read(serial, path); });
  } else if (program.wanted != 0 && program.opened) {
    worker.order([serial = program.serial, opened = program.opened, number = program.wanted] {
      return make_ready(serial, *opened, number);
    });
  }
}

}  // namespace warplens
