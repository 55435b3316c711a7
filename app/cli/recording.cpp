// warplens recording: what a program did, out of a recording of it.
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/base/system/files.h"
#include "core/files/device_figures.h"
#include "core/recording/recording.h"

namespace warplens {

namespace {

struct RecordingChoices {
  std::string file, json;
};

Result<void> show(const RecordingChoices& choices, Cli& cli) {
  if (const Result<void> writable = check_report(choices.json); !writable) return writable.error();
  const Result<recording::Recording> recording = recording::read_recording(choices.file);
  if (!recording) return recording.error();
  const recording::DeviceFigures device = figures_of_device(recording->device);
  if (choices.json != "-") cli.out << recording::recording_text(*recording, device);
  if (choices.json.empty()) return {};
  const std::string json = recording::recording_json(*recording, device);
  if (choices.json != "-") return write_text(choices.json, json);
  cli.out << json;
  return {};
}

}  // namespace

CliCommand recording_command(Cli& cli) {
  const auto choices = std::make_shared<RecordingChoices>();
  return {"recording",
          "List what a recorded program did (warplens program --record FILE); run FILE --recorded N runs one "
          "of its "
          "launches again",
          {{.name = "file",
            .value = &choices->file,
            .help = "The recording",
            .value_name = "FILE.warplens",
            .required = true},
           {"--json", &choices->json, "Write all events in order as JSON; with -, print only the JSON",
            "FILE|-"}},
          [choices, &cli] { return show(*choices, cli); }};
}

}  // namespace warplens
