// Work on systems without threads, such as a web page: the window's loop does it between two frames, a piece
// at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace warplens {

// Registers work that may be waiting, for the lifetime of this object. `piece` does some of it and returns
// whether there was any. All of this runs on one thread, since there is no other.
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

// Does a piece of the first work that has one. Returns false if there is none.
bool work_between_frames();

// Long work calls this every few milliseconds. Where the work is done between two frames, a frame may run
// during this call. So the caller must hold no lock, and data that it shares with the window may have changed
// afterwards. It does nothing on a thread for which no TurnsForFrames is active.
void give_way();

// The time that frames took from this thread inside give_way().
std::chrono::nanoseconds time_given_away();

// The time that work takes, without the time of frames that ran during it.
class WorkClock {
 public:
  std::chrono::nanoseconds elapsed() const {
    return std::chrono::steady_clock::now() - m_start - (time_given_away() - m_away);
  }

 private:
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
  std::chrono::nanoseconds m_away = time_given_away();
};

// While it exists, give_way() on this thread calls `turn`.
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

// Calls give_way() each time that this amount of work was done.
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

// While it exists, this process starts no new threads, as in a web page. For tests.
class WithoutThreads {
 public:
  WithoutThreads();
  ~WithoutThreads();
  WithoutThreads(const WithoutThreads&) = delete;
  WithoutThreads& operator=(const WithoutThreads&) = delete;
  static bool wanted();
};

// Starts a thread for this work. If the system gives none, it returns nothing and leaves the work unchanged.
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
