// A worker behind a mailbox: orders go in, are done one at a time on a thread of the mailbox's own, and news
// come out. Whoever gives orders waits for nothing. Where the system gives no thread, the loop of the window
// does an order between two frames (between_frames.h). What order comes first, replaces others or stops the
// one at work are functions of two orders: data of a worker, not code of its loop.
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

template <class Order, class News>
struct MailRules {
  // Orders with a lower rank are done first; of one rank, the older one. Null: all have one rank.
  int (*rank)(const Order&) = nullptr;
  // Whether an older order that waits is forgotten when the newer one comes. Null: none is.
  bool (*replaces)(const Order& newer, const Order& waiting) = nullptr;
  // Whether the order at work is stopped when the newer one comes. Null: none is.
  bool (*stops)(const Order& newer, const Order& at_work) = nullptr;
  // Whether an order is done although the mailbox is being closed. Null: none is.
  bool (*must_be_done)(const Order&) = nullptr;
  // Whether news that nobody has taken yet are out of date when the newer ones come. Null: none are.
  bool (*outdates)(const News& newer, const News& older) = nullptr;
};

template <class Order, class News>
class Mailbox {
 public:
  using Clock = std::chrono::steady_clock;

  // What the worker has while it does an order.
  class Desk {
   public:
    const std::stop_token stop;
    // News before the last ones.
    void tell(News news) const { m_box.tell(std::move(news)); }
    template <class Condition>
    bool waits(Condition condition) const {
      const std::lock_guard lock(m_box.m_mutex);
      return m_box.any_waits(condition);
    }
    // Gives an order to itself, for later. It replaces and stops nothing. It is forgotten if the one at work
    // was cancelled, or if an order waits for which `unless` holds.
    template <class Condition>
    void later(Order order, Condition unless) const {
      const std::lock_guard lock(m_box.m_mutex);
      const bool wanted = !m_box.m_closing && !m_box.m_at_work->cancelled && !m_box.any_waits(unless);
      if (wanted) m_box.m_waiting.push_back({std::move(order)});
    }

   private:
    friend class Mailbox;
    Desk(Mailbox& box, std::stop_token token) : stop(std::move(token)), m_box(box) {}
    Mailbox& m_box;
  };

  // Does one order and returns the last news of it, if there are any. It must not throw.
  using Work = std::function<std::optional<News>(const Order&, const Desk&)>;

  // `on_news` is called on the worker's thread whenever take() has something new; it may be null.
  Mailbox(MailRules<Order, News> rules, Work work, std::function<void()> on_news)
      : m_rules(rules), m_work(std::move(work)), m_on_news(std::move(on_news)) {}
  // Stops the order at work, forgets those that wait and need not be done, and waits for the worker.
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
  // Forgets the orders that wait, and stops the one at work, if `which` holds for them.
  template <class Condition>
  void cancel(Condition which) {
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_waiting, [&](const Entry& e) { return which(e.order); });
    if (!m_at_work || !which(m_at_work->order)) return;
    m_at_work->cancelled = true;
    m_at_work->stop.request_stop();
  }
  // Asks all orders to end, those that wait too: each is still begun, and says how it ended.
  void stop() {
    const std::lock_guard lock(m_mutex);
    for (Entry& entry : m_waiting) entry.stop.request_stop();
    if (m_at_work) m_at_work->stop.request_stop();
  }

  // News that no order has brought.
  void tell(News news) {
    {
      const std::lock_guard lock(m_mutex);
      add(std::move(news));
    }
    if (m_on_news) m_on_news();
  }
  // The news since the last call, oldest first. `also` sees the order at work (null for none) and its time so
  // far, and may add to the news: of one moment, so that nothing is said of an order behind its last news.
  template <class Also>
  std::vector<News> take(Also also) {
    const std::lock_guard lock(m_mutex);
    std::vector<News> news = std::exchange(m_news, {});
    also(m_at_work ? &m_at_work->order : nullptr,
         m_at_work ? Clock::now() - m_at_work->begun : Clock::duration{}, news);
    return news;
  }
  std::vector<News> take() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_news, {});
  }
  // Whether an order for which `counts` holds is at work or waits, or news were not taken.
  template <class Condition>
  bool busy(Condition counts) const {
    const std::lock_guard lock(m_mutex);
    return !m_news.empty() || (m_at_work && counts(m_at_work->order)) || any_waits(counts);
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
  void add(News news) {
    if (m_rules.outdates)
      std::erase_if(m_news, [&](const News& older) { return m_rules.outdates(news, older); });
    m_news.push_back(std::move(news));
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
        // An order that is at work waits for nothing that could be done here.
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
    const Desk desk(*this, m_at_work->stop.get_token());
    lock.unlock();
    std::optional<News> last = m_work(m_at_work->order, desk);
    lock.lock();
    m_at_work.reset();
    if (!last) return;
    add(std::move(*last));
    lock.unlock();
    if (m_on_news) m_on_news();
    lock.lock();
  }

  MailRules<Order, News> m_rules;
  Work m_work;
  std::function<void()> m_on_news;
  mutable std::mutex m_mutex;
  std::condition_variable_any m_wake;
  std::vector<Entry> m_waiting;
  std::optional<Entry> m_at_work;
  std::vector<News> m_news;
  bool m_closing = false;
  std::optional<WorkBetweenFrames> m_no_thread;
  std::jthread m_thread;  // last member: it uses all of the above
};

}  // namespace warplens
