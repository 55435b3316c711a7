#include "core/gpu/stepping/two_orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "core/gpu/stepping/access_log.h"

namespace warplens::stepping {
namespace {

// The number of pairs of accesses that are tried before giving up.
constexpr size_t most_pairs = 16;

struct Touch {
  uint64_t before = 0;  // position before the instruction
  RacingAccess access;
};

Breakpoint watch_of(const RacedBytes& raced) {
  Breakpoint watch{.kind = Breakpoint::Kind::access};
  watch.space = raced.space;
  watch.address = raced.address;
  watch.bytes = raced.bytes;
  return watch;
}

// The access at which a watchpoint has just stopped.
Touch touch_of(const BlockStepper& stepper, const RacedBytes& raced, const Stop& stopped) {
  Touch touch{stopped.position - 1, {stopped.warp, 0, stopped.lanes, AccessKind::load}};
  const TraceEntry& entry = stepper.trace()[static_cast<size_t>(touch.before)];
  touch.access.line = stepper.table().instruction(entry.instruction).line;
  for (const SteppedAccess& access : stepper.accesses())
    if (access.space == raced.space && access.kind != AccessKind::load) touch.access.kind = access.kind;
  return touch;
}

bool is_of(const RacedBytes& raced, const RacingAccess& access, bool by_line) {
  for (size_t i = 0; i < 2; ++i)
    if (access.warp == raced.warps[i] && (!by_line || raced.lines[i] == 0 || access.line == raced.lines[i]))
      return true;
  return false;
}

std::vector<Touch> touches_of(BlockStepper& stepper, const RacedBytes& raced, bool by_line,
                              const std::stop_token& stop) {
  std::vector<Touch> touches;
  const Result<uint32_t> watch = stepper.add(watch_of(raced));
  if (!watch) return touches;
  stepper.jump(0, stop);
  constexpr size_t most_touches = 4096;
  while (touches.size() < most_touches && !stop.stop_requested()) {
    const Stop stopped = stepper.run({}, stop);
    if (stopped.why != Why::watchpoint) break;
    const Touch touch = touch_of(stepper, raced, stopped);
    if (is_of(raced, touch.access, by_line)) touches.push_back(touch);
  }
  stepper.remove(*watch);
  return touches;
}

// Starts before the first access and runs only the other warp until it has made the second one.
bool swap(BlockStepper& stepper, const RacedBytes& raced, const TwoOrders& orders,
          const std::stop_token& stop) {
  stepper.jump(orders.position, stop);
  Breakpoint watched = watch_of(raced);
  watched.warp = orders.second.warp;
  const Result<uint32_t> watch = stepper.add(watched);
  if (!watch) return false;
  bool reached = false;
  constexpr uint64_t most = 1'000'000;
  for (uint64_t i = 0; i < most && !reached && !stop.stop_requested(); ++i) {
    // A warp that waits would let others run.
    if (stepper.warp(orders.second.warp).active == 0 || stepper.end() != End::none) break;
    const uint64_t before = stepper.position();
    const Stop stopped = stepper.step_warp(orders.second.warp, stop);
    if (stopped.position != before + 1) break;
    reached =
        stopped.why == Why::watchpoint &&
        (orders.second.line == 0 || touch_of(stepper, raced, stopped).access.line == orders.second.line);
  }
  stepper.remove(*watch);
  return reached;
}

struct Left {
  std::vector<NamedArray> arrays;
  std::vector<Bytes> bytes;
  std::string end;
};

Left run_out(BlockStepper& stepper, const std::stop_token& stop) {
  Left left;
  const Stop stopped = stepper.jump(UINT64_MAX, stop);
  if (stepper.end() != End::finished) left.end = stopped.message;
  for (const NamedArray& array : named_arrays(stepper)) {
    Result<Bytes> bytes = stepper.read(array.space, array.address, array.bytes);
    left.arrays.push_back(array);
    left.bytes.push_back(bytes ? std::move(bytes).value() : Bytes{});
  }
  return left;
}

// Compares global memory first, since that is the result of the launch.
void compare(const Left& one, const Left& other, TwoOrders& orders) {
  for (const Space space : {Space::global, Space::shared}) {
    for (size_t a = 0; a < std::min(one.arrays.size(), other.arrays.size()); ++a) {
      const NamedArray& array = one.arrays[a];
      if (array.space != space || one.bytes[a].size() != other.bytes[a].size()) continue;
      const uint64_t size = bytes_of(array.element);
      for (uint64_t at = 0; at + size <= one.bytes[a].size(); at += size) {
        const auto from = static_cast<std::ptrdiff_t>(at), to = static_cast<std::ptrdiff_t>(at + size);
        if (std::equal(one.bytes[a].begin() + from, one.bytes[a].begin() + to, other.bytes[a].begin() + from))
          continue;
        if (++orders.count > most_differences) continue;
        orders.differences.push_back(
            {place_text(one.arrays, space, array.address + at, static_cast<uint32_t>(size)),
             element_text(array.element, one.bytes[a], at), element_text(array.element, other.bytes[a], at)});
      }
    }
  }
}

// The first two accesses of the pair with no barrier between them, at least one of them a write.
template <class Open>
Result<std::optional<TwoOrders>> pair_of(Open open, const RacedBytes& raced, bool by_line,
                                         const std::stop_token& stop) {
  Result<BlockStepper> in_order = open();
  if (!in_order) return in_order.error();
  const std::vector<Touch> touches = touches_of(*in_order, raced, by_line, stop);
  size_t tried = 0;
  for (size_t i = 1; i < touches.size() && tried < most_pairs; ++i) {
    const Touch &a = touches[i - 1], &b = touches[i];
    const bool writes = a.access.kind != AccessKind::load || b.access.kind != AccessKind::load;
    if (a.access.warp == b.access.warp || !writes) continue;
    ++tried;
    TwoOrders orders;
    orders.raced = raced;
    orders.position = a.before;
    orders.first = a.access;
    orders.second = b.access;
    Result<BlockStepper> stepper = open();
    if (!stepper) return stepper.error();
    if (swap(*stepper, raced, orders, stop)) return std::optional(orders);
    if (stop.stop_requested()) break;
  }
  return std::optional<TwoOrders>();
}

}  // namespace

Result<TwoOrders> two_orders_of(const std::shared_ptr<const LaunchRequest>& request, Dim3 block,
                                const Options& options, const RacedBytes& raced,
                                const std::stop_token& stop) {
  if (raced.warps[0] == raced.warps[1])
    return bad_input(
        "Both threads are of the same warp: its lanes go in an order that no other warp changes, so there is "
        "no second order to show.");
  std::optional<TwoOrders> orders;
  const auto open = [&] { return BlockStepper::open(request, block, options, stop); };
  for (const bool by_line : {true, false}) {
    Result<std::optional<TwoOrders>> found = pair_of(open, raced, by_line, stop);
    if (!found) return found.error();
    orders = std::move(found).value();
    if (orders) break;
  }
  if (stop.stop_requested()) return Error{ErrorKind::cancelled, "Running both orders was cancelled."};
  if (!orders)
    return bad_input(
        "In this block, run alone, the two accesses do not follow each other without a barrier between them: "
        "there is no second order to show.");
  Left left[2];
  for (const bool swapped : {false, true}) {
    Result<BlockStepper> stepper = open();
    if (!stepper) return stepper.error();
    take_order(*stepper, *orders, swapped, stop);
    left[swapped] = run_out(*stepper, stop);
    orders->ends[swapped] = left[swapped].end;
  }
  if (stop.stop_requested()) return Error{ErrorKind::cancelled, "Running both orders was cancelled."};
  compare(left[0], left[1], *orders);
  return *orders;
}

void take_order(BlockStepper& stepper, const TwoOrders& orders, bool second_first,
                const std::stop_token& stop) {
  if (second_first) {
    swap(stepper, orders.raced, orders, stop);
    stepper.step_warp(orders.first.warp, stop);
    return;
  }
  stepper.jump(orders.position + 1, stop);
  const Result<uint32_t> watch = [&] {
    Breakpoint watched = watch_of(orders.raced);
    watched.warp = orders.second.warp;
    return stepper.add(watched);
  }();
  if (!watch) return;
  stepper.run({}, stop);
  stepper.remove(*watch);
}

}  // namespace warplens::stepping
