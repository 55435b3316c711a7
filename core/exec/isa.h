// Which instruction sets a machine runs.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/exec/isa_features.h"
#include "core/exec/selector.h"

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

// What this machine has of them, a bit each.
uint32_t machine_features();

struct InstructionSet {
  const char* name;
  const OpsTable* table;
};

// Those of this build that a machine with these features runs, narrowest first. `widest`: the name of the
// last one that is wanted; one that is not there sets no limit.
std::vector<InstructionSet> instruction_sets(uint32_t features, std::string_view widest = {});

}  // namespace warplens::exec
