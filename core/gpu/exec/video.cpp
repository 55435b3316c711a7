#include "core/gpu/exec/video.h"

#include <algorithm>
#include <bit>

#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/state/warp.h"

namespace warplens::exec {

namespace {

int64_t extended(uint32_t bits, uint32_t width, bool is_signed) {
  const uint64_t mask = (uint64_t{1} << width) - 1, sign = uint64_t{1} << (width - 1);
  const uint64_t value = bits & mask;
  return is_signed ? static_cast<int64_t>((value ^ sign) - sign) : static_cast<int64_t>(value);
}

int64_t clamped(int64_t value, uint32_t width, bool is_signed) {
  const int64_t low = is_signed ? -(int64_t{1} << (width - 1)) : 0;
  const int64_t high = is_signed ? (int64_t{1} << (width - 1)) - 1 : (int64_t{1} << width) - 1;
  return std::clamp(value, low, high);
}

uint32_t width_of(VideoPart part) { return part == VideoPart::word ? 32 : part == VideoPart::half ? 16 : 8; }

int64_t selected(uint32_t word, VideoPart part, uint32_t index, bool is_signed) {
  const uint32_t width = width_of(part);
  return extended(part == VideoPart::word ? word : word >> (width * index), width, is_signed);
}

bool compared(VideoCompare compare, int64_t a, int64_t b) {
  switch (compare) {
    case VideoCompare::eq:
      return a == b;
    case VideoCompare::ne:
      return a != b;
    case VideoCompare::lt:
      return a < b;
    case VideoCompare::le:
      return a <= b;
    case VideoCompare::gt:
      return a > b;
    case VideoCompare::ge:
      return a >= b;
  }
  return false;
}

int64_t shifted(const VideoPlan& plan, int64_t a, int64_t amount) {
  const int64_t n = plan.wrap ? amount & 31 : std::min<int64_t>(amount, 32);
  if (plan.operation == VideoOperation::shift_left)
    return static_cast<int64_t>(static_cast<uint64_t>(a) << n);
  return a >> n;
}

int64_t computed(const VideoPlan& plan, int64_t a, int64_t b) {
  switch (plan.operation) {
    case VideoOperation::add:
      return a + b;
    case VideoOperation::sub:
      return a - b;
    case VideoOperation::absolute_difference:
      return a < b ? b - a : a - b;
    case VideoOperation::min:
      return std::min(a, b);
    case VideoOperation::max:
      return std::max(a, b);
    case VideoOperation::average:
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case VideoOperation::shift_left:
    case VideoOperation::shift_right:
      return shifted(plan, a, b);
    case VideoOperation::set:
      return compared(plan.compare, a, b) ? 1 : 0;
    case VideoOperation::mad:
      break;
  }
  return 0;
}

// (a·b) + c with as many bits as needed, scaled and saturated. A product is negated as its complement plus
// one.
uint32_t multiply_add(const VideoPlan& plan, uint32_t a, uint32_t b, uint32_t c) {
  __extension__ using Wide = __int128;
  const int64_t ta = selected(a, plan.a_part, plan.a_index & 15u, plan.a_signed);
  const int64_t tb = selected(b, plan.b_part, plan.b_index & 15u, plan.b_signed);
  const bool is_signed = plan.a_signed || plan.b_signed || plan.negate_product || plan.negate_c;
  Wide product = static_cast<Wide>(ta) * tb;
  if (plan.negate_product) product = -product;
  Wide addend = is_signed ? Wide{static_cast<int32_t>(c)} : Wide{c};
  if (plan.negate_c) addend = -addend;
  const Wide sum = (product + addend + (plan.plus_one ? 1 : 0)) >> plan.shift;
  if (!plan.saturate) return static_cast<uint32_t>(sum);
  const Wide low = is_signed ? -(Wide{1} << 31) : Wide{0};
  const Wide high = is_signed ? (Wide{1} << 31) - 1 : (Wide{1} << 32) - 1;
  return static_cast<uint32_t>(sum < low ? low : sum > high ? high : sum);
}

uint32_t combined(const VideoPlan& plan, uint32_t value, uint32_t c) {
  const int64_t x = extended(value, 32, plan.d_signed), y = extended(c, 32, plan.d_signed);
  switch (plan.second) {
    case VideoSecond::add:
      return value + c;
    case VideoSecond::min:
      return static_cast<uint32_t>(std::min(x, y));
    case VideoSecond::max:
      return static_cast<uint32_t>(std::max(x, y));
    case VideoSecond::none:
      break;
  }
  return value;
}

uint32_t scalar(const VideoPlan& plan, uint32_t a, uint32_t b, uint32_t c) {
  const int64_t ta = selected(a, plan.a_part, plan.a_index & 15u, plan.a_signed);
  const int64_t tb = selected(b, plan.b_part, plan.b_index & 15u, plan.b_signed);
  const uint32_t width = width_of(plan.d_part);
  int64_t result = computed(plan, ta, tb);
  if (plan.saturate) result = clamped(result, width, plan.d_signed);
  const auto value = static_cast<uint32_t>(result);
  if (plan.d_part == VideoPart::word) return combined(plan, value, c);
  const uint32_t at = width * plan.d_index, mask = ((1u << width) - 1) << at;
  return (c & ~mask) | (value << at & mask);
}

// Selects elements from the eight bytes, or four half-words, of a (low) and b (high).
uint32_t simd(const VideoPlan& plan, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t width = 32u / plan.lanes, mask = (1u << width) - 1;
  const uint64_t both = uint64_t{b} << 32 | a;
  const bool accumulate = plan.second == VideoSecond::add;
  uint32_t result = accumulate ? c : 0;
  for (uint32_t i = 0; i < plan.lanes; ++i) {
    const auto pick = [&](uint32_t indices, bool is_signed) {
      return extended(static_cast<uint32_t>(both >> (width * (indices >> (4 * i) & 15))), width, is_signed);
    };
    int64_t value = computed(plan, pick(plan.a_index, plan.a_signed), pick(plan.b_index, plan.b_signed));
    if (plan.saturate) value = clamped(value, width, plan.d_signed);
    const bool chosen = (plan.d_index >> i & 1) != 0;
    const auto bits = static_cast<uint32_t>(value);
    if (accumulate) {
      result += chosen ? bits : 0;
    } else {
      result |= (chosen ? bits & mask : c >> (width * i) & mask) << (width * i);
    }
  }
  return result;
}

}  // namespace

uint32_t run_video_lane(const VideoPlan& plan, uint32_t a, uint32_t b, uint32_t c) {
  if (plan.operation == VideoOperation::mad) return multiply_add(plan, a, b, c);
  return plan.lanes == 1 ? scalar(plan, a, b, c) : simd(plan, a, b, c);
}

const Op* run_video(const Op* op, Warp& warp) {
  const VideoPlan plan = VideoPlan::of(*op);
  const uint32_t *a = warp.reg<uint32_t>(op->a), *b = warp.reg<uint32_t>(op->b),
                 *c = warp.reg<uint32_t>(op->c);
  uint32_t* d = warp.reg<uint32_t>(op->d);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    d[lane] = run_video_lane(plan, a[lane], b[lane], c[lane]);
  }
  return op + 1;
}

}  // namespace warplens::exec
