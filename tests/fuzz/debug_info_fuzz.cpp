// Any PTX text: its debug sections are read or refused, and what was read can be walked over.
#include <cstdlib>
#include <string>

#include "core/ptx/debug/read_debug_info.h"
#include "core/ptx/parser/parse.h"

namespace {

using namespace warplens;

void walk(const debug::DebugInfo& info, const debug::Scope& scope) {
  for (const debug::Variable& variable : scope.variables) {
    if (variable.type >= info.types.size()) std::abort();
    debug::type_bytes(info, variable.type);
    if (debug::type_name(info, variable.type).empty()) std::abort();
  }
  for (const debug::Scope& inner : scope.scopes) walk(info, inner);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  const std::string text(reinterpret_cast<const char*>(bytes), count);
  // The sections are reached whatever the code before them is.
  const size_t sections = text.find(".section");
  const std::string code =
      ".version 7.0\n.target sm_50\n.address_size 64\n.entry k() {\n$L__func_begin0:\n  "
      "ret;\n$L__func_end0:\n}\n";
  for (const std::string& whole : {text, sections == text.npos ? code : code + text.substr(sections)}) {
    const ptx::ParseResult parsed = ptx::parse(whole, "fuzz.ptx");
    if (parsed.module == nullptr) continue;
    const Result<debug::DebugInfo> info = debug::read_debug_info(*parsed.module);
    if (!info) {
      if (info.error().message.empty()) std::abort();
      continue;
    }
    for (const debug::Function& function : info->functions) walk(*info, function.scope);
    for (const debug::Variable& variable : info->variables) debug::type_bytes(*info, variable.type);
  }
  return 0;
}
