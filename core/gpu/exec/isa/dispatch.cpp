// Which instruction set this machine runs.
#include <cstdlib>
#include <string_view>

#include "core/gpu/exec/isa/isa.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace warplens::exec {

namespace {

#if defined(__x86_64__)
// Intel's manual, CPUID: bit 5 of ecx.
bool has_lzcnt() {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(0x8000'0001, &eax, &ebx, &ecx, &edx) != 0 && (ecx >> 5 & 1) != 0;
}
#endif

InstructionSet choose() {
  const char* wish = std::getenv("WARPLENS_ISA");
  return instruction_sets(machine_features(), wish != nullptr ? wish : "").back();
}

const InstructionSet& choice() {
  static const InstructionSet chosen = choose();
  return chosen;
}

}  // namespace

uint32_t machine_features() {
  uint32_t features = 0;
#if defined(__x86_64__)
#define WARPLENS_ASK_BUILTIN(name) features |= uint32_t{__builtin_cpu_supports(#name) != 0} << feature_##name;
#define WARPLENS_ASK_CPUID(name) features |= uint32_t{has_##name()} << feature_##name;
  WARPLENS_FEATURES_avx512(WARPLENS_ASK_BUILTIN, WARPLENS_ASK_CPUID)
#undef WARPLENS_ASK_BUILTIN
#undef WARPLENS_ASK_CPUID
#endif
      return features;
}

std::vector<InstructionSet> instruction_sets([[maybe_unused]] uint32_t features,
                                             [[maybe_unused]] std::string_view widest) {
  std::vector<InstructionSet> sets;
  // The build defines WARPLENS_OPS_… for the sets that it has. A build for a single machine has only the set
  // of that machine.
#if !defined(WARPLENS_OPS_baseline) && defined(WARPLENS_OPS_avx512)
  sets.push_back({"avx512", &ops_avx512()});
#elif !defined(WARPLENS_OPS_baseline)
  sets.push_back({"avx2", &ops_avx2()});
#else
  sets.push_back({"baseline", &ops_baseline()});
#if defined(WARPLENS_OPS_avx2)
  if (widest != "baseline" && (features & features_avx2) == features_avx2)
    sets.push_back({"avx2", &ops_avx2()});
#endif
#if defined(WARPLENS_OPS_avx512)
  if (widest != "baseline" && widest != "avx2" && (features & features_avx512) == features_avx512)
    sets.push_back({"avx512", &ops_avx512()});
#endif
#endif
  return sets;
}

const OpsTable& best_ops() { return *choice().table; }
const char* best_ops_name() { return choice().name; }

}  // namespace warplens::exec
