#include "core/compile/fetch.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

#include "core/base/json/json_reader.h"
#include "core/base/system/embedded.h"
#include "core/base/system/files.h"
#include "core/system/places.h"
#include "core/system/process.h"
#include "warplens_config.h"

namespace warplens {

namespace fs = std::filesystem;

namespace {

std::string behind_dash(const std::string& folder) { return folder.substr(folder.find('-') + 1); }

std::string version_of(const std::string& part) {
  if (part == "cuda") return behind_dash(config::cuda_folder);
  if (part == "ptxas13") return behind_dash(config::ptxas_folder);
  if (part == "nvcc") return behind_dash(config::nvcc_folder);
  return behind_dash(config::photos_folder);
}

}  // namespace

Result<std::vector<FetchPart>> fetch_parts(const fs::path& cache) {
  constexpr const char* name = "parts.json";
  const Result<Json> document = parse_json(find_embedded("fetch/parts.json"), name);
  if (!document) return document.error();
  JsonReader reader(name);
  std::vector<FetchPart> parts;
  for (const auto& [key, value] : document->items()) {
    if (value.contains("only_for_builds")) continue;
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

Result<FetchScript> FetchScript::unpack() {
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  if (error) return failed("There is no temporary folder: set TMPDIR to one that can be written.");
  const Result<std::string> folder = make_folder_in(temporary, "warplens-fetch-");
  if (!folder) return failed("A temporary folder could not be made. Is the disk full?");
  FetchScript script{fs::path(*folder)};
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("fetch/")) continue;
    const fs::path name = fs::path(file.path).filename();
    if (const Result<void> written = write_text((script.m_folder / name).string(), file.bytes); !written)
      return written.error();
  }
  return script;
}

FetchScript::~FetchScript() {
  std::error_code ignored;
  if (!m_folder.empty()) fs::remove_all(m_folder, ignored);
}

std::vector<std::string> FetchScript::command(const FetchPart& part, const fs::path& cache) const {
  return {chosen_python(),  m_folder / "fetch.py",           part.name, "--version", part.version,
          "--requirements", m_folder / (part.name + ".txt"), "--cache", cache,       "--progress"};
}

Result<void> run_fetch(const std::vector<std::string>& command, const std::function<void(uint64_t)>& told,
                       std::stop_token stop) {
  const auto line = [&](std::string_view text) {
    uint64_t done = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), done).ec == std::errc()) told(done);
  };
  const Result<ProcessEnd> end = run_told({command}, line, std::move(stop));
  if (!end)
    return missing(
        "Python 3 is not on this machine, and fetching needs it with pip: install both (on Debian and "
        "Ubuntu: python3-pip).");
  if (end->status == 0) return {};
  if (end->stopped)
    return Error{ErrorKind::cancelled, "It was cancelled. What was downloaded is not fetched again."};
  std::string said = end->err;
  while (!said.empty() && said.back() == '\n') said.pop_back();
  said.erase(0, said.rfind('\n') + 1);
  return failed(said.empty() ? fmt::format("It ended with status {}.", end->status) : said);
}

}  // namespace warplens
