// Work for which the system gives no thread, as in a web page: the loop of the window does it between two
// frames, a piece at a time.
#pragma once

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
