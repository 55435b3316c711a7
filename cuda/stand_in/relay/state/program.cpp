#include "cuda/stand_in/relay/state/program.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "cuda/stand_in/driver/state/host_place.h"
#include "cuda/stand_in/relay/next.h"

namespace warplens::relay {

namespace {

std::atomic<Program*> the_program{nullptr};
std::mutex start_mutex;

// If more than this many notes are unfinished, their times are not waited for.
constexpr size_t most_notes = 1 << 20;
// More sentences than a person reads of one run.
constexpr size_t most_sentences = 50;

// CUDA does not work in a process that was forked after cuInit, and the journal is the parent's.
void after_fork_in_child() { the_program.store(nullptr); }

// Waits a moment for work that is under way.
void at_exit() {
  Program* notes = the_program.load();
  if (notes == nullptr) return;
  const std::unique_lock lock(notes->mutex, std::try_to_lock);
  if (!lock.owns_lock()) return;
  notes->drain_all();
  notes->journal.flush();
}

// CUDA driver API, CUresult: errors after which the context cannot be used any more.
bool ends_context(CUresult code) {
  switch (code) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
      return true;
    default:
      return false;
  }
}

// As findings of the virtual GPU are called (core/launch/run_result.h).
const char* kind_of(CUresult code) {
  switch (code) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
      return "out_of_bounds";
    case CUDA_ERROR_MISALIGNED_ADDRESS:
      return "misaligned";
    case CUDA_ERROR_ASSERT:
      return "assert";
    case CUDA_ERROR_LAUNCH_TIMEOUT:
      return "time_limit";
    default:
      return "device_fault";
  }
}

std::string name_of(CUresult code) {
  const char *name = nullptr, *words = nullptr;
  NEXT(cuGetErrorName)(code, &name);
  NEXT(cuGetErrorString)(code, &words);
  return fmt::format("{} ({})", name == nullptr ? "an error" : name, words == nullptr ? "" : words);
}

}  // namespace

Program::Program(driver::Settings chosen, const std::string& device_name)
    : settings(std::move(chosen)),
      journal(settings.journal, settings.devices, device_name, "measured"),
      recorder(settings.record,
               recording::parse_selection(settings.launches).value_or(recording::Selection{}),
               settings.record_limit) {}

void Program::note(std::optional<Timer> timer, Write write) {
  m_notes.push_back({timer, std::move(write)});
  drain();
}

void Program::drain() {
  while (!m_notes.empty()) {
    Note& note = m_notes.front();
    const bool done = !note.timer || Timers::is_done(*note.timer);
    if (!done && m_notes.size() < most_notes) return;
    std::optional<Times> times;
    if (note.timer && done) times = timers.take(*note.timer);
    if (times) m_latest_us = std::max(m_latest_us, times->begin_us + times->device_us);
    note.write(journal, times);
    m_notes.pop_front();
  }
}

void Program::drain_all() {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::seconds(2);
  drain();
  while (!m_notes.empty() && Clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    drain();
  }
  for (; !m_notes.empty(); m_notes.pop_front()) m_notes.front().write(journal, std::nullopt);
}

void Program::allocated(uint64_t address, uint64_t bytes, Block::Kind kind, const void* host) {
  CUcontext context = nullptr;
  NEXT(cuCtxGetCurrent)(&context);
  blocks[address] = {kind, bytes, ++numbers, host, context};
  const char* name = kind == Block::Kind::device   ? "device"
                     : kind == Block::Kind::pinned ? "pinned"
                                                   : "managed";
  const recording::HostPlace* place = driver::host_place();
  note({}, [=](recording::Journal& to, const auto&) { to.allocate(address, bytes, name, place); });
}

void Program::freed(uint64_t address) {
  if (blocks.erase(address) == 0) return;
  note({}, [=](recording::Journal& to, const auto&) { to.release(address); });
}

void Program::failed(CUresult error) {
  if (!m_told.insert(error).second) return;
  const std::string message = fmt::format(
      "{}, in this launch or one before it. The virtual GPU reports the line and the thread: run it again "
      "without --device.",
      name_of(error));
  note({}, [this, error, message](recording::Journal& to, const auto&) {
    to.finding({.kind = kind_of(error),
                .code = error,
                .message = message,
                .kernel = last_kernel,
                .file = last_file,
                .line = last_line,
                .place = last_place});
  });
}

void Program::refused(CUresult error, const std::string& kernel, Dim3 grid, Dim3 block) {
  if (ends_context(error)) return;
  const std::string message = fmt::format("{}: {} block{} of {} threads", name_of(error), grid.count(),
                                          grid.count() == 1 ? "" : "s", block.count());
  if (m_refused.size() >= most_sentences || !m_refused.insert(kernel + message).second) return;
  note({}, [=, place = driver::host_place()](recording::Journal& to, const auto&) {
    to.finding({.kind = "refused", .code = error, .message = message, .kernel = kernel, .place = place});
  });
}

void Program::not_seen(const char* call) {
  if (!m_not_seen.insert(call).second) return;
  note({}, [=](recording::Journal& to, const auto&) { to.call(call); });
}

void Program::ends(CUcontext context) {
  drain_all();
  timers.forget(context);
  std::erase_if(blocks, [&](const auto& row) { return row.second.context == context; });
}

void Program::begin_part() {
  drain_all();
  const driver::Settings now = driver::settings_from_environment();
  settings.journal = now.journal;
  settings.record = now.record;
  journal.move_to(settings.journal, m_latest_us);
  recorder.move_to(settings.record);
  launches = 0;
  code.forget_launches();
  m_told.clear();
  m_refused.clear();
  m_not_seen.clear();
}

Program* program() { return the_program.load(std::memory_order_acquire); }

void start_program() {
  const std::scoped_lock lock(start_mutex);
  if (the_program.load() != nullptr) return;
  driver::Settings settings = driver::settings_from_environment();
  if (settings.journal.empty()) return;
  char name[256] = "";
  CUdevice device = 0;
  if (NEXT(cuDeviceGet)(&device, 0) == CUDA_SUCCESS) NEXT(cuDeviceGetName)(name, sizeof name, device);
  if (settings.lines) driver::look_for_host_places();
  the_program.store(new Program(std::move(settings), name), std::memory_order_release);
  pthread_atfork(nullptr, nullptr, after_fork_in_child);
  std::atexit(at_exit);
}

uint64_t number_of(CUstream stream) {
  if (stream == CU_STREAM_LEGACY) return 0;
  unsigned long long id = 0;
  const bool own = stream == CU_STREAM_PER_THREAD && NEXT(cuStreamGetId)(stream, &id) == CUDA_SUCCESS;
  return own ? id : reinterpret_cast<uintptr_t>(stream);
}

CUresult ended(CUresult code) {
  if (!ends_context(code)) return code;
  if (Program* notes = program()) {
    const std::scoped_lock lock(notes->mutex);
    notes->failed(code);
  }
  return code;
}

}  // namespace warplens::relay

// As in cuda/stand_in/driver/calls/refused.cpp. What the program did not ask for is not known here.
extern "C" void warplens_begin_part(int /*failed*/) {
  using namespace warplens::relay;
  Program* notes = program();
  if (notes == nullptr) return;
  const std::scoped_lock lock(notes->mutex);
  notes->begin_part();
}
