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
    if (wished_tier() != Tier::always) return;
    if (jit::target_beside(&best_ops()) != nullptr) return;
    // In these words ctest hears it, as of a case that skips itself.
    std::printf("[  SKIPPED ] %d cases: no AVX2, or no AsmJit, so no block is compiled\n",
                testing::UnitTest::GetInstance()->test_to_run_count());
    GTEST_SKIP();
  }
};

const testing::Environment* const wished = testing::AddGlobalTestEnvironment(new WishedTier);

}  // namespace
}  // namespace warplens::exec::test
