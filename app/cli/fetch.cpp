// warplens fetch: brings NVIDIA's compiler and assembler, and the sample photographs, into the user's cache.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "app/cli/commands.h"
#include "core/base/json/json_reader.h"
#include "core/base/system/embedded.h"
#include "core/base/system/files.h"
#include "core/base/system/places.h"
#include "warplens_config.h"

namespace warplens {

namespace {

namespace fs = std::filesystem;

struct FetchChoices {
  std::vector<std::string> parts;
  bool yes = false;
};

// A part as tools/fetch/parts.json describes it.
struct FetchPart {
  std::string name, version, title, licence, gives;
  uint64_t megabytes = 0;
  bool here = false;
};

std::string behind_dash(const std::string& folder) { return folder.substr(folder.find('-') + 1); }

std::string version_of(const std::string& part) {
  if (part == "cuda") return behind_dash(config::cuda_folder);
  if (part == "ptxas13") return behind_dash(config::ptxas_folder);
  return behind_dash(config::photos_folder);
}

Result<std::vector<FetchPart>> fetch_parts(const fs::path& cache) {
  constexpr const char* name = "parts.json";
  const Result<Json> document = parse_json(find_embedded("fetch/parts.json"), name);
  if (!document) return document.error();
  JsonReader reader(name);
  std::vector<FetchPart> parts;
  for (const auto& [key, value] : document->items()) {
    const JsonNode node{&value, key};
    FetchPart part;
    part.name = key;
    part.version = version_of(key);
    part.title = reader.text(reader.required(node, "title"));
    part.licence = reader.text(reader.required(node, "licence"));
    part.gives = reader.text(reader.required(node, "gives"));
    part.megabytes = reader.unsigned_integer(reader.required(node, "megabytes"), 100'000);
    part.here = true;
    const JsonNode folders = reader.required(node, "folders");
    for (size_t i = 0; i < reader.array_size(folders); ++i) {
      std::string folder = reader.text(reader.element(folders, i));
      if (const size_t at = folder.find("VERSION"); at != folder.npos) folder.replace(at, 7, part.version);
      std::error_code ignored;
      part.here = part.here && fs::is_directory(cache / folder, ignored);
    }
    parts.push_back(std::move(part));
  }
  if (!reader.ok()) return reader.error();
  return parts;
}

// Of all parts, or of those that were named, the ones that are not here yet.
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
  std::erase_if(wanted, [](const FetchPart& part) { return part.here; });
  return wanted;
}

// The script of tools/fetch and what it reads, in a folder of their own.
Result<fs::path> unpacked_script() {
  std::string pattern = (fs::temp_directory_path() / "warplens-fetch-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    return failed("A temporary folder could not be made. Is the disk full?");
  const fs::path folder = pattern;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("fetch/")) continue;
    const fs::path name = fs::path(file.path).filename();
    if (const Result<void> written = write_text((folder / name).string(), file.bytes); !written)
      return written.error();
  }
  return folder;
}

Result<void> run_script(const fs::path& script, const FetchPart& part, const fs::path& cache) {
  std::vector<std::string> words{
      "python3",        script / "fetch.py",           part.name, "--version", part.version,
      "--requirements", script / (part.name + ".txt"), "--cache", cache};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawnp(&child, "python3", nullptr, nullptr, argv.data(), environ) != 0)
    return missing(
        "Python 3 is not on this machine, and fetching needs it with pip: install both (on Debian and "
        "Ubuntu: python3-pip).");
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return failed(fmt::format("{} was not fetched; what is above says why. Nothing was changed.", part.name));
}

// Asks the person. Somebody who cannot answer must have agreed with --yes.
Result<bool> agreed(const FetchChoices& choices, Cli& cli) {
  if (choices.yes) return true;
  if (isatty(STDIN_FILENO) == 0) return bad_input("Nothing was fetched: agree with --yes.");
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
    cli.out << fmt::format("Everything is in {} already.\n", cache.string());
    return {};
  }
  for (const FetchPart& part : *wanted)
    cli.out << fmt::format("{:<9}{} MB: {}, for {}\n         licence: {}\n", part.name, part.megabytes,
                           part.title, part.gives, part.licence);
  cli.out << fmt::format("They are downloaded by pip into {}.\n", cache.string());
  const Result<bool> yes = agreed(choices, cli);
  if (!yes) return yes.error();
  if (!*yes) return {};
  const Result<fs::path> script = unpacked_script();
  if (!script) return script.error();
  Result<void> done;
  for (const FetchPart& part : *wanted)
    if (done) done = run_script(*script, part, cache);
  std::error_code ignored;
  fs::remove_all(*script, ignored);
  if (done) cli.out << "Done. The licences lie beside what was fetched.\n";
  return done;
}

}  // namespace

CliCommand fetch_command(Cli& cli) {
  const auto choices = std::make_shared<FetchChoices>();
  return {
      "fetch",
      "Bring NVIDIA's compiler and assembler, and the sample photographs",
      {{.name = "part",
        .value = &choices->parts,
        .help = "What to bring: cuda, ptxas13, photos (default: all that is missing)",
        .value_name = "PART"},
       {.name = "--yes", .value = &choices->yes, .help = "Agree to size and licence without being asked"}},
      [choices, &cli] { return fetch(*choices, cli); }};
}

}  // namespace warplens
