#include "core/lesson/judge/gradebook.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/csv.h"
#include "core/base/json/json_values.h"
#include "core/lesson/judge/gradebook_students.h"
#include "core/lesson/judge/judge_report.h"
#include "core/lesson/read/field_readers.h"

namespace warplens::lesson {
namespace {

constexpr uint32_t most_stars = 3;

// Columns by their titles, in English and German.
const std::vector<std::string_view> grade_titles = {"grade", "bewertung"};
const std::vector<std::string_view> maximum_titles = {"maximum grade", "bestwertung"};
const std::vector<std::string_view> feedback_titles = {"feedback comments", "feedback als kommentar"};

std::string cell_of(const std::vector<std::string>& row, size_t column) {
  return column < row.size() ? row[column] : std::string();
}

void set_cell(std::vector<std::string>& row, size_t column, std::string text) {
  if (row.size() <= column) row.resize(column + 1);
  row[column] = std::move(text);
}

// A number with a comma or a point; empty if the text is not a number above 0.
std::optional<double> points_in(std::string text) {
  std::ranges::replace(text, ',', '.');
  const std::optional<double> number = number_in(trimmed(text));
  return number && *number > 0 ? number : std::nullopt;
}

std::string grade_text(double grade) {
  std::string text = fmt::format("{:.2f}", grade);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// A gradebook, with the places that matter.
struct Sheet {
  CsvTable table;
  size_t first = 1;  // the first row that may be a student's
  size_t points_row = SIZE_MAX;
  size_t grade = SIZE_MAX, maximum = SIZE_MAX, feedback = SIZE_MAX;
};

bool is_points_row(const std::vector<std::string>& row) {
  return !row.empty() && row[0].find("Points Possible") != std::string::npos;
}

// "Mind the end (417)" is Canvas's title of the assignment, "Assignment: Mind the end (Real)" Moodle's.
size_t column_about(const std::vector<std::string>& titles, const std::string& title) {
  const auto found = std::ranges::find_if(
      titles, [&](const std::string& one) { return one.find(title) != std::string::npos; });
  return found == titles.end() ? SIZE_MAX : size_t(found - titles.begin());
}

void find_grade_column(Sheet& sheet, const GradebookOptions& options) {
  std::vector<std::string>& titles = sheet.table.rows.front();
  // Moodle's grading worksheet of one assignment, rather than an export of the whole gradebook.
  const bool is_worksheet = options.kind == Gradebook::moodle &&
                            column_of(titles, grade_titles) != SIZE_MAX &&
                            column_of(titles, maximum_titles) != SIZE_MAX;
  if (!options.column.empty())
    sheet.grade = column_of(titles, options.column);
  else
    sheet.grade = is_worksheet ? column_of(titles, grade_titles) : column_about(titles, options.title);
  if (is_worksheet) sheet.maximum = column_of(titles, maximum_titles);
  if (is_worksheet) sheet.feedback = column_of(titles, feedback_titles);
  if (sheet.grade != SIZE_MAX) return;
  sheet.grade = titles.size();
  titles.push_back(options.column.empty() ? options.title : options.column);
}

Result<Sheet> open_sheet(std::string_view roster, const std::string& name, const GradebookOptions& options) {
  Result<CsvTable> table = parse_csv(roster, name);
  if (!table) return table.error();
  if (table->rows.size() < 2)
    return bad_input(fmt::format("{} has no row of a student: export the gradebook as CSV.", name));
  Sheet sheet;
  sheet.table = std::move(*table);
  if (options.kind == Gradebook::canvas) {
    const std::vector<std::string>& titles = sheet.table.rows.front();
    const std::vector<std::string_view> needed = {"student", "lastname"};
    if (column_of(titles, needed) == SIZE_MAX || column_of(titles, "id") == SIZE_MAX ||
        column_of(titles, "section") == SIZE_MAX)
      return bad_input(
          fmt::format("{} is no gradebook of Canvas: it has no columns Student, ID and Section. Export it "
                      "with Grades, Export.",
                      name));
    for (size_t r = 1; r < std::min<size_t>(sheet.table.rows.size(), 4); ++r)
      if (is_points_row(sheet.table.rows[r])) sheet.points_row = r;
    if (sheet.points_row != SIZE_MAX) sheet.first = sheet.points_row + 1;
  }
  find_grade_column(sheet, options);
  if (sheet.points_row != SIZE_MAX &&
      cell_of(sheet.table.rows[sheet.points_row], sheet.grade).find("read only") != std::string::npos)
    return bad_input(
        fmt::format("The column {} of {} is read only in Canvas: name another one with --column.",
                    sheet.table.rows.front()[sheet.grade], name));
  return sheet;
}

// The best file of each student, by the student's row.
std::map<size_t, const GradedFile*> best_files(const std::vector<GradebookStudent>& students,
                                               const std::vector<GradedFile>& files,
                                               const std::string& roster, std::vector<std::string>& said) {
  std::map<size_t, const GradedFile*> best;
  for (const GradedFile& file : files) {
    if (file.judged.reason == Reason::no_compiler) {
      said.push_back(fmt::format("{}: no grade, since this machine could not judge it.", file.file));
      continue;
    }
    const std::vector<const GradebookStudent*> owners = owners_of(students, file.file, file.name);
    if (owners.size() != 1) {
      said.push_back(
          owners.empty()
              ? fmt::format("{}: no student in {} has its name, number or address.", file.file, roster)
              : fmt::format("{}: it may be of {} students of {}: nothing tells them apart.", file.file,
                            owners.size(), roster));
      continue;
    }
    const auto [at, fresh] = best.emplace(owners[0]->row, &file);
    if (fresh) continue;
    const bool better = file.judged.stars > at->second->judged.stars;
    const GradedFile& left = better ? *at->second : file;
    if (better) at->second = &file;
    said.push_back(fmt::format("{}: {} of the same student counts.", left.file, at->second->file));
  }
  return best;
}

std::string feedback_of(const Judged& judged) {
  if (!judged.right()) return judged.message;
  const std::string missed = missed_goals(judged);
  return missed.empty() ? "" : "Right. Not reached: " + missed;
}

// Canvas applies the file as changes, so it has only the columns that identify students, and this one.
CsvTable only_this_column(const Sheet& sheet) {
  CsvTable table = sheet.table;
  const std::vector<std::string>& titles = sheet.table.rows.front();
  const size_t section = column_of(titles, "section");
  for (size_t r = 0; r < table.rows.size(); ++r) {
    const std::vector<std::string>& from = sheet.table.rows[r];
    table.rows[r].assign(from.begin(), from.begin() + std::ptrdiff_t(std::min(from.size(), section + 1)));
    set_cell(table.rows[r], section + 1, cell_of(from, sheet.grade));
  }
  // The rows between the titles and the points say which columns are posted manually.
  if (sheet.points_row != SIZE_MAX)
    table.rows.erase(table.rows.begin() + 1, table.rows.begin() + std::ptrdiff_t(sheet.points_row));
  return table;
}

}  // namespace

Result<FilledGradebook> fill_gradebook(std::string_view roster, const std::string& name,
                                       const std::vector<GradedFile>& files,
                                       const GradebookOptions& options) {
  Result<Sheet> sheet = open_sheet(roster, name, options);
  if (!sheet) return sheet.error();
  CsvTable& table = sheet->table;
  const size_t match = options.match.empty() ? SIZE_MAX : column_of(table.rows.front(), options.match);
  if (!options.match.empty() && match == SIZE_MAX)
    return bad_input(fmt::format("{} has no column {} for --match. It has: {}.", name, options.match,
                                 fmt::join(table.rows.front(), ", ")));
  const std::vector<GradebookStudent> students = students_of(table, sheet->first, match);
  if (students.empty())
    return bad_input(fmt::format("{} has no column that tells students apart: name one with --match.", name));
  FilledGradebook filled;
  filled.column = table.rows.front()[sheet->grade];
  const bool has_points = sheet->points_row != SIZE_MAX;
  if (const auto points =
          has_points ? points_in(cell_of(table.rows[sheet->points_row], sheet->grade)) : std::nullopt)
    filled.points = *points;
  filled.points = options.points.value_or(filled.points);
  if (has_points && cell_of(table.rows[sheet->points_row], sheet->grade).empty())
    set_cell(table.rows[sheet->points_row], sheet->grade, grade_text(filled.points));
  for (const auto& [at, file] : best_files(students, files, name, filled.said)) {
    std::vector<std::string>& row = table.rows[at];
    const std::optional<double> maximum = points_in(cell_of(row, sheet->maximum));
    const double points = options.points.value_or(maximum.value_or(filled.points));
    filled.points = points;
    set_cell(row, sheet->grade, grade_text(points * file->judged.stars / most_stars));
    if (sheet->feedback != SIZE_MAX && cell_of(row, sheet->feedback).empty())
      set_cell(row, sheet->feedback, feedback_of(file->judged));
    ++filled.filled;
  }
  filled.text = csv_text(options.kind == Gradebook::canvas ? only_this_column(*sheet) : table);
  return filled;
}

// ---- Gradescope

namespace {

ReportJson star_test(const Judged& judged, uint32_t star, const std::vector<GoalResult>& goals) {
  const bool passed = judged.right() && judged.stars >= star;
  std::string output;
  if (star == 1) {
    output = judged.right() ? fmt::format("Right in {} cases.", judged.cases) : judged.message;
  } else if (!judged.right()) {
    output = "Not counted: the answer has to be right first.";
  }
  for (const GoalResult& goal : goals)
    if (goal.stars == star) output += (output.empty() ? "" : "\n") + std::string(trimmed(goal_text(goal)));
  return {{"name", star == 1   ? "★ right"
                   : star == 2 ? "★★"
                               : "★★★"},
          {"score", passed ? 1 : 0},
          {"max_score", 1},
          {"status", passed ? "passed" : "failed"},
          {"output", output},
          {"output_format", "text"},
          {"visibility", "visible"}};
}

}  // namespace

Result<std::string> gradescope_results(const std::vector<GradedFile>& files, const Challenge& challenge) {
  const GradedFile* best = nullptr;
  std::string why = "there is no file";
  for (const GradedFile& file : files) {
    if (file.judged.reason == Reason::no_compiler) {
      why = file.judged.message;
      continue;
    }
    const auto rank = [](const Judged& judged) {
      return judged.reason == Reason::unreadable ? -1 : int(judged.stars) + (judged.right() ? 1 : 0);
    };
    if (best == nullptr || rank(file.judged) > rank(best->judged)) best = &file;
  }
  if (best == nullptr) return missing("Nothing of the submission could be judged: " + why);
  ReportJson tests = ReportJson::array();
  for (uint32_t star = 1; star <= most_stars; ++star)
    if (star == 1 || !(star == 2 ? challenge.two : challenge.three).empty())
      tests.push_back(star_test(best->judged, star, best->judged.goals));
  std::string output = fmt::format("{}: {}", challenge.title, best->file);
  if (!best->note.empty()) output += "\n" + best->note;
  if (files.size() > 1) output += fmt::format("\nThe best of {} files counts.", files.size());
  const ReportJson json = {{"output", output},
                           {"output_format", "text"},
                           {"stdout_visibility", "hidden"},
                           {"execution_time", best->milliseconds / 1000},
                           {"tests", std::move(tests)},
                           {"extra_data",
                            {{"challenge", challenge.name},
                             {"file", best->file},
                             {"reason", best->judged.right() ? "" : to_string(best->judged.reason)},
                             {"kind", best->judged.kind},
                             {"stars", best->judged.stars}}}};
  return json_values::indented(json);
}

}  // namespace warplens::lesson
