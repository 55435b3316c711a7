// The op of an mbarrier instruction, PTX ISA 9.7.13.15.
#pragma once

#include <cstdint>

#include "core/program/op/op.h"

namespace warplens::program {

enum class MbarrierJob : uint8_t {
  init,
  invalidate,
  arrive,
  expect,
  complete,
  test,
  test_parity,
  async_arrive,  // cp.async.mbarrier.arrive.noinc
};
// Op::extra: the job, and these.
constexpr uint8_t mbarrier_job = 15;
constexpr uint8_t mbarrier_drops = 16, mbarrier_expects = 32, mbarrier_incomplete = 64,
                  mbarrier_generic = 128;

}  // namespace warplens::program
