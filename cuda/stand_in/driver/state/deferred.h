// Another legal order of the program's work than that of its calls (--stream-order): what a stream is given
// is put aside, and done when the program waits for it; of work that nothing orders, what was given last is
// done first, or any by a seed. Work that nothing waits for is never done. All of it does nothing where no
// other order is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

#include "core/recording/journal.h"
#include "core/streams/order.h"
#include "cuda/stand_in/driver/api.h"
#include "cuda/stand_in/driver/state/context.h"

namespace warplens::driver {

struct Gpu;

struct DeferredWork {
  struct Item {
    Context* context = nullptr;
    uint64_t number = 0;  // in the order in which work was given
    streams::Stamp stamp;
    streams::VectorClock before;  // what is ordered before it, and itself
    const recording::HostPlace* place = nullptr;
    std::function<CUresult()> perform;
  };

  bool on = false;
  std::optional<std::mt19937_64> random;  // empty: what was given last is done first
  uint64_t numbers = 0;
  std::map<streams::Line, std::deque<Item>> waiting;  // in each line by its order, none of them empty
};

// "late" or a seed; empty: work is done in the order of the calls.
void choose_order(Gpu& device, std::string_view order);

// Puts work of a stream aside. `perform` is called later without the device's lock, at the place of this
// call; what it returns other than CUDA_SUCCESS ends the context's work, as a fault does.
void defer(Gpu& device, Context& context, const Stream* stream, std::function<CUresult()> perform);

// The bytes of pageable memory that a copy shall read: CUDA has staged them when its call is over (CUDA
// Runtime API, "API synchronization behavior"), and the program may change them. Null where the copy may read
// them itself.
std::shared_ptr<const std::vector<std::byte>> staged(Gpu& device, const std::byte* from, uint64_t bytes);

// Does what the host has waited for. Call it without the device's lock, before the call that waits returns.
void perform_deferred(Gpu& device);
// Waits for everything, before a call that takes memory or code away.
void perform_all_deferred();
// Whether this thread does work that was put aside, whose order is settled.
bool performs_deferred();

}  // namespace warplens::driver
