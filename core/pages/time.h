// How long pages of managed memory take to move, fitted to an H200 on a bus of PCIe 5
// (tests/data/truth/pages_h200.txt). Most of it is work of the driver on the host, which was measured to
// differ by half from run to run.
#pragma once

#include "core/pages/pages.h"

namespace warplens::pages {

// In microseconds: of what a side waits for, and of a prefetch, which nobody waits for.
double use_us(Side by, const Moves& moves);
double prefetch_us(Side to, const Moves& moves);

}  // namespace warplens::pages
