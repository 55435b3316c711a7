#include "app/cli/shared/outcome.h"

#include <fmt/format.h>

namespace warplens {

namespace {

// The message names block and thread. The line comes before it, as in messages of compilers.
std::string sentence_of(const Incident& incident) {
  if (incident.line != 0) return fmt::format("{}:{}: {}", incident.file, incident.line, incident.message);
  if (incident.ptx_line != 0) return fmt::format("PTX line {}: {}", incident.ptx_line, incident.message);
  return incident.message;
}

std::string first_of(const std::vector<Incident>& incidents, const std::string& otherwise) {
  return incidents.empty() ? otherwise : sentence_of(incidents.front());
}

}  // namespace

void say_outcome(const RunResult& result, bool strict, Cli& cli) {
  switch (result.status) {
    case RunStatus::ok:
      break;
    case RunStatus::fault:
      cli.fail(failed(first_of(result.faults, result.message)));
      break;
    case RunStatus::check_failed:
      cli.fail(failed("The result is wrong: " + result.message));
      break;
    case RunStatus::refused:
      cli.fail({ErrorKind::refused,
                fmt::format("CUDA would refuse this launch{}: {}{}{}",
                            result.cuda_error ? " with " + *result.cuda_error : "", result.message,
                            result.consequence.empty() ? "" : " ", result.consequence)});
      break;
    case RunStatus::cancelled:
      cli.fail({ErrorKind::cancelled, result.message.empty() ? "The run was cancelled" : result.message});
      break;
  }
  if (strict && !result.findings.empty())
    cli.fail(failed(fmt::format(
        "{} under --strict, the first: {}",
        result.findings.size() == 1 ? "one finding" : fmt::format("{} findings", result.findings.size()),
        first_of(result.findings, ""))));
  for (const Warning& warning : result.warnings)
    if (warning.id == WarningId::resources_unknown) cli.say(warning.message);
}

}  // namespace warplens
