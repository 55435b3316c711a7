// warplens judge: one answer to a challenge.
#include "core/lesson/judge/judge.h"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "app/cli/learn/judging.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/interrupt.h"
#include "app/cli/shared/lesson_folders.h"
#include "app/cli/shared/values.h"
#include "core/base/json/json_values.h"
#include "core/base/system/files.h"
#include "core/job/report/report_fields.h"
#include "core/lesson/judge/judge_report.h"
#include "core/system/places.h"

namespace warplens {

namespace {

struct JudgeChoices {
  std::string challenge, file, language;
  JudgingChoices judging;
  bool json = false;
};

constexpr uint64_t max_answer_bytes = uint64_t{1} << 20;

Result<void> judge_file(const JudgeChoices& choices, Cli& cli) {
  const Result<lesson::Folder> folder = lesson_folder("challenges", choices.challenge);
  if (!folder) return folder.error();
  const Result<std::string> bytes = read_text(choices.file, max_answer_bytes);
  if (!bytes) return bytes.error();
  const InterruptGuard interrupt(cli.stop);
  const lesson::LoadedChallenge read = lesson::load_challenge(*folder, choices.language);
  if (!read.ok()) return bad_input(to_text(read.diagnostics));
  if (!choices.language.empty() && choices.language != read.challenge.language)
    return bad_input(fmt::format("--language {}: {} has no challenge.{}.md; its texts are in {}.",
                                 choices.language, folder->name, choices.language, read.challenge.language));
  lesson::JudgeOptions options;
  const Result<uint64_t> seed = seed_of(choices.judging);
  if (!seed) return seed.error();
  options.seed = *seed;
  options.language = choices.language;
  options.stop = cli.stop.get_token();
  const std::string name = std::filesystem::path(choices.file).filename().string();
  const Result<lesson::HandIn> hand_in = lesson::read_hand_in(*bytes, name);
  if (!hand_in) return hand_in.error();
  if (!hand_in->challenge.empty() && hand_in->challenge != folder->name)
    return bad_input(fmt::format("{} is an answer to the challenge {}, and not to {}: warplens judge {} {}",
                                 name, hand_in->challenge, folder->name, hand_in->challenge, choices.file));
  if (!hand_in->checksum_fits)
    cli.say("The checksum does not fit: the file was changed after it was handed in.");
  // A source is the user's own; a hand-in is another person's.
  lesson::JudgeLimits limits = limits_of(choices.judging);
  limits.trusts_author = limits.trusts_author || !choices.file.ends_with(".json");
  say_how_apart(limits, cli);
  const lesson::Judged judged =
      lesson::judge_apart(program_path().string(), *folder, *hand_in, name, options, limits).judged;
  if (choices.json)
    cli.out << json_values::indented(lesson::judged_json(judged, read.challenge, name));
  else
    cli.out << lesson::judged_text(judged, read.challenge, name);
  if (judged.reason == lesson::Reason::no_compiler) return missing(judged.message);
  if (!judged.right()) cli.status = exit_status::not_held;
  return {};
}

}  // namespace

CliCommand judge_command(Cli& cli) {
  const auto choices = std::make_shared<JudgeChoices>();
  CliCommand command{"judge",
                     "Judge an answer to a challenge",
                     {{.name = "challenge",
                       .value = &choices->challenge,
                       .help = "Name of a challenge (warplens challenges list), or its folder",
                       .value_name = "CHALLENGE",
                       .required = true},
                      {.name = "file",
                       .value = &choices->file,
                       .help = "The answer",
                       .value_name = "FILE.cu|FILE.py|FILE.json",
                       .required = true},
                      {.name = "--language",
                       .value = &choices->language,
                       .help = "The goals' words of challenge.LANGUAGE.md",
                       .value_name = "de"},
                      {.name = "--json", .value = &choices->json, .help = "Print JSON"}},
                     [choices, &cli] { return judge_file(*choices, cli); }};
  command.add(judging_options(choices->judging));
  command.add(strangers_options(choices->judging));
  return command;
}

}  // namespace warplens
