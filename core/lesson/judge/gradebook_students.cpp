#include "core/lesson/judge/gradebook_students.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/lesson/format/markdown.h"

namespace warplens::lesson {
namespace {

enum class Tells : uint8_t { number, word, first_name, last_name, name };

// Titles of Moodle's and Canvas's columns, in English and German.
struct KnownColumn {
  std::string_view title;
  Tells tells;
};
constexpr KnownColumn known_columns[] = {
    {"identifier", Tells::number},    {"id", Tells::number},
    {"email address", Tells::word},   {"e-mail-adresse", Tells::word},
    {"email", Tells::word},           {"username", Tells::word},
    {"anmeldename", Tells::word},     {"id number", Tells::word},
    {"id-nummer", Tells::word},       {"sis user id", Tells::word},
    {"sis login id", Tells::word},    {"integration id", Tells::word},
    {"full name", Tells::name},       {"vollständiger name", Tells::name},
    {"student", Tells::name},         {"first name", Tells::first_name},
    {"firstname", Tells::first_name}, {"vorname", Tells::first_name},
    {"last name", Tells::last_name},  {"lastname", Tells::last_name},
    {"surname", Tells::last_name},    {"nachname", Tells::last_name}};

std::string small(std::string_view text) { return lower_case(trimmed(text)); }

// "janedoe" for "Jane Doe". Letters of other alphabets are bytes from 0x80 on, and stay.
std::string letters_of(std::string_view text) {
  std::string made = small(text);
  std::erase_if(made, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x80 && std::isalnum(byte) == 0;
  });
  return made;
}

std::string number_at_end(std::string_view text) {
  text = trimmed(text);
  size_t begin = text.size();
  while (begin > 0 && is_digit(text[begin - 1])) --begin;
  return std::string(text.substr(begin));
}

void add_mark(std::vector<std::string>& to, std::string word) {
  if (!word.empty() && std::ranges::find(to, word) == to.end()) to.push_back(std::move(word));
}

void add_word(GradebookStudent& student, std::string_view cell) {
  const std::string word = small(cell);
  add_mark(student.words, word);
  if (const size_t at = word.find('@'); at != word.npos) add_mark(student.words, word.substr(0, at));
}

// Adds both orders: "Doe, Jane" is Jane Doe.
void add_name(GradebookStudent& student, std::string_view cell) {
  const std::string name = small(cell);
  if (letters_of(name).empty()) return;
  add_mark(student.names, letters_of(name));
  if (const size_t comma = name.find(','); comma != name.npos)
    add_mark(student.names, letters_of(name.substr(comma + 1)) + letters_of(name.substr(0, comma)));
  if (const size_t blank = name.rfind(' '); blank != name.npos)
    add_mark(student.names, letters_of(name.substr(blank + 1)) + letters_of(name.substr(0, blank)));
}

// What a file's path and its hand-in say about the student.
struct FileMarks {
  std::vector<std::string> numbers, words, names;
};

FileMarks marks_of(const std::string& file, const std::string& name) {
  FileMarks marks;
  if (!name.empty()) {
    add_mark(marks.words, small(name));
    add_mark(marks.names, letters_of(name));
  }
  for (const std::string_view part : parts_of(file, '/')) {
    const std::string whole = small(part);
    add_mark(marks.words, whole);
    add_mark(marks.words, whole.substr(0, whole.rfind('.')));
    add_mark(marks.names, letters_of(whole.substr(0, whole.rfind('.'))));
    bool numbered = false;
    for (const std::string_view piece : parts_of(whole, '_')) {
      if (piece.empty()) continue;
      // In downloads from Moodle and Canvas, the student's number comes first; a second one is that of the
      // submission.
      if (std::ranges::all_of(piece, is_digit) && !std::exchange(numbered, true))
        add_mark(marks.numbers, std::string(piece));
      add_mark(marks.words, std::string(piece));
      add_mark(marks.names, letters_of(piece));
    }
  }
  return marks;
}

bool share(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::any_of(a, [&](const std::string& one) { return std::ranges::find(b, one) != b.end(); });
}

}  // namespace

size_t column_of(const std::vector<std::string>& titles, std::string_view title) {
  const auto found = std::ranges::find(titles, small(title), small);
  return found == titles.end() ? SIZE_MAX : size_t(found - titles.begin());
}

size_t column_of(const std::vector<std::string>& titles, const std::vector<std::string_view>& any) {
  for (const std::string_view title : any)
    if (const size_t at = column_of(titles, title); at != SIZE_MAX) return at;
  return SIZE_MAX;
}

std::vector<GradebookStudent> students_of(const CsvTable& table, size_t first, size_t match) {
  std::vector<GradebookStudent> students;
  const std::vector<std::string>& titles = table.rows.front();
  for (size_t r = first; r < table.rows.size(); ++r) {
    const std::vector<std::string>& row = table.rows[r];
    GradebookStudent student;
    student.row = r;
    std::string first_name, last_name;
    for (size_t c = 0; c < std::min(row.size(), titles.size()); ++c) {
      if (match != SIZE_MAX) {
        if (c == match) add_word(student, row[c]);
        continue;
      }
      const auto known = std::ranges::find(known_columns, small(titles[c]), &KnownColumn::title);
      if (known == std::end(known_columns)) continue;
      if (known->tells == Tells::number) add_mark(student.numbers, number_at_end(row[c]));
      if (known->tells == Tells::word) add_word(student, row[c]);
      if (known->tells == Tells::name) add_name(student, row[c]);
      if (known->tells == Tells::first_name) first_name = row[c];
      if (known->tells == Tells::last_name) last_name = row[c];
    }
    if (!first_name.empty() && !last_name.empty())
      add_name(student, fmt::format("{}, {}", last_name, first_name));
    if (!student.numbers.empty() || !student.words.empty() || !student.names.empty())
      students.push_back(std::move(student));
  }
  return students;
}

std::vector<const GradebookStudent*> owners_of(const std::vector<GradebookStudent>& students,
                                               const std::string& file, const std::string& name) {
  const FileMarks marks = marks_of(file, name);
  for (const auto& [theirs, of_file] : {std::pair{&GradebookStudent::numbers, &marks.numbers},
                                        std::pair{&GradebookStudent::words, &marks.words},
                                        std::pair{&GradebookStudent::names, &marks.names}}) {
    std::vector<const GradebookStudent*> found;
    for (const GradebookStudent& student : students)
      if (share(student.*theirs, *of_file)) found.push_back(&student);
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace warplens::lesson
