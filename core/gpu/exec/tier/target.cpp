#include <memory>
#include <utility>

#include "core/gpu/exec/tier/compile.h"
#include "core/gpu/exec/tier/executable_pages.h"

namespace warplens::exec::tier {

jit::Made compile_for_avx512(const jit::CompileRequest& request) {
  const Compiled compiled =
      compile_blocks(*request.program, request.ops, *request.starts, request.mode, *request.lookers,
                     request.checks, request.entries, *request.steps_of_shapes);
  if (compiled.bytes.empty()) return {};
  auto pages = std::make_shared<ExecutablePages>(compiled.bytes);
  if (pages->data() == nullptr) return {};
  const std::byte* const code = pages->data();
  jit::Made made{reinterpret_cast<jit::Enter>(reinterpret_cast<uintptr_t>(code)), {}, std::move(pages)};
  for (const auto& [op, offset] : compiled.entered) made.entered.emplace_back(op, code + offset);
  return made;
}

}  // namespace warplens::exec::tier
