#include "core/pages/time.h"

namespace warplens::pages {

namespace {

// A miss costs the driver's time, and the copy; bytes a microsecond are MB a second.
struct Cost {
  double miss_us, bytes_per_us;
};
constexpr Cost device_use{93, 21e3}, host_use{76, 36e3};
constexpr double mapped_bytes_per_us = 56e3;
constexpr double prefetch_to_device = 48e3, prefetch_to_host = 14.7e3;

double us_of(const Cost& cost, const Moves& moves) {
  return cost.miss_us * static_cast<double>(moves.misses) +
         static_cast<double>(moves.bytes) / cost.bytes_per_us;
}

}  // namespace

double use_us(Side by, const Moves& moves) {
  return us_of(by == Side::device ? device_use : host_use, moves) +
         static_cast<double>(moves.mapped_bytes) / mapped_bytes_per_us;
}

double prefetch_us(Side to, const Moves& moves) {
  return static_cast<double>(moves.bytes) / (to == Side::device ? prefetch_to_device : prefetch_to_host);
}

}  // namespace warplens::pages
