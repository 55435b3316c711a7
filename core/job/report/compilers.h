// Compares one kernel compiled by two compilers: the PTX of each, the counts of its run, where they differ
// and why.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "core/compile/compiler.h"
#include "core/job/files/own_kernel_file.h"
#include "core/job/report/report_fields.h"
#include "core/job/run_job.h"

namespace warplens {

// Counts of instructions in the text of a module, for all its functions together.
struct PtxFacts {
  uint32_t instructions = 0;
  uint32_t loops = 0;       // backward branches
  uint32_t forward = 0;     // forward branches
  uint32_t selections = 0;  // selp, and instructions with a predicate as guard
  uint32_t fused = 0;       // multiply-adds of floats
  uint32_t wide = 0;        // loads and stores of two or four elements at once
};
PtxFacts ptx_facts(const std::string& ptx);

// The kernel as compiled by one of the two.
struct MadeBy {
  std::string compiler;   // "clang 19.1.7"
  double compile_ms = 0;  // measured
  std::shared_ptr<const KernelDescription> kernel;
  PtxFacts ptx;
  RunResult result;
};

// Runs the kernel with its own launch. An error if the launch cannot be made; a refused launch or a fault is
// in the result.
Result<MadeBy> run_made(std::string compiler, double compile_ms,
                        const std::shared_ptr<const KernelDescription>& kernel, const Device& device,
                        Backend& backend, std::stop_token stop);

// The same for an own kernel of the user, after its compilation. Errors of the compilation are returned too.
Result<MadeBy> run_made(const Result<CompiledKernel>& compiled, const Device& device, Backend& backend,
                        std::stop_token stop);

// The same for a built-in kernel, which it compiles for the device with this compiler. It is also an error if
// the compiler is not installed, or if the source does not compile.
Result<MadeBy> compile_and_run(const KernelDescription& built_in, CompilerKind compiler, const Device& device,
                               Backend& backend, std::stop_token stop);

// A table, the lines that differ most, and a sentence for each common reason.
std::string compared_text(const MadeBy& first, const MadeBy& second);
ReportJson compared_json(const MadeBy& first, const MadeBy& second);

}  // namespace warplens
