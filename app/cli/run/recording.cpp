// warplens recording: what a program did, out of a recording of it.
#include <fmt/format.h>

#include <filesystem>
#include <ostream>
#include <utility>

#include "app/cli/shared/commands.h"
#include "app/cli/shared/output.h"
#include "app/user_program/environment.h"
#include "app/user_program/folder.h"
#include "core/base/system/files.h"
#include "core/job/files/device_figures.h"
#include "core/recording/recording.h"
#include "core/recording/trace.h"

namespace warplens {

namespace {

struct RecordingChoices {
  std::string file, json, trace, out;
};

// For a launcher that was killed: makes the recording that it could not write, and removes its folder.
Result<void> save_left_over(const RecordingChoices& choices, Cli& cli) {
  if (!choices.out.ends_with(".warplens"))
    return bad_input(fmt::format("--out {}: the name of a recording ends with .warplens", choices.out));
  if (const auto writable = check_writable(choices.out); !writable) return writable.error();
  const Result<program_run::LeftOver> left = program_run::left_over_in(choices.file);
  if (!left) return left.error();
  const Result<bool> whole = recording::join_recording(left->journals(), left->launches(),
                                                       {left->command, left->device, std::nullopt, 0},
                                                       left->record_limit, choices.out);
  if (!whole) return whole.error();
  std::error_code error;
  std::filesystem::remove_all(left->folder, error);
  cli.say(fmt::format("{} has what the program did until it was killed", choices.out));
  return {};
}

Result<void> show(const RecordingChoices& choices, Cli& cli) {
  std::error_code error;
  const bool is_folder = std::filesystem::is_directory(choices.file, error);
  if (is_folder && choices.out.empty()) {
    if (const auto left = program_run::left_over_in(choices.file); !left) return left.error();
    return bad_input(
        fmt::format("{} is the folder of a run that was killed: --out FILE.warplens saves its "
                    "recording, and removes it.",
                    choices.file));
  }
  if (!choices.out.empty() && !is_folder)
    return bad_input("--out is for the folder of a run that was killed.");
  if (is_folder) {
    if (const auto saved = save_left_over(choices, cli); !saved) return saved.error();
    RecordingChoices made = choices;
    made.file = std::exchange(made.out, {});
    return show(made, cli);
  }
  for (const std::string& report : {choices.json, choices.trace})
    if (const Result<void> writable = check_report(report); !writable) return writable.error();
  if (choices.json == "-" && choices.trace == "-")
    return bad_input("Only one of --json and --trace can be -.");
  const Result<recording::Recording> recording = recording::read_recording(choices.file);
  if (!recording) return recording.error();
  const recording::DeviceFigures device = figures_of_device(recording->device);
  if (choices.json != "-" && choices.trace != "-") cli.out << recording::recording_text(*recording, device);
  const auto write = [&](const std::string& to, const std::string& text) -> Result<void> {
    if (to != "-") return write_text(to, text);
    cli.out << text;
    return {};
  };
  if (!choices.json.empty())
    if (const auto written = write(choices.json, recording::recording_json(*recording, device)); !written)
      return written.error();
  return choices.trace.empty() ? Result<void>() : write(choices.trace, recording::trace_text(*recording));
}

}  // namespace

CliCommand recording_command(Cli& cli) {
  const auto choices = std::make_shared<RecordingChoices>();
  return {
      "recording",
      "List what a recorded program did (warplens program --record FILE); run FILE --recorded N runs one "
      "of its "
      "launches again",
      {{.name = "file",
        .value = &choices->file,
        .help = "The recording; or the folder that a killed run left, with --out",
        .value_name = "FILE.warplens",
        .required = true},
       {"--json", &choices->json, "Write all events in order as JSON; with -, print only the JSON", "FILE|-"},
       {"--trace", &choices->trace,
        "Write its time line for Perfetto (ui.perfetto.dev) and chrome://tracing; with -, print only that",
        "FILE|-"},
       {"--out", &choices->out, "Write the recording of a run that was killed here", "FILE.warplens"}},
      [choices, &cli] { return show(*choices, cli); }};
}

}  // namespace warplens
