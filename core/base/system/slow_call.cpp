#include "core/base/system/slow_call.h"

#include <atomic>

namespace warplens {
namespace {

std::atomic<int> left = 0;

}  // namespace

bool slow_calls_left() { return left > 0; }

void detail::count_left(int more) { left += more; }

}  // namespace warplens
