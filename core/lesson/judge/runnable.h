// Shared by the files of the judge.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/device/device.h"
#include "core/kernels/catalogue.h"
#include "core/launch/backend.h"
#include "core/lesson/judge/judge.h"

namespace warplens::lesson {

// What an answer sets in its "// warplens:" comment, where the challenge allows it.
struct Chosen {
  std::vector<std::pair<std::string, std::string>> entries;  // "block" → "128", in the order of the comment
  uint64_t order = 0;
  std::string device;   // id; empty for the challenge's
  std::string mistake;  // why it may not set that; empty if it may
};
Chosen chosen_by(const Challenge& challenge, std::string_view source);

// A kernel that can be run at any case: the reference's description with this code.
struct Runnable {
  std::shared_ptr<const KernelDescription> kernel;
  bool numba = false;  // arrays are passed as Numba passes them
  Device device;
  std::optional<uint32_t> shared_bytes;  // set by the answer
};

// The challenge's data described over this PTX. Entries of `chosen` replace the challenge's own.
Result<std::shared_ptr<const KernelDescription>> describe(const Challenge& challenge,
                                                          const std::string& source, const std::string& ptx,
                                                          const Chosen& chosen);

// The same description with the answer's code. An error says why its parameters differ.
Result<std::shared_ptr<const KernelDescription>> with_code(const KernelDescription& reference,
                                                           const Challenge& challenge,
                                                           const Submission& answer, const std::string& ptx,
                                                           bool numba);

struct RunAt {
  Case at;
  uint64_t order = 0, data_seed = 1;
  bool findings = true;  // look for all of them
  uint64_t step_budget = default_step_budget;
};
// The request. All arrays are copied back, and outputs begin with arbitrary values.
Result<LaunchRequest> request_at(const Runnable& runnable, const Challenge& challenge, const RunAt& run);
// Runs it with occupancy, without the CPU reference.
// With `sm`, an SM is modelled in time too.
Result<RunResult> run_request(LaunchRequest request, Backend& backend, const std::stop_token& stop,
                              bool sm = false);

Result<Specification> specification_of(const Runnable& reference, const Challenge& challenge,
                                       Backend& backend);

// How many indices an array has in Numba: 1, 2 ([row, column]) or 3 ([row, column, channel]).
uint32_t indices_of(const KernelArgument& array);

// The kernel's source without its comments for this program. Line numbers do not change.
std::string without_annotation(std::string_view source);
// Whether it contains only comments and blanks.
bool is_comment_only(std::string_view source);

}  // namespace warplens::lesson
