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

}  // namespace

WorkBetweenFrames::WorkBetweenFrames(std::function<bool()> piece) : m_piece(std::move(piece)) {
  all_work().push_back(this);
}

WorkBetweenFrames::~WorkBetweenFrames() { std::erase(all_work(), this); }

// A piece may begin and end work, so the list is not walked any further after one.
bool work_between_frames() {
  auto& all = all_work();
  for (size_t i = 0; i < all.size(); ++i) {
    if (!all[i]->m_piece()) continue;
    // The next piece is another's, if it has one.
    if (i < all.size())
      std::rotate(all.begin() + static_cast<std::ptrdiff_t>(i),
                  all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end());
    return true;
  }
  return false;
}

WithoutThreads::WithoutThreads() { ++without_threads; }
WithoutThreads::~WithoutThreads() { --without_threads; }
bool WithoutThreads::wanted() { return without_threads > 0; }

}  // namespace warplens
