#include "core/compile/choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/compile/clang.h"
#include "core/compile/nvrtc.h"
#include "core/compile/refused_source.h"
#include "core/compile/removed_words.h"
#include "core/compile/served.h"
#include "core/compile/stored.h"
#include "core/system/places.h"
#include "core/system/server.h"

namespace warplens {

namespace {
std::atomic<CompilerKind> preferred{CompilerKind::what_is_there};
}

void prefer_compiler(CompilerKind kind) { preferred = kind; }

const char* to_string(CompilerKind kind) {
  return kind == CompilerKind::nvrtc ? "nvrtc" : kind == CompilerKind::clang ? "clang" : "";
}

std::optional<CompilerKind> compiler_named(std::string_view word) {
  if (word.empty()) return CompilerKind::what_is_there;
  if (word == "nvrtc") return CompilerKind::nvrtc;
  if (word == "clang") return CompilerKind::clang;
  return std::nullopt;
}

Result<CompilerKind> chosen_compiler() {
  if (const CompilerKind kind = preferred; kind != CompilerKind::what_is_there) return kind;
  const std::string word = chosen_path(compiler_variable).value_or("");
  const auto kind = compiler_named(word);
  if (!kind)
    return bad_input(fmt::format("{}={}: the compilers are nvrtc and clang", compiler_variable, word));
  return *kind;
}

namespace {

// Each sentence stands once, at the first message that it is for.
Result<Compilation> with_removed_words(Result<Compilation> compilation) {
  if (!compilation || compilation->ok) return compilation;
  std::vector<std::string_view> said;
  for (Diagnostic& diagnostic : compilation->diagnostics)
    for (const std::string_view sentence : on_removed_words(diagnostic.message)) {
      if (std::ranges::find(said, sentence) != said.end()) continue;
      said.push_back(sentence);
      diagnostic.message += fmt::format(". {}", sentence);
    }
  return compilation;
}

Result<Compilation> compile_by_choice(std::string_view source, std::string_view name,
                                      const CompileOptions& options, std::stop_token stop) {
  if (name.empty()) name = "kernel.cu";
  if (source.find('\0') != source.npos)
    return refused_source(std::string(name),
                          "the source holds a zero byte, so it is not a text: open a CUDA C++ file");
  const Result<CompilerKind> kind =
      options.kind == CompilerKind::what_is_there ? chosen_compiler() : Result<CompilerKind>(options.kind);
  if (!kind) return kind.error();
  std::string without;  // why NVRTC is not used
  if (*kind != CompilerKind::clang) {
    const Result<Nvrtc> nvrtc = load_nvrtc(options.compiler);
    if (nvrtc) {
      CompileOptions with_headers = options;
      with_headers.headers = kernel_headers();
      return compile_with_nvrtc(*nvrtc, source, name, with_headers, std::move(stop));
    }
    if (*kind == CompilerKind::nvrtc) return nvrtc.error();
    without = nvrtc.error().message + " ";
  }
  const Result<Clang> clang = find_clang();
  if (!clang) {
    const StoredCode* const stored = stored_code();
    const auto made = stored ? stored_compilation(*stored, source, name, options) : std::nullopt;
    if (made) return *made;
    if (has_server()) return compile_on_server(source, name, options);
    if (stored)
      return missing(
          "This program has no compiler: only the code of its own kernels, lessons and challenges runs here, "
          "and PTX. "
          "Type CUDA C++ where WarpLens is installed.");
    return missing(without + clang.error().message);
  }
  return compile_with_clang(*clang, source, name, options, std::move(stop));
}

}  // namespace

Result<Compilation> compile_cuda(std::string_view source, std::string_view name,
                                 const CompileOptions& options, std::stop_token stop) {
  return with_removed_words(compile_by_choice(source, name, options, std::move(stop)));
}

}  // namespace warplens
