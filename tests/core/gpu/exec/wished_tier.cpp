// WARPLENS_TIER=always asks for tests of compiled blocks. Where nothing can be compiled, they would run the
// handlers once more and pass: they say that they are skipped instead.
#include <gtest/gtest.h>

#include <cstdio>

#include "core/gpu/exec/isa/isa.h"
#include "core/gpu/exec/jit/compiled.h"
#include "core/gpu/exec/jit/targets.h"

namespace warplens::exec::test {
namespace {

class WishedTier : public testing::Environment {
 public:
  void SetUp() override {
    if (tier_from_environment() != Tier::always) return;
    if (jit::target_for(&best_ops()) != nullptr) return;
    // ctest recognises this text, as for a case that skips itself.
    std::printf(
        "[  SKIPPED ] %d cases: this build or machine has no AVX2 or AVX-512 (WARPLENS_WIDE_ISAS), or no "
        "AsmJit: no block is compiled\n",
        testing::UnitTest::GetInstance()->test_to_run_count());
    GTEST_SKIP();
  }
};

const testing::Environment* const wished = testing::AddGlobalTestEnvironment(new WishedTier);

}  // namespace
}  // namespace warplens::exec::test
