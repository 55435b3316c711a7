// warplens fetch: brings NVIDIA's compiler and assembler, and the sample photographs, into the user's cache.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <utility>

#include "app/cli/shared/commands.h"
#include "app/cli/shared/interrupt.h"
#include "core/compile/fetch.h"
#include "core/compile/found.h"
#include "core/compile/locations.h"
#include "core/image/image.h"
#include "core/system/own_process.h"
#include "core/system/places.h"

namespace warplens {

namespace {

namespace fs = std::filesystem;

struct FetchChoices {
  std::vector<std::string> parts;
  bool yes = false;
};

// Whether this machine has what a part gives, from pip, a toolkit or elsewhere: a user who names no part
// needs no second one.
bool is_found(const std::string& part) {
  if (part == "cuda") return bool(find_compiler()) && !cuda_include_directories().empty();
  if (part == "ptxas13") return bool(find_assembler());
  if (part == "nvcc") return true;  // fetched only if named
  return !sample_photos().empty();
}

// The missing parts: of all parts, or of those that were named.
Result<std::vector<FetchPart>> wanted_parts(const std::vector<FetchPart>& all, const FetchChoices& choices) {
  std::string names;
  for (const FetchPart& part : all) names += (names.empty() ? "" : ", ") + part.name;
  std::vector<FetchPart> wanted;
  for (const std::string& name : choices.parts) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const FetchPart& part) { return part.name == name; });
    if (found == all.end())
      return bad_input(fmt::format("There is no part {} to fetch; there are {}.", name, names));
    wanted.push_back(*found);
  }
  if (choices.parts.empty()) wanted = all;
  std::erase_if(wanted, [&](const FetchPart& part) {
    return part.here || (choices.parts.empty() && is_found(part.name));
  });
  return wanted;
}

// On a terminal one line that changes, elsewhere a line for each tenth.
void show_progress(const FetchPart& part, uint64_t megabytes, bool terminal, Cli& cli) {
  const uint64_t total = std::max<uint64_t>(part.megabytes, 1), tenths = 10 * megabytes / total;
  cli.out << fmt::format("{}{:<9}[{:<10}] {:>4} of {} MB{}", terminal ? "\r" : "", part.name,
                         std::string(std::min<uint64_t>(tenths, 10), '#'), megabytes, part.megabytes,
                         terminal ? "" : "\n")
          << std::flush;
}

Result<void> run_script(const FetchScript& script, const FetchPart& part, const fs::path& cache, Cli& cli) {
  const bool terminal = output_is_a_terminal();
  uint64_t told_tenths = 0;
  const auto told = [&](uint64_t megabytes) {
    const uint64_t tenths = 10 * megabytes / std::max<uint64_t>(part.megabytes, 1);
    if (terminal || std::exchange(told_tenths, tenths) != tenths)
      show_progress(part, megabytes, terminal, cli);
  };
  const InterruptGuard interrupt(cli.stop);
  Result<void> done = run_fetch(script.command(part, cache), told, cli.stop.get_token());
  if (done) show_progress(part, part.megabytes, terminal, cli);
  if (terminal) cli.out << "\n";
  if (done || done.error().kind == ErrorKind::cancelled) return done;
  return Error{done.error().kind, fmt::format("{} was not fetched: {}", part.name, done.error().message)};
}

// Asks the user. A user who cannot answer must agree with --yes.
Result<bool> agreed(const FetchChoices& choices, Cli& cli) {
  if (choices.yes) return true;
  if (!input_is_a_terminal()) return bad_input("Nothing was fetched: agree with --yes.");
  cli.out << "Fetch this now? [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

Result<void> fetch(const FetchChoices& choices, Cli& cli) {
  const fs::path cache = cache_folder();
  if (cache.empty()) return missing("There is no folder to fetch into: set HOME or XDG_CACHE_HOME.");
  const Result<std::vector<FetchPart>> all = fetch_parts(cache);
  if (!all) return all.error();
  const Result<std::vector<FetchPart>> wanted = wanted_parts(*all, choices);
  if (!wanted) return wanted.error();
  if (wanted->empty()) {
    cli.out << "Everything is here already; warplens doctor says where.\n";
    return {};
  }
  for (const FetchPart& part : *wanted)
    cli.out << fmt::format("{:<9}{} MB: {}, for {}\n         licence: {}\n", part.name, part.megabytes,
                           part.title, part.gives, part.licence);
  cli.out << fmt::format("They are downloaded by pip into {}.\n", cache.string());
  const Result<bool> yes = agreed(choices, cli);
  if (!yes) return yes.error();
  if (!*yes) return {};
  const Result<FetchScript> script = FetchScript::unpack();
  if (!script) return script.error();
  Result<void> done;
  for (const FetchPart& part : *wanted)
    if (done) done = run_script(*script, part, cache, cli);
  if (done) cli.out << "Done. The licences are next to the fetched files.\n";
  return done;
}

}  // namespace

CliCommand fetch_command(Cli& cli) {
  const auto choices = std::make_shared<FetchChoices>();
  return {
      "fetch",
      "Fetch NVIDIA's compilers and assembler, and the sample photographs",
      {{.name = "part",
        .value = &choices->parts,
        .help = "What to fetch: cuda, ptxas13, nvcc, photos (default: all that is missing but nvcc)",
        .value_name = "PART"},
       {.name = "--yes", .value = &choices->yes, .help = "Agree to size and licence without being asked"}},
      [choices, &cli] { return fetch(*choices, cli); }};
}

}  // namespace warplens
