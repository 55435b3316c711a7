// The command line of clang: an architecture that it knows, no files of NVIDIA's, and NVRTC's options
// translated to clang's.
#include <fmt/format.h>

#include "core/compile/clang.h"

namespace warplens {

namespace {

// NVIDIA architectures that a version of clang knows (its release notes), and the PTX version that an
// architecture needs (PTX ISA, "Release Notes"). Without CUDA, clang uses an old PTX version.
struct KnownArchitecture {
  uint32_t number, since, ptx;
};
constexpr KnownArchitecture known[] = {{50, 14, 63},  {52, 14, 63}, {53, 14, 63}, {60, 14, 63}, {61, 14, 63},
                                       {62, 14, 63},  {70, 14, 63}, {72, 14, 63}, {75, 14, 63}, {80, 14, 70},
                                       {86, 14, 71},  {87, 16, 74}, {89, 16, 78}, {90, 16, 78}, {100, 20, 86},
                                       {101, 20, 86}, {120, 20, 87}};

Result<KnownArchitecture> architecture_for(const Clang& clang, ComputeCapability wanted) {
  const KnownArchitecture* best = nullptr;
  for (const KnownArchitecture& one : known)
    if (one.since <= clang.major && one.number <= wanted.number()) best = &one;
  if (best != nullptr) return *best;
  return missing(fmt::format("clang compiles for compute capability 5.0 and later, and not for {}.{}.",
                             wanted.major, wanted.minor));
}

// Translates an NVRTC option to clang's.
Result<void> add_option(const std::string& option, std::vector<std::string>& words) {
  const auto value_of = [&](std::string_view name) {
    return option.starts_with(name) ? option.substr(name.size()) : std::string();
  };
  if (option == "-D" || option == "-I" || option == "-U")  // clang would take the next word for its value
    return bad_input(fmt::format("{}: its value must follow without a space", option));
  if (option == "--fmad=false" || option == "-fmad=false") {
    for (const char* word : {"-Xclang", "-ffp-contract=off"}) words.emplace_back(word);
  } else if (option == "--use_fast_math" || option == "-use_fast_math") {
    for (const char* word : {"-ffast-math", "-fcuda-flush-denormals-to-zero"}) words.emplace_back(word);
  } else if (option.starts_with("-D") || option.starts_with("-I") || option.starts_with("-U")) {
    words.push_back(option);
  } else if (const std::string macro = value_of("--define-macro="); !macro.empty()) {
    words.push_back("-D" + macro);
  } else if (const std::string folder = value_of("--include-path="); !folder.empty()) {
    words.push_back("-I" + folder);
  } else if (const std::string dialect = value_of("--std="); !dialect.empty()) {
    words.push_back("-std=" + dialect);
  } else if (const std::string count = value_of("--maxrregcount="); !count.empty()) {
    // An option of the assembler, which is not in the PTX.
  } else {
    return bad_input(fmt::format("{}: NVRTC has this option, and clang has none like it", option));
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> clang_device_words(const Clang& clang, ComputeCapability capability) {
  const auto architecture = architecture_for(clang, capability);
  if (!architecture) return architecture.error();
  return std::vector<std::string>{fmt::format("--cuda-gpu-arch=sm_{}", architecture->number), "-Xclang",
                                  "-target-feature", "-Xclang", fmt::format("+ptx{}", architecture->ptx),
                                  "-Wno-unknown-cuda-version",
                                  // The result of malloc is compared with null.
                                  "-fno-builtin-malloc", "-fno-builtin-free",
                                  // libclc is made for NVPTX without an operating system.
                                  "-Wno-linker-warnings", "-Wno-c11-extensions",
                                  // For the source, but not for libclc's code, which depends on each
                                  // rounding.
                                  "-Xclang", "-ffp-contract=fast-honor-pragmas"};
}

std::vector<std::string> libclc_words(const Clang& clang) {
  return {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", clang.libclc};
}

Result<std::vector<std::string>> clang_words(const Clang& clang, const CompileOptions& options,
                                             const std::string& headers) {
  const auto device = clang_device_words(clang, options.architecture);
  if (!device) return device.error();
  std::vector<std::string> words = {clang.path, "-x", "cuda", "--cuda-device-only",
                                    // No files of NVIDIA's.
                                    "-nocudainc", "-nocudalib", "-std=c++17", "-S", "-isystem", headers,
                                    "-fno-color-diagnostics", "-fno-caret-diagnostics"};
  words.insert(words.end(), {"-idirafter", headers + "/" + kernel_header_folder});
  words.insert(words.end(), device->begin(), device->end());
  // As in NVRTC: line information always, and a product that is added to is fused into one operation.
  if (options.debug)
    for (const char* word : {"-O0", "-g"}) words.emplace_back(word);
  else
    for (const char* word : {"-O3", "-gline-directives-only"}) words.emplace_back(word);
  for (const std::string& folder : options.include_directories) words.push_back("-I" + folder);
  for (const std::string& option : options.extra)
    if (const Result<void> taken = add_option(option, words); !taken) return taken.error();
  return words;
}

std::vector<std::string> clang_command(std::vector<std::string> words, const Clang& clang, bool libclc,
                                       const std::string& precompiled) {
  const auto add = [&](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
  if (precompiled.empty())
    add({"-include", first_header});
  else
    add({"-Xclang", "-include-pch", "-Xclang", precompiled});
  if (libclc)
    for (std::string& word : libclc_words(clang)) words.push_back(std::move(word));
  add({"-o", "-", "-"});
  return words;
}

}  // namespace warplens
