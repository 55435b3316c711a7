// warplens calibrate: measures a real GPU for the time model.
#include <fmt/format.h>

#include <chrono>

#include "app/cli/shared/choices.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/interrupt.h"
#include "core/base/system/files.h"
#include "core/job/calibrate.h"

namespace warplens {
namespace {

struct CalibrateChoices {
  std::string device = "cuda:0", out;
};

std::string today() {
  const std::chrono::year_month_day date(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return fmt::format("{}-{:02}-{:02}", int(date.year()), unsigned(date.month()), unsigned(date.day()));
}

Result<void> calibrate_device(const CalibrateChoices& choices, Cli& cli) {
  if (!choices.out.empty())
    if (const Result<void> writable = check_writable(choices.out); !writable) return writable.error();
  const Result<Device> device = find_device(choices.device, cli.real_gpus);
  if (!device) return device.error();
  const InterruptGuard interrupt(cli.stop);
  const std::unique_ptr<Backend> backend = cli.make_backend();
  Result<Calibration> measured = calibrate(*device, *backend, cli.stop.get_token(),
                                           [&](const std::string& what) { cli.say("measuring " + what); });
  if (!measured) return measured.error();
  measured->measured = "warplens calibrate, " + today();
  const std::string json = calibration_json(*measured);
  if (choices.out.empty()) {
    cli.out << json;
    return {};
  }
  if (const Result<void> written = write_text(choices.out, json); !written) return written.error();
  cli.say(fmt::format(
      "{} was written. In assets/timing/devices of the program's source it becomes part of the program.",
      choices.out));
  return {};
}

}  // namespace

CliCommand calibrate_command(Cli& cli) {
  const auto choices = std::make_shared<CalibrateChoices>();
  CliCommand command{"calibrate", "Measure a real GPU for the time model", {}, [choices, &cli] {
                       return calibrate_device(*choices, cli);
                     }};
  command.add({{"--device", &choices->device, "Device to measure (default: cuda:0)", "NAME"},
               {"--out", &choices->out, "File for the figures (default: print them)", "FILE"}});
  return command;
}

}  // namespace warplens
