#include "core/base/system/between_frames.h"

#include <algorithm>
#include <atomic>
#include <vector>

namespace warplens {

namespace {

std::vector<WorkBetweenFrames*>& all_work() {
  static std::vector<WorkBetweenFrames*> all;
  return all;
}

std::atomic<int> without_threads = 0;

thread_local const std::function<void()>* turn_of_frames = nullptr;
thread_local std::chrono::nanoseconds given_away{0};

}  // namespace

WorkBetweenFrames::WorkBetweenFrames(std::function<bool()> piece) : m_piece(std::move(piece)) {
  all_work().push_back(this);
}

WorkBetweenFrames::~WorkBetweenFrames() { std::erase(all_work(), this); }

// A piece may begin and end work, including its own, so the list is not iterated any further after one.
bool work_between_frames() {
  auto& all = all_work();
  for (size_t i = 0; i < all.size(); ++i) {
    const std::function<bool()> piece = all[i]->m_piece;
    if (!piece()) continue;
    // The next piece is taken from another work, if it has one.
    if (i < all.size())
      std::rotate(all.begin() + static_cast<std::ptrdiff_t>(i),
                  all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end());
    return true;
  }
  return false;
}

void give_way() {
  if (turn_of_frames == nullptr) return;
  const auto start = std::chrono::steady_clock::now();
  (*turn_of_frames)();
  given_away += std::chrono::steady_clock::now() - start;
}

std::chrono::nanoseconds time_given_away() { return given_away; }

TurnsForFrames::TurnsForFrames(std::function<void()> turn)
    : m_turn(std::move(turn)), m_before(std::exchange(turn_of_frames, &m_turn)) {}
TurnsForFrames::~TurnsForFrames() { turn_of_frames = m_before; }

WithoutThreads::WithoutThreads() { ++without_threads; }
WithoutThreads::~WithoutThreads() { --without_threads; }
bool WithoutThreads::wanted() { return without_threads > 0; }

}  // namespace warplens
