// The instruction sets that a machine can run.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/gpu/exec/isa/isa_features.h"
#include "core/gpu/exec/state/program.h"
#include "core/program/op/ops_table.h"

namespace warplens::exec {

#define WARPLENS_FEATURE_NUMBER(name) feature_##name,
#define WARPLENS_FEATURE_BIT(name) | 1u << feature_##name
enum FeatureNumber : uint32_t {
  WARPLENS_FEATURES_avx512(WARPLENS_FEATURE_NUMBER, WARPLENS_FEATURE_NUMBER) feature_count
};
constexpr uint32_t features_avx2 = 0 WARPLENS_FEATURES_avx2(WARPLENS_FEATURE_BIT, WARPLENS_FEATURE_BIT);
constexpr uint32_t features_avx512 = 0 WARPLENS_FEATURES_avx512(WARPLENS_FEATURE_BIT, WARPLENS_FEATURE_BIT);
#undef WARPLENS_FEATURE_NUMBER
#undef WARPLENS_FEATURE_BIT

// The features that this machine has, one bit each.
uint32_t machine_features();

const OpsTable& ops_baseline();
#if defined(__x86_64__)
const OpsTable& ops_avx2();
const OpsTable& ops_avx512();
#endif

// The widest instruction set that this machine runs. The environment variable WARPLENS_ISA (baseline, avx2,
// avx512) selects a narrower one. The results are the same on each.
const OpsTable& best_ops();
const char* best_ops_name();

struct InstructionSet {
  const char* name;
  const OpsTable* table;
};

// The instruction sets of this build that a machine with these features can run, narrowest first. `widest` is
// the name of the last one to include. An unknown name sets no limit.
std::vector<InstructionSet> instruction_sets(uint32_t features, std::string_view widest = {});

}  // namespace warplens::exec
