#include "app/window/waiting.h"

#include <fmt/format.h>

#include <cstdio>

#include "core/base/system/between_frames.h"

namespace warplens {

Waiting::Waiting(std::string words, std::chrono::milliseconds patience, Say say) : m_say(std::move(say)) {
  auto thread = try_thread([this, words = std::move(words), patience](std::stop_token over) {
    std::unique_lock lock(m_mutex);
    m_over.wait_for(lock, over, patience, [] { return false; });
    if (over.stop_requested()) return;
    m_said = true;
    m_say(words);
  });
  if (thread) m_thread = *std::move(thread);
}

Waiting::~Waiting() {
  m_thread.request_stop();
  if (m_thread.joinable()) m_thread.join();
  const std::chrono::duration<double> took = Clock::now() - m_began;
  if (m_said) m_say(fmt::format("It took {:.0f} s.", took.count()));
}

void Waiting::say_on_stderr(const std::string& words) { std::fprintf(stderr, "%s\n", words.c_str()); }

}  // namespace warplens
