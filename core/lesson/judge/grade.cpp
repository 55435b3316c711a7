#include "core/lesson/judge/grade.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <thread>

#include "core/base/csv.h"
#include "core/base/system/files.h"
#include "core/lesson/read/read_cases.h"

namespace warplens::lesson {
namespace {

constexpr int deepest = 3;
constexpr size_t most_answers = 20'000;
constexpr uint64_t most_answer_bytes = uint64_t{4} << 20;
constexpr double worth_a_hint = 0.8;

struct Read {
  GradedFile row;
  HandIn hand_in;
  bool readable = false;
};

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  const auto options = std::filesystem::directory_options::skip_permission_denied;
  std::filesystem::recursive_directory_iterator at(folder, options, error);
  for (; !error && at != std::filesystem::recursive_directory_iterator(); at.increment(error)) {
    if (at.depth() >= deepest) at.disable_recursion_pending();
    const std::string name = at->path().filename().string();
    if (name.starts_with('.')) {
      at.disable_recursion_pending();
      continue;
    }
    // Reading a pipe or device might never end, and a link may point anywhere.
    if (at->is_directory(error)) continue;
    files.push_back(at->path().lexically_relative(folder).generic_string());
    if (files.size() == most_answers) break;
  }
  std::sort(files.begin(), files.end());
  return files;
}

Judged unreadable(std::string message) {
  Judged judged;
  judged.reason = Reason::unreadable;
  judged.message = std::move(message);
  return judged;
}

Read read_one(const std::string& folder, const std::string& file, const Challenge& challenge) {
  Read read;
  read.row.file = file;
  Result<HandIn> hand_in = read_answer(folder, file);
  if (!hand_in) {
    read.row.judged = unreadable(hand_in.error().message);
    return read;
  }
  read.hand_in = std::move(*hand_in);
  read.readable = true;
  read.row.name = read.hand_in.name;
  read.row.language = read.hand_in.language == Language::numba ? "numba" : "cuda";
  if (!read.hand_in.checksum_fits)
    read.row.note = "the checksum does not fit: the file was changed after it was handed in";
  std::string why;
  if (!read.hand_in.challenge.empty() && read.hand_in.challenge != challenge.name)
    why = fmt::format("It is an answer to another challenge: {}.", read.hand_in.challenge);
  else if (read.hand_in.challenge.empty() && read.hand_in.source.empty())
    why =
        "It holds no answer, only what its author has done so far, from which warplens class makes a table.";
  if (!why.empty()) {
    read.readable = false;
    read.row.judged = unreadable(std::move(why));
  }
  return read;
}

// Compares all files, whichever of them are judged here, so that the shards of a class give one table.
void compare_sources(std::vector<Read>& all, const std::string& starter, const std::string& numba_starter) {
  std::map<std::string, std::string> first;
  for (Read& read : all) {
    if (!read.readable) continue;
    const auto [at, fresh] = first.emplace(read.row.language + read.hand_in.source, read.row.file);
    if (!fresh) read.row.same_as = at->second;
  }
  for (Read& read : all) {
    if (!read.readable || !read.row.same_as.empty()) continue;
    for (const Read& other : all) {
      if (&other == &read || !other.readable || !other.row.same_as.empty() ||
          other.row.language != read.row.language)
        continue;
      const std::optional<double> share =
          similarity(read.hand_in.source, other.hand_in.source,
                     read.hand_in.language == Language::numba ? numba_starter : starter);
      if (share && *share >= worth_a_hint && *share > read.row.likeness) {
        read.row.likeness = *share;
        read.row.alike = other.row.file;
      }
    }
  }
}

// Makes a text fit into one line of the table, so that lines can be sorted and compared.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\r', ' ');
  return text;
}

void judge_all(std::vector<Read*>& rows, const Folder& challenge, const std::string& reference_ptx,
               const GradeOptions& options) {
  JudgeOptions judging = options.judge;
  judging.reference_ptx = reference_ptx;
  std::atomic<size_t> next{0}, done{0};
  const auto work = [&] {
    for (size_t i = next++; i < rows.size(); i = next++) {
      Read& read = *rows[i];
      if (options.judge.stop.stop_requested()) {
        read.row.judged = unreadable("Grading was stopped.");
      } else if (read.readable && read.row.same_as.empty()) {
        JudgedApart apart =
            judge_apart(options.program, challenge, read.hand_in,
                        std::filesystem::path(read.row.file).filename().string(), judging, options.limits);
        read.row.judged = std::move(apart.judged);
        read.row.milliseconds = apart.milliseconds;
        read.row.peak_bytes = apart.peak_bytes;
      }
      const size_t now = ++done;
      if (options.progress) options.progress(now, rows.size());
    }
  };
  const uint32_t cores = std::max(1u, std::thread::hardware_concurrency());
  const uint32_t workers = options.workers == 0 ? cores : options.workers;
  std::vector<std::jthread> threads;
  for (uint32_t i = 1; i < std::min<size_t>(workers, rows.size()); ++i) threads.emplace_back(work);
  work();
}

}  // namespace

Result<AnswerFiles> answer_files(const std::string& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    return bad_input(
        std::filesystem::exists(folder, error)
            ? fmt::format("{} is no folder. warplens judge CHALLENGE FILE judges one file.", folder)
            : fmt::format("There is no folder {}.", folder));
  AnswerFiles found{files_in(folder), {}};
  const auto others = std::stable_partition(found.answers.begin(), found.answers.end(), is_answer_name);
  found.others.assign(others, found.answers.end());
  found.answers.erase(others, found.answers.end());
  if (found.answers.empty())
    return bad_input(fmt::format("There is no answer in {}: they are .cu, .py and .json files.", folder));
  return found;
}

Result<HandIn> read_answer(const std::string& folder, const std::string& file) {
  const std::filesystem::path path = std::filesystem::path(folder) / file;
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::symlink_status(path, error);
  if (error || status.type() != std::filesystem::file_type::regular) return bad_input("It is no plain file.");
  const Result<std::string> bytes = read_text(path.string(), most_answer_bytes);
  if (!bytes) return bad_input("It cannot be read, or has more than 4 MiB.");
  return read_hand_in(*bytes, path.filename().string());
}

Result<std::vector<GradedFile>> grade_folder(const std::string& path, const Folder& challenge,
                                             const GradeOptions& options) {
  const Result<AnswerFiles> files = answer_files(path);
  if (!files) return files.error();
  const Result<Judge> judge =
      Judge::open(challenge, options.judge.stop);  // its mistakes are reported once, not in each row
  if (!judge) return judge.error();
  std::vector<Read> all;
  all.reserve(files->answers.size());
  for (const std::string& name : files->answers) {
    Read read = read_one(path, name, judge->challenge());
    if (!options.only_named || (read.readable && read.hand_in.challenge == judge->challenge().name))
      all.push_back(std::move(read));
  }
  const auto source_of = [&](const char* ending) {
    const ChallengeFile* file = judge->challenge().starter(ending);
    return file ? challenge.files.at(file->name) : std::string();
  };
  if (!options.only_named) compare_sources(all, source_of(".cu"), source_of(".py"));
  // A file that occurs twice is judged once in each shard: in that of its first copy, and in that of the
  // second.
  std::map<std::string, Read*> by_name;
  for (Read& read : all) by_name[read.row.file] = &read;
  std::vector<Read*> mine, rows;
  for (size_t i = 0; i < all.size(); ++i)
    if (i % options.shards == options.shard - 1) mine.push_back(&all[i]);
  std::map<Read*, bool> taken;
  for (Read* read : mine) {
    Read* first = read->row.same_as.empty() ? read : by_name.at(read->row.same_as);
    if (!std::exchange(taken[first], true)) rows.push_back(first);
  }
  judge_all(rows, challenge, judge->reference_ptx(), options);
  std::vector<GradedFile> graded;
  for (Read* read : mine) {
    if (!read->row.same_as.empty()) read->row.judged = by_name.at(read->row.same_as)->row.judged;
    graded.push_back(read->row);
  }
  return graded;
}

std::string missed_goals(const Judged& judged) {
  std::string missed;
  for (const GoalResult& goal : judged.goals)
    if (!goal.holds) missed += (missed.empty() ? "" : "; ") + goal.words;
  return missed;
}

std::string grades_csv(const std::vector<GradedFile>& files) {
  std::string text =
      "file,name,language,right,stars,reason,kind,line,case,message,goals missed,note,same "
      "as,alike,likeness\n";
  for (const GradedFile& row : files) {
    const Judged& judged = row.judged;
    const std::string cells[] = {row.file,
                                 row.name,
                                 row.language,
                                 judged.right()                         ? "yes"
                                 : judged.reason == Reason::no_compiler ? "?"
                                                                        : "no",
                                 judged.reason == Reason::no_compiler ? "" : std::to_string(judged.stars),
                                 judged.right() ? "" : to_string(judged.reason),
                                 judged.kind,
                                 judged.line == 0 ? "" : std::to_string(judged.line),
                                 judged.failed ? text_of(judged.failed->at) : "",
                                 judged.message,
                                 missed_goals(judged),
                                 row.note,
                                 row.same_as,
                                 row.alike,
                                 row.alike.empty() ? "" : fmt::format("{:.2f}", row.likeness)};
    for (size_t i = 0; i < std::size(cells); ++i) text += (i == 0 ? "" : ",") + csv_cell(one_line(cells[i]));
    text += "\n";
  }
  return text;
}

}  // namespace warplens::lesson
