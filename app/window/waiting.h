// Says on stderr what the program waits for, where that takes long and cannot be cut short.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace warplens {

class Waiting {
 public:
  using Say = std::function<void(const std::string&)>;
  // Says `words` once after `patience`, and again at the end how long it took.
  explicit Waiting(std::string words, std::chrono::milliseconds patience = std::chrono::seconds(5),
                   Say say = say_on_stderr);
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  static void say_on_stderr(const std::string& words);

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point m_began = Clock::now();
  Say m_say;
  bool m_said = false;  // by the thread, which is joined before it is read
  std::mutex m_mutex;
  std::condition_variable_any m_over;
  std::jthread m_thread;  // last: it uses what is above
};

}  // namespace warplens
