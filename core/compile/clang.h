// clang as a compiler of CUDA C++: every distribution has it. It takes headers of our own (assets/cuda) in
// place of NVIDIA's, and libclc for the functions of mathematics that no instruction of PTX is.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/compile/compiler.h"

namespace warplens {

struct Clang {
  std::string path;
  uint32_t major = 0;   // 14 and later
  std::string version;  // "19.1.7"
  std::string libclc;   // the path of its bitcode for NVPTX; empty if there is none
};

// The one that WARPLENS_CLANG names, else the newest on PATH (clang, clang-14 …). An error of kind missing
// says what to install.
Result<Clang> find_clang();

// The words that link libclc, and what is said of functions that are missing all the same.
std::vector<std::string> libclc_words(const Clang& clang);
std::string defined_nowhere(const std::vector<std::string>& functions, const Clang& clang);

// Which package has the functions of mathematics for it.
std::string how_to_get_libclc(const Clang& clang);

// The folder of the headers, made in the cache by the first one who asks.
Result<std::string> clang_header_folder();

// As compile_cuda does. Options of NVRTC that clang has not are refused by name.
Result<Compilation> compile_with_clang(const Clang& clang, std::string_view source, std::string_view name,
                                       const CompileOptions& options, std::stop_token stop = {});

// The words of its command line, for an architecture that it knows. Without `libclc` no library is linked.
Result<std::vector<std::string>> clang_command(const Clang& clang, const CompileOptions& options,
                                               const std::string& headers, bool libclc);

// Of them, those that say the device and how its code is made. Errors: an architecture older than all it
// knows.
Result<std::vector<std::string>> clang_device_words(const Clang& clang, ComputeCapability capability);

// A source as clang takes it: nvcc takes alignas behind a specifier of the memory space, and a launch whose
// brackets are apart.
std::string text_for_clang(std::string_view source);

// Reads messages like "add.cu:4:7: error: use of undeclared identifier 'q'".
std::vector<Diagnostic> parse_clang_log(std::string_view log);

// The functions that the PTX calls and nobody defines, as C++ writes them: "sin(float)".
std::vector<std::string> missing_functions(std::string_view ptx);

}  // namespace warplens
