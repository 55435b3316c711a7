// A worker with a mailbox: it takes orders, does them one at a time on its own thread, and returns events.
// The caller never waits. On systems without threads, the window's loop does an order between two frames
// (between_frames.h). Which order is done first, replaces others or stops the one in progress is decided by
// functions of two orders: they are data of a worker, not code of its loop.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/system/between_frames.h"

namespace warplens {

template <class Order, class Event>
struct MailRules {
  // Orders with a lower rank are done first; within a rank, the oldest first. If null, all have one rank.
  int (*rank)(const Order&) = nullptr;
  // Whether a waiting order is dropped when the newer one arrives. If null, none is dropped.
  bool (*replaces)(const Order& newer, const Order& waiting) = nullptr;
  // Whether the order in progress is stopped when the newer one arrives. If null, it never is.
  bool (*stops)(const Order& newer, const Order& at_work) = nullptr;
  // Whether an order is done even if the mailbox is being closed. If null, none is.
  bool (*must_be_done)(const Order&) = nullptr;
  // Whether an event that was not taken yet is outdated by a newer one. If null, none is.
  bool (*outdates)(const Event& newer, const Event& older) = nullptr;
};

template <class Order, class Event>
class Mailbox {
 public:
  using Clock = std::chrono::steady_clock;

  // What the worker can use while it does an order.
  class Worker {
   public:
    const std::stop_token stop;
    // Sends an event before the order's last one.
    void report(Event event) const { m_box.report(std::move(event)); }
    template <class Condition>
    bool waits(Condition condition) const {
      const std::lock_guard lock(m_box.m_mutex);
      return m_box.any_waits(condition);
    }
    // Gives an order to the worker itself, for later. It replaces and stops nothing. It is dropped if the
    // order in progress was cancelled, or if an order for which `unless` holds is waiting.
    template <class Condition>
    void later(Order order, Condition unless) const {
      const std::lock_guard lock(m_box.m_mutex);
      const bool wanted = !m_box.m_closing && !m_box.m_at_work->cancelled && !m_box.any_waits(unless);
      if (wanted) m_box.m_waiting.push_back({std::move(order)});
    }

   private:
    friend class Mailbox;
    Worker(Mailbox& box, std::stop_token token) : stop(std::move(token)), m_box(box) {}
    Mailbox& m_box;
  };

  // Does one order and returns its last event, if any. It must not throw.
  using Work = std::function<std::optional<Event>(const Order&, const Worker&)>;

  // `on_event` is called on the worker's thread whenever take() has something new; it may be null.
  Mailbox(MailRules<Order, Event> rules, Work work, std::function<void()> on_event)
      : m_rules(rules), m_work(std::move(work)), m_on_event(std::move(on_event)) {}
  // Stops the order in progress, drops waiting orders that need not be done, and waits for the worker.
  ~Mailbox() {
    {
      const std::lock_guard lock(m_mutex);
      m_closing = true;
      std::erase_if(m_waiting, [this](const Entry& e) { return !must_be_done(e.order); });
      if (m_at_work && !must_be_done(m_at_work->order)) m_at_work->stop.request_stop();
    }
    m_thread.request_stop();
    m_wake.notify_all();
    if (m_thread.joinable()) m_thread.join();
    if (m_no_thread) finish();
  }
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  void send(Order order) {
    {
      const std::lock_guard lock(m_mutex);
      if (m_rules.replaces)
        std::erase_if(m_waiting, [&](const Entry& e) { return m_rules.replaces(order, e.order); });
      if (m_at_work && m_rules.stops && m_rules.stops(order, m_at_work->order))
        m_at_work->stop.request_stop();
      m_waiting.push_back({std::move(order)});
      if (!m_thread.joinable() && !m_no_thread) start();
    }
    m_wake.notify_all();
  }
  // Drops the waiting orders for which `which` holds, and stops the one in progress if it holds for that.
  template <class Condition>
  void cancel(Condition which) {
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_waiting, [&](const Entry& e) { return which(e.order); });
    if (!m_at_work || !which(m_at_work->order)) return;
    m_at_work->cancelled = true;
    m_at_work->stop.request_stop();
  }
  // Requests all orders to end, including waiting ones: each of those still starts and reports how it ended.
  void stop() {
    const std::lock_guard lock(m_mutex);
    for (Entry& entry : m_waiting) entry.stop.request_stop();
    if (m_at_work) m_at_work->stop.request_stop();
  }

  // Sends an event that belongs to no order.
  void report(Event event) {
    {
      const std::lock_guard lock(m_mutex);
      add(std::move(event));
    }
    if (m_on_event) m_on_event();
  }
  // The events since the last call, oldest first. `also` gets the order in progress (null if there is none)
  // and its time so far, and may add to the events. Both are from the same moment, so nothing is added about
  // an order after its last event.
  template <class Also>
  std::vector<Event> take(Also also) {
    const std::lock_guard lock(m_mutex);
    std::vector<Event> events = std::exchange(m_events, {});
    also(m_at_work ? &m_at_work->order : nullptr,
         m_at_work ? Clock::now() - m_at_work->begun : Clock::duration{}, events);
    return events;
  }
  std::vector<Event> take() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_events, {});
  }
  // Whether an order for which `counts` holds is in progress or waiting, or some event was not taken.
  template <class Condition>
  bool busy(Condition counts) const {
    const std::lock_guard lock(m_mutex);
    return !m_events.empty() || (m_at_work && counts(m_at_work->order)) || any_waits(counts);
  }
  bool busy() const {
    return busy([](const Order&) { return true; });
  }

 private:
  struct Entry {
    Order order;
    std::stop_source stop = {};
    bool cancelled = false;
    Clock::time_point begun = {};
  };

  bool must_be_done(const Order& order) const { return m_rules.must_be_done && m_rules.must_be_done(order); }
  template <class Condition>
  bool any_waits(Condition condition) const {  // with the mutex held, as all below
    return std::any_of(m_waiting.begin(), m_waiting.end(),
                       [&](const Entry& e) { return condition(e.order); });
  }
  void add(Event event) {
    if (m_rules.outdates)
      std::erase_if(m_events, [&](const Event& older) { return m_rules.outdates(event, older); });
    m_events.push_back(std::move(event));
  }
  void take_first() {
    const auto first =
        std::min_element(m_waiting.begin(), m_waiting.end(), [this](const Entry& a, const Entry& b) {
          return m_rules.rank && m_rules.rank(a.order) < m_rules.rank(b.order);
        });
    m_at_work.emplace(std::move(*first));
    m_at_work->begun = Clock::now();
    m_waiting.erase(first);
  }

  void start() {
    auto thread = try_thread([this](const std::stop_token& quit) { run(quit); });
    if (thread)
      m_thread = *std::move(thread);
    else
      m_no_thread.emplace([this] {
        std::unique_lock lock(m_mutex);
        // While an order is in progress, the next one cannot start.
        if (m_waiting.empty() || m_at_work) return false;
        do_first(lock);
        return true;
      });
  }
  void run(const std::stop_token& quit) {
    std::unique_lock lock(m_mutex);
    while (m_wake.wait(lock, quit, [this] { return !m_waiting.empty(); })) do_first(lock);
  }
  void finish() {
    std::unique_lock lock(m_mutex);
    while (!m_waiting.empty()) do_first(lock);
  }
  void do_first(std::unique_lock<std::mutex>& lock) {
    take_first();
    const Worker worker(*this, m_at_work->stop.get_token());
    lock.unlock();
    std::optional<Event> last = m_work(m_at_work->order, worker);
    lock.lock();
    m_at_work.reset();
    if (!last) return;
    add(std::move(*last));
    lock.unlock();
    if (m_on_event) m_on_event();
    lock.lock();
  }

  MailRules<Order, Event> m_rules;
  Work m_work;
  std::function<void()> m_on_event;
  mutable std::mutex m_mutex;
  std::condition_variable_any m_wake;
  std::vector<Entry> m_waiting;
  std::optional<Entry> m_at_work;
  std::vector<Event> m_events;
  bool m_closing = false;
  std::optional<WorkBetweenFrames> m_no_thread;
  std::jthread m_thread;  // last member: it uses all of the above
};

}  // namespace warplens
