// The card for machines without a CUDA compiler: what works without one, and the offer to fetch it. Shown
// once after the first start, and again when a message says that the compiler is missing.
#pragma once

#include <functional>
#include <memory>

#include "app/widgets/panel.h"
#include "core/compile/fetcher.h"

namespace warplens {

struct FetchCardState {
  std::function<void()> wake;  // draws a frame, from any thread
  FetchTools tools = real_fetch_tools();
  std::unique_ptr<Fetcher> fetcher;
  bool offered = true;  // in this start or an earlier one: it does not come by itself
  bool open = false;
  uint64_t seen_notice = 0;  // the newest message that was read
  bool busy() const { return fetcher && fetcher->busy(); }
};

void draw_fetch_card(const AppState& state, FetchCardState& own, Actions& actions);

}  // namespace warplens
