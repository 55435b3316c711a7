#include "app/user_program/nvcc_steps.h"

#include <chrono>
#include <filesystem>
#include <ostream>
#include <utility>

#include "app/user_program/environment.h"
#include "core/base/system/files.h"
#include "core/system/attached.h"
#include "core/system/run_program.h"

namespace warplens::nvcc {

namespace fs = std::filesystem;

namespace {

Result<void> write_stub(const Step& step) {
  std::vector<std::string> arguments;
  for (const std::string& object : step.objects)
    if (std::error_code error; fs::exists(object, error)) arguments.push_back(object);
  std::string symbols;
  if (!arguments.empty()) {
    const Result<ProgramEnd> listed =
        run_program(program_run::in_path("nm"), arguments, std::chrono::minutes(1));
    if (!listed) return listed.error();
    symbols = listed->output;
  }
  return write_text(step.stub, stub_of(symbols));
}

}  // namespace

Result<int> run_nvcc_step(const Step& step) {
  // nvcc would add these to each step; the plan has them already.
  // And what it starts is not to come back here.
  return run_attached(step.words,
                      {{"NVCC_PREPEND_FLAGS", ""}, {"NVCC_APPEND_FLAGS", ""}, {"WARPLENS_FRONT", ""}});
}

int run_steps(const Plan& plan, const RunStep& run, std::ostream& err) {
  for (const Step& step : plan.steps) {
    if (step.words.empty()) {
      if (const auto written = write_stub(step); !written) {
        err << "warplens nvcc: " << written.error().message << "\n";
        return 1;
      }
      continue;
    }
    const Result<int> ended = run(step);
    if (!ended) {
      err << "warplens nvcc: " << ended.error().message << "\n";
      return 127;
    }
    if (*ended != 0) return *ended;
  }
  return 0;
}

}  // namespace warplens::nvcc
