// The result for a source that the compiler rejected without a message.
#pragma once

#include <string>
#include <utility>

#include "core/compile/compiler.h"

namespace warplens {

inline Compilation refused_source(const std::string& name, std::string message) {
  Compilation compilation;
  compilation.diagnostics.push_back({Severity::error, name, 0, 0, std::move(message)});
  compilation.log = to_text(compilation.diagnostics);
  return compilation;
}

}  // namespace warplens
