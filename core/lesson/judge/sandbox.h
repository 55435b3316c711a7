// What runs code of other people: in bubblewrap, with no network, no home and no files except the compiler's,
// or as a separate user.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/system/other_user.h"
#include "core/system/process.h"

namespace warplens::lesson {

// Checks that bubblewrap is installed and works; an error says why not.
Result<void> sandbox_works();
// If it does not, the user that runs answers: WARPLENS_JUDGE_USER, else warplens-judge. An error says why
// there is none.
Result<OtherUser> judge_user();
// Why untrusted answers are not run on this machine: neither of the two works. Empty if they are.
std::string why_not_apart();
// What of the system can be read in the sandbox: all of its programs, headers and libraries, or its libraries
// and what was installed by hand in /usr/local, such as CUDA.
enum class OfSystem { all, libraries };
// The command line that runs `words` in bubblewrap. `readable` are paths that it may read besides the
// system's.
std::vector<std::string> in_sandbox(const std::vector<std::string>& words,
                                    const std::vector<std::string>& readable, OfSystem of_system);

// Runs this program (words[0], a path) in bubblewrap, with what it and its compilers read. Where bubblewrap
// does not work, nothing is run, and what it says is in `err`.
Result<ProcessEnd> run_in_sandbox(const std::vector<std::string>& words, std::string_view input,
                                  const ProcessLimits& limits, std::stop_token stop = {});
// Whether the text of a compiler or a program says that it had too little memory.
bool speaks_of_memory(std::string_view text);

}  // namespace warplens::lesson
