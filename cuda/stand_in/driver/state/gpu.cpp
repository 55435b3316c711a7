#include "cuda/stand_in/driver/state/gpu.h"
#include "cuda/stand_in/driver/state/order.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "core/device/device_list.h"
#include "core/recording/event.h"
#include "core/recording/numba_words.h"
#include "core/recording/shown_path.h"
#include "cuda/stand_in/driver/state/host_calls.h"
#include "cuda/stand_in/driver/state/host_faults.h"
#include "cuda/stand_in/driver/state/host_guards.h"
#include "cuda/stand_in/driver/state/host_place.h"
#include "cuda/stand_in/driver/state/managed_pages.h"

namespace warplens::driver {

namespace {

std::atomic<Gpu*> the_gpu{nullptr};
std::atomic<bool> forked{false};
std::mutex start_mutex;

// More sentences than a person reads of one run.
constexpr size_t most_sentences = 50;

// CUDA's own driver does not work in a process that was forked after cuInit either.
void after_fork_in_child() {
  if (the_gpu.load() != nullptr) forked.store(true);
}

void at_exit(int status, void*) {
  Gpu* device = the_gpu.load();
  open_all_pages();
  if (device == nullptr || forked.load()) return;
  // Another thread may be in the middle of a launch; this one does not wait for it.
  const std::unique_lock lock(device->mutex, std::try_to_lock);
  if (!lock.owns_lock()) return;
  note_host_pages(*device);
  tell_unflushed(*device);
  device->flush_console();
  // A program that ends with an error has said what it had to say; a launch returns nothing that it could
  // look at.
  if (device->unread && (device->unread->went_on || status == 0)) device->tell_unread();
  device->journal.end(status);
}

std::vector<std::string> ids_of_several(const std::vector<Device>& devices) {
  std::vector<std::string> ids;
  ids.reserve(devices.size());
  for (const Device& device : devices) ids.push_back(device.id);
  return ids.size() > 1 ? ids : std::vector<std::string>();
}

}  // namespace

Gpu::Gpu(Settings chosen, std::vector<Device> specs)
    : settings(std::move(chosen)),
      journal(settings.journal, specs.front().id, specs.front().name,
              settings.modelled_clock ? "modelled" : "host", settings.searched, ids_of_several(specs)),
      recorder(settings.record,
               recording::parse_selection(settings.launches).value_or(recording::Selection{}),
               settings.record_limit) {
  for (Device& spec : specs) {
    const auto ordinal = static_cast<int>(devices.size());
    DeviceState& made =
        *devices.emplace_back(std::make_unique<DeviceState>(ordinal, std::move(spec), host_us));
    if (ordinal != 0) made.default_line = waits.order.add_default();
    auto pool = std::make_unique<Pool>(Pool{.on = &made});
    made.default_pool = made.current_pool = pools.add(std::move(pool));
  }
  choose_order(*this, settings.stream_order);
  // In another order it is not known when a program's host touches what.
  waits.on = settings.finds_waits && journal.writes() && !deferred.on;
  if (settings.sanitize != Sanitize::off) sanitizer.emplace(settings.sanitize == Sanitize::all);
}

uint32_t Gpu::target_of_all() const {
  uint32_t oldest = UINT32_MAX;
  for (const auto& device : devices) oldest = std::min(oldest, newest_target(*device));
  return oldest;
}

uint32_t Gpu::target_of_any() const {
  uint32_t newest = 0;
  for (const auto& device : devices) newest = std::max(newest, newest_target(*device));
  return newest;
}

double Gpu::latest_us() const {
  double latest = 0;
  for (const auto& device : devices) latest = std::max(latest, device->clock.latest_us());
  return latest;
}

Block* Gpu::block_of(uint64_t address) {
  const auto after = blocks.upper_bound(address);
  if (after == blocks.begin()) return nullptr;
  auto& [begin, block] = *std::prev(after);
  return address - begin < block.bytes ? &block : nullptr;
}

void Gpu::flush_console() {
  if (console.empty()) return;
  std::fwrite(console.data(), 1, console.size(), stdout);
  waits.printed = nullptr;
  std::fflush(stdout);
  console.clear();
}

void Gpu::tell(std::string_view kind, CUresult code, const std::string& words, std::string_view kernel,
               std::string_view file, uint32_t line, std::pair<uint64_t, uint64_t> works) {
  const std::string sentence =
      file.ends_with(".py") ? recording::in_numba_words(words, std::string(file), line) : words;
  if (m_said.size() >= most_sentences || !m_said.insert(sentence).second) return;
  const recording::HostPlace* place = host_place();
  journal.finding({.kind = kind,
                   .code = code,
                   .message = sentence,
                   .kernel = kernel,
                   .file = file,
                   .line = line,
                   .said = says_to_launcher(),
                   .place = place,
                   .first = works.first,
                   .second = works.second});
  if (settings.quiet) return;
  std::string where;
  if (kernel.empty() && place != nullptr)
    where = fmt::format("{}:{}: ", recording::shown_path(place->file), place->line);
  if (!kernel.empty()) where = fmt::format("{}: ", kernel);
  if (line != 0) where += fmt::format("{}:{}: ", recording::shown_path(file), line);
  const std::string called = kernel.empty() ? std::string() : recording::launched_at(place);
  const std::string text = fmt::format("warplens: {}{}{}\n", where, sentence, called);
  std::fwrite(text.data(), 1, text.size(), stderr);
  if (m_said.size() == most_sentences) std::fputs("warplens: more like this is not shown.\n", stderr);
}

bool Gpu::says_to_launcher() const { return !settings.quiet && recording::writes_errors_to(settings.errors); }

CUresult Gpu::refuse(CUresult code, const std::string& sentence) {
  tell("call", code, sentence);
  return code;
}

void Gpu::tell_unread() {
  const UnreadError error = *std::exchange(unread, std::nullopt);
  const bool launch = error.call.find("Launch") != std::string::npos;
  const std::string where =
      error.place == nullptr ? std::string() : fmt::format(" at {}", recording::place_text(*error.place));
  tell("unread_error", CUDA_SUCCESS,
       launch ? fmt::format(
                    "The launch{} failed with {}, so that its kernel never ran, and the program did not ask "
                    "for the error: call cudaGetLastError after each launch.",
                    where, error.name)
              : fmt::format(
                    "{}{} returned {}, and the program went on without checking it: compare what each call "
                    "returns with cudaSuccess.",
                    error.call, where, error.name));
}

void Gpu::begin_part(bool failed) {
  flush_console();
  if (unread && (unread->went_on || !failed)) tell_unread();
  unread.reset();
  const Settings now = settings_from_environment();
  settings.journal = now.journal;
  settings.record = now.record;
  wait_for_all(*this);
  host_us = std::max(host_us, latest_us());  // the part before ends when the devices are done with it
  journal.move_to(settings.journal, latest_us());
  recorder.move_to(settings.record);
  launches = 0;
  modules.for_each([](Module& module) {
    for (const auto& [name, function] : module.functions) function->launches = 0;
  });
  if (sanitizer) sanitizer.emplace(settings.sanitize == Sanitize::all);
  findings_told = 0;
  m_said.clear();
  waits.told.clear();
  waits.hinted.clear();
  for (const auto& context : contexts) {
    context->pending = CUDA_SUCCESS;
    context->sticky.store(CUDA_SUCCESS);
  }
}

Gpu* gpu() {
  return forked.load(std::memory_order_relaxed) ? nullptr : the_gpu.load(std::memory_order_acquire);
}

bool was_forked() { return forked.load(); }

CUresult start() {
  const std::scoped_lock lock(start_mutex);
  if (forked.load()) {
    std::fputs(
        "warplens: this process was forked after CUDA was initialised, and cannot use it, as with NVIDIA's "
        "driver: "
        "start child processes with the method \"spawn\", or before the first use of CUDA.\n",
        stderr);
    return CUDA_ERROR_NOT_INITIALIZED;
  }
  if (the_gpu.load() != nullptr) return CUDA_SUCCESS;
  Settings settings = settings_from_environment();
  // In tests this driver may take the place of NVIDIA's under relay/, which writes the notes; then it writes
  // none.
  if (std::getenv("WARPLENS_PROGRAM_NEXT") != nullptr) settings.journal = settings.record = {};
  Result<std::vector<Device>> specs = find_devices(settings.devices.empty() ? "rtx_3060" : settings.devices);
  if (!specs) {
    std::fprintf(stderr, "warplens: %s\n", specs.error().message.c_str());
    return CUDA_ERROR_NO_DEVICE;
  }
  if (specs->size() > recording::most_devices) specs->resize(recording::most_devices);
  auto made = std::make_unique<Gpu>(std::move(settings), std::move(*specs));
  pthread_atfork(nullptr, nullptr, after_fork_in_child);
  recording::shown_path({});  // the program may go to another folder later
  watch_host_faults();
  watch_host_calls();
  on_exit(at_exit, nullptr);
  if (made->journal.writes() && made->settings.lines) look_for_host_places();
  the_gpu.store(made.release(), std::memory_order_release);
  return CUDA_SUCCESS;
}

namespace {

// The main thread's stack lives as long as the process: destructors at exit still make calls, after those of
// its thread.
struct ContextStack {
  std::vector<Context*>* contexts = nullptr;
  ~ContextStack() {
    if (gettid() == getpid()) return;
    delete contexts;
    contexts = nullptr;
  }
};
thread_local ContextStack stack_of_thread;

}  // namespace

std::vector<Context*>& context_stack() {
  if (stack_of_thread.contexts == nullptr) stack_of_thread.contexts = new std::vector<Context*>;
  return *stack_of_thread.contexts;
}

Context* find_context(Gpu& device, CUcontext handle) {
  const auto at = std::ranges::find(device.contexts, reinterpret_cast<const Context*>(handle),
                                    [](const auto& context) { return context.get(); });
  return at == device.contexts.end() ? nullptr : at->get();
}

Context* current_context() {
  const std::vector<Context*>& stack = context_stack();
  return stack.empty() ? nullptr : stack.back();
}

}  // namespace warplens::driver
