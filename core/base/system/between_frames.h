// Work for which the system gives no thread, as in a web page: the loop of the window does it between two
// frames, a piece at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace warplens {

// Work that may be waiting, from here to its end. `piece` does some of it and says whether there was any. All
// of this is one thread's: there is no other.
class WorkBetweenFrames {
 public:
  explicit WorkBetweenFrames(std::function<bool()> piece);
  ~WorkBetweenFrames();
  WorkBetweenFrames(const WorkBetweenFrames&) = delete;
  WorkBetweenFrames& operator=(const WorkBetweenFrames&) = delete;

 private:
  std::function<bool()> m_piece;
  friend bool work_between_frames();
};

// A piece of the first work that has one. False: there is none.
bool work_between_frames();

// Long work calls this every few milliseconds. Where it is done between two frames, a frame may have its turn
// in here, so the caller holds no lock, and what it shares with the window may be another afterwards. On a
// thread for which nobody asked for such turns, nothing happens.
void give_way();

// What frames took of this thread's time inside of give_way().
std::chrono::nanoseconds time_given_away();

// The time that work takes, without that of frames in its midst.
class WorkClock {
 public:
  std::chrono::nanoseconds elapsed() const {
    return std::chrono::steady_clock::now() - m_start - (time_given_away() - m_away);
  }

 private:
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
  std::chrono::nanoseconds m_away = time_given_away();
};

// While it lives, give_way() of this thread calls `turn`.
class TurnsForFrames {
 public:
  explicit TurnsForFrames(std::function<void()> turn);
  ~TurnsForFrames();
  TurnsForFrames(const TurnsForFrames&) = delete;
  TurnsForFrames& operator=(const TurnsForFrames&) = delete;

 private:
  const std::function<void()> m_turn;
  const std::function<void()>* m_before;
};

// Gives way each time that so much work was done.
class WorkDone {
 public:
  explicit WorkDone(int64_t of_a_turn) : m_of_a_turn(of_a_turn) {}
  void add(int64_t work) {
    if ((m_since += work) < m_of_a_turn) return;
    m_since = 0;
    give_way();
  }

 private:
  const int64_t m_of_a_turn;
  int64_t m_since = 0;
};

// While it lives, this process does without new threads, as in a page. For tests.
class WithoutThreads {
 public:
  WithoutThreads();
  ~WithoutThreads();
  WithoutThreads(const WithoutThreads&) = delete;
  WithoutThreads& operator=(const WithoutThreads&) = delete;
  static bool wanted();
};

// A thread for this work, or nothing where the system gives none; the work is then as it was.
template <class Work>
std::optional<std::jthread> try_thread(const Work& work) {
  if (WithoutThreads::wanted()) return std::nullopt;
  try {
    return std::jthread(work);
  } catch (const std::system_error&) {
    return std::nullopt;
  }
}

}  // namespace warplens
