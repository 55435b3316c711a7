// A class in the terminal, as CSV and as a page to print.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/base/html.h"
#include "app/classroom/class_report.h"
#include "core/base/figures.h"
#include "core/base/system/embedded.h"
#include "core/base/text.h"
#include "core/device/number_text.h"

namespace warplens {
namespace {

constexpr size_t most_places = 12;  // of wrong answers, in the terminal and on the page

// "3", "3?" where only the student's own program says so, "" where nothing is known.
std::string stars_cell(const ClassStudent& student, const std::string& challenge) {
  const auto found = student.stars.find(challenge);
  if (found == student.stars.end()) return {};
  return fmt::format("{}{}", found->second.stars, found->second.judged ? "" : "?");
}

std::string steps_cell(const ClassStudent& student, const ClassColumn& lesson) {
  const auto found = student.lessons.find(lesson.name);
  return found == student.lessons.end() ? std::string() : std::to_string(found->second);
}

// ---- the terminal

std::string columns_text(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows)
    for (size_t i = 0; i < row.size(); ++i) {
      widths.resize(std::max(widths.size(), i + 1));
      widths[i] = std::max(widths[i], letters_in(row[i]));
    }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += row[i] + (i + 1 < row.size() ? std::string(widths[i] - letters_in(row[i]) + 2, ' ') : "");
    text += line + "\n";
  }
  return text;
}

std::string mistakes_text(const char* title, const std::vector<ClassMistakes>& all) {
  if (all.empty()) return {};
  std::string text = fmt::format("\n{}\n", title);
  for (size_t i = 0; i < std::min(all.size(), most_places); ++i)
    text += fmt::format("  {} of {}  {}{}{}\n", all[i].wrong, all[i].students, all[i].where,
                        all[i].commonest.empty() ? "" : ": ", commonest_words(all[i]));
  if (all.size() > most_places) text += fmt::format("  and {} more, in --html\n", all.size() - most_places);
  return text;
}

// ---- the page

std::string html_row(const std::vector<std::string>& cells, const char* tag, size_t numbers_from) {
  std::string row = "<tr>";
  for (size_t i = 0; i < cells.size(); ++i)
    row += fmt::format("<{}{}>{}</{}>", tag, i >= numbers_from ? " class=\"number\"" : "",
                       html_escaped(cells[i]), tag);
  return row + "</tr>\n";
}

std::string students_page(const ClassReport& report) {
  std::string html = "<table>\n<thead>" +
                     html_row({"Student", "Is at", "Steps", "Stars", "Minutes"}, "th", 2) +
                     "</thead>\n<tbody>\n";
  for (const ClassStudent& student : report.students)
    html += html_row({student.name, student.where, std::to_string(student.steps),
                      std::to_string(stars_of(student)), thousands(minutes_of(student))},
                     "td", 2);
  return html + "</tbody>\n</table>\n";
}

// Students down, lessons or challenges across.
template <class Cell>
std::string matrix_page(const ClassReport& report, const std::vector<ClassColumn>& columns, Cell cell) {
  std::string html = "<table class=\"matrix\">\n<thead><tr><th>Student</th>";
  for (const ClassColumn& column : columns)
    html += "<th><span>" + html_escaped(column.title) +
            (column.steps == 0 ? "" : fmt::format(" ({})", column.steps)) + "</span></th>";
  html += "</tr></thead>\n<tbody>\n";
  for (const ClassStudent& student : report.students) {
    std::vector<std::string> cells{student.name};
    for (const ClassColumn& column : columns) cells.push_back(cell(student, column));
    html += html_row(cells, "td", 1);
  }
  return html + "</tbody>\n</table>\n";
}

std::string mistakes_page(const char* title, const char* of, const std::vector<ClassMistakes>& all) {
  if (all.empty()) return {};
  std::string html = fmt::format("<h2>{}</h2>\n<table>\n<thead>", title) +
                     html_row({of, "Most often", "Students", "Wrong"}, "th", 2) + "</thead>\n<tbody>\n";
  for (const ClassMistakes& one : all)
    html += html_row(
        {one.where, commonest_words(one), std::to_string(one.students), std::to_string(one.wrong)}, "td", 2);
  return html + "</tbody>\n</table>\n";
}

}  // namespace

std::string class_head(const ClassReport& report) {
  return fmt::format("{}, {}, {} judged.", counted(report.students.size(), "student"),
                     counted(report.files, "hand-in"), counted(report.judged, "answer"));
}

uint32_t stars_of(const ClassStudent& student) {
  uint32_t sum = 0;
  for (const auto& [name, stars] : student.stars) sum += stars.stars;
  return sum;
}

uint64_t minutes_of(const ClassStudent& student) {
  return static_cast<uint64_t>(std::lround(student.seconds / 60));
}

std::string commonest_words(const ClassMistakes& one) {
  std::string text;
  for (const auto& [answer, count] : one.commonest)
    text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", answer, counted(count, "time"));
  return text;
}

Table class_table(const ClassReport& report) {
  Table table;
  table.columns = {"student", "hand-ins", "minutes", "steps", "is at", "stars"};
  for (const ClassColumn& lesson : report.lessons) table.columns.push_back("steps " + lesson.name);
  for (const ClassColumn& challenge : report.challenges) {
    table.columns.push_back("stars " + challenge.name);
    table.columns.push_back("rejected " + challenge.name);
  }
  for (const ClassStudent& student : report.students) {
    std::vector<std::string> row{student.name,
                                 std::to_string(student.files),
                                 std::to_string(minutes_of(student)),
                                 std::to_string(student.steps),
                                 student.where,
                                 std::to_string(stars_of(student))};
    for (const ClassColumn& lesson : report.lessons) row.push_back(steps_cell(student, lesson));
    for (const ClassColumn& challenge : report.challenges) {
      row.push_back(stars_cell(student, challenge.name));
      const auto found = student.stars.find(challenge.name);
      row.push_back(found == student.stars.end() ? "" : found->second.reason);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string class_text(const ClassReport& report) {
  std::string text = class_head(report) + "\n\n";
  std::vector<std::vector<std::string>> rows{{"student", "minutes", "steps", "stars", "is at", "challenges"}};
  for (const ClassStudent& student : report.students) {
    std::string stars;
    for (const ClassColumn& challenge : report.challenges)
      if (const std::string cell = stars_cell(student, challenge.name); !cell.empty())
        stars += fmt::format("{}{} {}", stars.empty() ? "" : " · ", challenge.name, cell);
    rows.push_back({student.name, thousands(minutes_of(student)), std::to_string(student.steps),
                    std::to_string(stars_of(student)), student.where, stars});
  }
  text += columns_text(rows);
  text += mistakes_text("Questions that most answered wrongly", report.questions);
  text += mistakes_text("Challenges, and why answers were not right", report.rejections);
  return text;
}

std::string class_page(const ClassReport& report) {
  std::string html =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>WarpLens: a class</title>\n<style>\n" +
      std::string(find_embedded("class/page.css")) + "</style>\n</head>\n<body>\n<h1>A class</h1>\n";
  html += "<p>" + html_escaped(class_head(report)) + "</p>\n" + students_page(report);
  if (!report.lessons.empty())
    html += "<h2>Steps done, of how many</h2>\n" + matrix_page(report, report.lessons, steps_cell);
  if (!report.challenges.empty())
    html +=
        "<h2>Stars</h2>\n<p class=\"quiet\">A number with ? was reported by the student's own program; the "
        "others are the judge's.</p>\n" +
        matrix_page(report, report.challenges, [](const ClassStudent& student, const ClassColumn& challenge) {
          return stars_cell(student, challenge.name);
        });
  html += mistakes_page("Questions that most answered wrongly", "Question", report.questions);
  html += mistakes_page("Challenges, and why answers were not right", "Challenge", report.rejections);
  if (!report.said.empty()) {
    html += "<h2>Files that are not in the table</h2>\n<ul>\n";
    for (const std::string& sentence : report.said) html += "<li>" + html_escaped(sentence) + "</li>\n";
    html += "</ul>\n";
  }
  return html + "</body>\n</html>\n";
}

}  // namespace warplens
