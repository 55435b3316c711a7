#include "core/system/helpers.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "core/base/system/between_frames.h"
#include "core/system/capabilities.h"
#include "core/system/own_process.h"

namespace warplens {

// Never destroyed: when the process ends, its threads may be asleep in here.
struct Helpers {
  const long process = own_process_id();
  Helpers* const of_parent;  // kept, since its threads are not in this process and its locks may be held
  std::mutex mutex;
  std::condition_variable asked, left;
  std::deque<Help*> open;  // that threads may begin with
  uint32_t threads = 0, idle = 0;

  explicit Helpers(Helpers* parent) : of_parent(parent) {}

  static Helpers& of_process();
  void work();
  void add_thread();
};

namespace {

std::atomic<Helpers*> the_helpers{nullptr};

// A page has few threads, and other work that needs one.
std::chrono::milliseconds longest_idle() { return std::chrono::milliseconds(is_a_page() ? 0 : 2000); }

}  // namespace

Helpers& Helpers::of_process() {
  Helpers* found = the_helpers.load(std::memory_order_acquire);
  if (found != nullptr && found->process == own_process_id()) return *found;
  auto made = std::make_unique<Helpers>(found);
  if (the_helpers.compare_exchange_strong(found, made.get())) found = made.release();
  return *found;
}

void Helpers::work() {
  leave_signals_to_other_threads();
  std::unique_lock lock(mutex);
  for (;;) {
    ++idle;
    const bool is_asked = asked.wait_for(lock, longest_idle(), [this] { return !open.empty(); });
    --idle;
    if (!is_asked) break;
    Help& help = *open.front();
    if (--help.m_open == 0) open.pop_front();
    ++help.m_inside;
    lock.unlock();
    help.m_part();
    lock.lock();
    if (--help.m_inside == 0) left.notify_all();
  }
  --threads;
}

// The mutex is held.
void Helpers::add_thread() {
  auto thread = try_thread([this] { work(); });
  if (!thread) return;
  thread->detach();
  ++threads;
}

Help::Help(uint32_t most, std::function<void()> part)
    : m_helpers(Helpers::of_process()), m_part(std::move(part)), m_open(most) {
  if (most == 0) return;
  const std::scoped_lock lock(m_helpers.mutex);
  m_helpers.open.push_back(this);
  for (uint32_t i = 0; i < most && i < m_helpers.idle; ++i) m_helpers.asked.notify_one();
  for (uint32_t i = m_helpers.threads; i < most; ++i) m_helpers.add_thread();
}

Help::~Help() {
  std::unique_lock lock(m_helpers.mutex);
  std::erase(m_helpers.open, this);
  m_helpers.left.wait(lock, [this] { return m_inside.load() == 0; });
}

}  // namespace warplens
