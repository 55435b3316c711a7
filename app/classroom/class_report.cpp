#include "app/classroom/class_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/classroom/class_names.h"
#include "app/state/parts/course.h"
#include "core/base/hash.h"
#include "core/base/json/json_values.h"
#include "core/base/text.h"
#include "core/lesson/format/markdown.h"

namespace warplens {
namespace {

constexpr size_t most_commonest = 3;

// The hand-ins of a student are snapshots of the same work, taken at different times: of each number the
// largest holds.
void add_progress(const ProgressState& from, ProgressState& to) {
  for (const auto& [name, steps] : from.lessons) to.lessons[name].insert(steps.begin(), steps.end());
  for (const auto& [name, seconds] : from.lesson_seconds)
    to.lesson_seconds[name] = std::max(to.lesson_seconds[name], seconds);
  for (const auto& [name, other] : from.challenges) {
    ChallengeProgress& own = to.challenges[name];
    own.stars = std::max(own.stars, other.stars);
    own.tries = std::max(own.tries, other.tries);
    own.seconds = std::max(own.seconds, other.seconds);
    for (const auto& [reason, count] : other.rejected)
      own.rejected[reason] = std::max(own.rejected[reason], count);
  }
  for (const auto& [name, questions] : from.answers)
    for (const auto& [question, other] : questions) {
      AnswerTally& own = to.answers[name][question];
      own.right = std::max(own.right, other.right);
      own.wrong = std::max(own.wrong, other.wrong);
      for (const auto& [answer, count] : other.wrongly)
        own.wrongly[answer] = std::max(own.wrongly[answer], count);
    }
}

// A hand-in without progress has at least its challenge.
ProgressState work_in(const ClassFile& file) {
  ProgressState progress = file.progress.value_or(ProgressState{});
  if (file.hand_in.challenge.empty()) return progress;
  ChallengeProgress& own = progress.challenges[file.hand_in.challenge];
  own.stars = std::max(own.stars, file.hand_in.stars);
  own.seconds = std::max(own.seconds, file.hand_in.seconds_spent);
  return progress;
}

const CourseLesson* course_lesson(const std::string& name) {
  const auto found = std::ranges::find(course_lessons(), name, &CourseLesson::name);
  return found == course_lessons().end() ? nullptr : &*found;
}
const CourseChallenge* course_challenge(const std::string& name) {
  const auto found = std::ranges::find(course_challenges(), name, &CourseChallenge::name);
  return found == course_challenges().end() ? nullptr : &*found;
}

size_t done_in(const ProgressState& progress, const std::string& lesson) {
  if (const CourseLesson* known = course_lesson(lesson)) return steps_done(progress, *known);
  const auto found = progress.lessons.find(lesson);
  return found == progress.lessons.end() ? 0 : found->second.size();
}

std::string lesson_share(const CourseLesson& lesson, size_t done) {
  return fmt::format("{} {} {}/{}", lesson.number, lesson.title, done, lesson.steps.size());
}

// The last lesson of the course that was begun; one of the teacher's own where there is no other.
std::string where_is(const ClassStudent& student) {
  std::string where;
  for (const CourseLesson& lesson : course_lessons())
    if (const auto found = student.lessons.find(lesson.name);
        found != student.lessons.end() && found->second > 0)
      where = lesson_share(lesson, found->second);
  if (!where.empty()) return where;
  for (const auto& [name, done] : student.lessons)
    if (done > 0) where = fmt::format("{} {}", name, done);
  return where;
}

void add_work(const ProgressState& progress, ClassStudent& student) {
  for (const auto& [name, seconds] : progress.lesson_seconds) {
    student.seconds += seconds;
    student.lessons[name] = 0;
  }
  for (const auto& [name, steps] : progress.lessons) student.lessons[name] = done_in(progress, name);
  for (const auto& [name, done] : student.lessons) student.steps += done;
  for (const auto& [name, kept] : progress.challenges) {
    student.seconds += kept.seconds;
    student.stars[name].stars = kept.stars;
  }
  student.where = where_is(student);
}

// What the judge says stands above what the student's program says; of several answers the best counts.
void add_verdict(const lesson::GradedFile& row, const std::string& challenge, ClassStudent& student) {
  const lesson::Judged& judged = row.judged;
  if (judged.reason == lesson::Reason::no_compiler) return;
  ClassStars& own = student.stars[challenge];
  if (own.judged && (own.reason.empty() || !judged.right()) && own.stars >= judged.stars) return;
  own.judged = true;
  own.stars = judged.stars;
  own.reason =
      judged.right() ? "" : to_string(judged.reason) + (judged.kind.empty() ? "" : " " + judged.kind);
}

using Counts = std::map<std::string, uint64_t>;

std::vector<std::pair<std::string, uint64_t>> commonest_of(const Counts& counts) {
  std::vector<std::pair<std::string, uint64_t>> all(counts.begin(), counts.end());
  std::ranges::stable_sort(all, std::greater(), &std::pair<std::string, uint64_t>::second);
  if (all.size() > most_commonest) all.resize(most_commonest);
  return all;
}

// By the place: which students answered, which were wrong, and what they said.
struct Gathered {
  size_t students = 0, wrong = 0;
  Counts said;
};

std::string question_title(const std::string& lesson, const std::string& question) {
  const CourseLesson* known = course_lesson(lesson);
  const size_t slash = question.rfind('/');
  const std::string step = question.substr(0, slash);
  const std::string number = slash == question.npos ? "" : question.substr(slash + 1);
  if (known == nullptr) return fmt::format("{}, step {}, question {}", lesson, step, number);
  const auto at = std::ranges::find(known->steps, step);
  const std::string place =
      at == known->steps.end() ? step : std::to_string(at - known->steps.begin() + 1) + " (" + step + ")";
  return fmt::format("{} {}, step {}, question {}", known->number, known->title, place, number);
}

std::vector<ClassMistakes> mistakes_of(const std::map<std::string, Gathered>& gathered) {
  std::vector<ClassMistakes> all;
  for (const auto& [where, one] : gathered)
    if (one.wrong > 0) all.push_back({where, one.students, one.wrong, commonest_of(one.said)});
  std::ranges::stable_sort(all, [](const ClassMistakes& a, const ClassMistakes& b) {
    if (a.wrong * b.students != b.wrong * a.students) return a.wrong * b.students > b.wrong * a.students;
    return a.wrong > b.wrong;
  });
  return all;
}

std::string challenge_title(const std::string& name) {
  const CourseChallenge* known = course_challenge(name);
  return known == nullptr ? name : fmt::format("{} {}", known->number, known->title);
}

void add_mistakes(const std::vector<ProgressState>& progress, const std::vector<ClassStudent>& students,
                  ClassReport& report) {
  std::map<std::string, Gathered> questions, challenges;
  for (size_t i = 0; i < progress.size(); ++i) {
    for (const auto& [lesson, all] : progress[i].answers)
      for (const auto& [question, tally] : all) {
        Gathered& one = questions[question_title(lesson, question)];
        ++one.students;
        one.wrong += tally.wrong > 0 ? 1 : 0;
        for (const auto& [answer, count] : tally.wrongly) one.said[answer] += count;
      }
    for (const auto& [name, stars] : students[i].stars) {
      Gathered& one = challenges[challenge_title(name)];
      const auto kept = progress[i].challenges.find(name);
      Counts rejected = kept == progress[i].challenges.end() ? Counts{} : kept->second.rejected;
      // For a file without progress, the judge's verdict is all that is known.
      if (!stars.reason.empty()) rejected.try_emplace(stars.reason, 1);
      ++one.students;
      one.wrong += rejected.empty() ? 0 : 1;
      for (const auto& [reason, count] : rejected) one.said[reason] += count;
    }
  }
  report.questions = mistakes_of(questions);
  report.rejections = mistakes_of(challenges);
}

// Messages name the file, which may be called by the student's name.
std::string without_name(std::string words, const std::string& file) {
  for (const std::string& name : {file, file.substr(file.rfind('/') + 1)})
    for (size_t at = words.find(name); at != words.npos; at = words.find(name, at))
      words.replace(at, name.size(), at == 0 ? "It" : "it");
  return words;
}

void add_columns(ClassReport& report) {
  std::set<std::string> lessons, challenges;
  for (const ClassStudent& student : report.students) {
    for (const auto& [name, done] : student.lessons) lessons.insert(name);
    for (const auto& [name, stars] : student.stars) challenges.insert(name);
  }
  for (const CourseLesson& lesson : course_lessons())
    if (lessons.erase(lesson.name) > 0)
      report.lessons.push_back(
          {lesson.name, fmt::format("{} {}", lesson.number, lesson.title), lesson.steps.size()});
  for (const std::string& name : lessons) report.lessons.push_back({name, name, 0});
  for (const CourseChallenge& challenge : course_challenges())
    if (challenges.erase(challenge.name) > 0)
      report.challenges.push_back({challenge.name, challenge_title(challenge.name), 0});
  for (const std::string& name : challenges) report.challenges.push_back({name, name, 0});
}

}  // namespace

Result<ReadClass> read_class(const std::string& folder) {
  const Result<lesson::AnswerFiles> files = lesson::answer_files(folder);
  if (!files) return files.error();
  ReadClass read;
  std::map<uint64_t, std::string> seen;
  for (const std::string& file : files->answers) {
    if (!lower_case(file).ends_with(".json")) {
      read.left_out[file] =
          "It is no hand-in of WarpLens, which ends in .json; warplens grade judges sources.";
      continue;
    }
    Result<lesson::HandIn> hand_in = lesson::read_answer(folder, file);
    if (!hand_in) {
      read.left_out[file] = hand_in.error().message;
      continue;
    }
    ClassFile one{file, student_of(file, hand_in->name), std::move(*hand_in), std::nullopt};
    // Twice the same work of the same student, under whatever name.
    const std::string content = one.student + '\n' + one.hand_in.challenge + '\n' + one.hand_in.source +
                                '\n' + json_values::one_line(one.hand_in.progress);
    if (const auto [at, fresh] = seen.emplace(hash_of(content), file); !fresh) {
      read.left_out[file] = "It is the same as another file of this student.";
      continue;
    }
    if (!one.hand_in.progress.is_null()) {
      Result<ProgressState> progress = parse_progress(json_values::one_line(one.hand_in.progress), file);
      if (progress)
        one.progress = std::move(*progress);
      else
        read.left_out[file] =
            "Its answer counts, but its progress in lessons does not: that part of the file is damaged.";
    }
    if (!(one.hand_in.seconds_spent >= 0 && one.hand_in.seconds_spent < 1e9)) one.hand_in.seconds_spent = 0;
    read.files.push_back(std::move(one));
  }
  return read;
}

Error no_hand_in(const std::string& folder) {
  return bad_input(
      fmt::format("No file in {} is a hand-in: Hand in writes them, in the Learn menu and in a challenge. "
                  "Sources (.cu, .py) are "
                  "judged by warplens grade {} --challenge NAME --csv OUT.csv.",
                  folder, folder));
}

Result<ClassVerdicts> judge_class(const std::string& folder, const ReadClass& read,
                                  std::vector<lesson::Folder> own, lesson::GradeOptions options) {
  std::set<std::string> named;
  for (const ClassFile& file : read.files)
    if (!file.hand_in.challenge.empty()) named.insert(file.hand_in.challenge);
  for (const lesson::Folder& challenge : own) named.erase(challenge.name);
  for (lesson::Folder& challenge : lesson::embedded_folders("challenges"))
    if (named.contains(challenge.name)) own.push_back(std::move(challenge));
  options.only_named = true;
  ClassVerdicts verdicts;
  for (const lesson::Folder& challenge : own) {
    const auto graded = lesson::grade_folder(folder, challenge, options);
    if (!graded) return graded.error();
    for (const lesson::GradedFile& row : *graded) verdicts[row.file] = row;
  }
  return verdicts;
}

std::map<std::string, std::string> made_up_names(const std::string& folder, const ReadClass& read,
                                                 std::string& problem) {
  std::set<std::string> students;
  for (const ClassFile& file : read.files) students.insert(file.student);
  for (const auto& [file, why] : read.left_out) students.insert(student_of(file, ""));
  Result<HashKey> key = class_key(folder);
  if (!key) {
    problem = key.error().message + " So students have other names the next time.";
    key = new_key();
  }
  return pseudonyms_of(students, *key);
}

ClassReport class_report(const std::string& folder, const ReadClass& read,
                         const std::map<std::string, std::string>& names, const ClassVerdicts& graded,
                         bool with_files) {
  ClassReport report;
  report.folder = folder;
  report.files = read.files.size();
  const auto name_of = [&](const std::string& student) {
    const auto found = names.find(student);
    return found == names.end() ? student : found->second;
  };
  std::map<std::string, std::vector<const ClassFile*>> by_student;
  for (const ClassFile& file : read.files) by_student[name_of(file.student)].push_back(&file);
  std::vector<ProgressState> progress;
  for (const auto& [name, files] : by_student) {
    ProgressState& all = progress.emplace_back();
    ClassStudent& student = report.students.emplace_back();
    student.name = name;
    student.files = files.size();
    for (const ClassFile* file : files) add_progress(work_in(*file), all);
    add_work(all, student);
    for (const ClassFile* file : files)
      if (const auto row = graded.find(file->file); row != graded.end()) {
        add_verdict(row->second, file->hand_in.challenge, student);
        report.judged += row->second.judged.reason == lesson::Reason::no_compiler ? 0 : 1;
      }
  }
  add_mistakes(progress, report.students, report);
  add_columns(report);
  for (const auto& [file, why] : read.left_out)
    report.said.push_back(
        with_files ? fmt::format("{}: {}", file, why)
                   : fmt::format("A file of {}: {}", name_of(student_of(file, "")), without_name(why, file)));
  return report;
}

}  // namespace warplens
