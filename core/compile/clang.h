// clang as a compiler of CUDA C++, since every distribution has it. It uses our own headers (assets/cuda) in
// place of NVIDIA's, and libclc for mathematical functions that are not a PTX instruction.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/compile/compiler.h"
#include "core/system/process.h"

namespace warplens {

struct Clang {
  std::string path;
  uint32_t major = 0;   // 14 and later
  std::string version;  // "19.1.7"
  std::string libclc;   // the path of its bitcode for NVPTX; empty if there is none
};

// The clang that WARPLENS_CLANG names, else the newest on PATH (clang, clang-14 …). An error of kind missing
// says what to install.
Result<Clang> find_clang();

// The options that link libclc, and the message about functions that are still missing.
std::vector<std::string> libclc_words(const Clang& clang);
std::string defined_nowhere(const std::vector<std::string>& functions, const Clang& clang);

// The package that has the mathematical functions for this clang.
std::string how_to_get_libclc(const Clang& clang);

// The folder of the headers. The first call creates it in the cache. In a folder of this name in it are those
// of kernel_headers().
constexpr const char* kernel_header_folder = "kernel_headers";
Result<std::string> clang_header_folder();

// Like compile_cuda. NVRTC options that clang does not have are refused by name.
Result<Compilation> compile_with_clang(const Clang& clang, std::string_view source, std::string_view name,
                                       const CompileOptions& options, std::stop_token stop = {});

// The start of its command line, for an architecture that it knows: all that the precompiled header depends
// on.
Result<std::vector<std::string>> clang_words(const Clang& clang, const CompileOptions& options,
                                             const std::string& headers);

// The whole command line, for a source from standard input. Without `libclc` no library is linked. Each
// source begins with first_header, or with its precompiled form if there is one.
constexpr const char* first_header = "warplens_cuda.h";
std::vector<std::string> clang_command(std::vector<std::string> words, const Clang& clang, bool libclc,
                                       const std::string& precompiled);

// Runs such a command line. Cancelled and 120 s without an end are errors.
Result<ProcessEnd> run_clang(const std::vector<std::string>& words, const std::string& input,
                             std::stop_token stop = {});

// The file with first_header as clang has read it, in the cache; the first call makes it. Reading the header
// takes half the time of compiling a small kernel. Empty if it cannot be made, and with further options,
// since these could change what the header says.
std::string precompiled_header(const Clang& clang, const CompileOptions& options, const std::string& headers);

// The part of the command line that selects the device and its code generation. It is an error if the
// architecture is older than all that this clang knows.
Result<std::vector<std::string>> clang_device_words(const Clang& clang, ComputeCapability capability);

// The source with changes for clang: nvcc accepts alignas after a memory space specifier, and launches with
// spaces between the angle brackets.
std::string text_for_clang(std::string_view source);

// Reads messages like "add.cu:4:7: error: use of undeclared identifier 'q'".
std::vector<Diagnostic> parse_clang_log(std::string_view log);

// The functions that the PTX calls but that are not defined, as in C++: "sin(float)".
std::vector<std::string> missing_functions(std::string_view ptx);

}  // namespace warplens
