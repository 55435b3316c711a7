// The includes that every family of handlers needs before isa_begin.h.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/gpu/exec/state/counters.h"
#include "core/gpu/exec/state/observer.h"
#include "core/gpu/exec/state/warp.h"
#include "core/program/op/memory_op.h"
#include "core/program/op/ops_table.h"
