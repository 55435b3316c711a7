// Shared by the files that read lessons and challenges: small values, and the blocks of each kind.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/lesson/format/lesson.h"
#include "core/lesson/format/markdown.h"

namespace warplens::lesson {

// Each is empty if the text is not exactly that.
std::optional<double> number_in(std::string_view text);  // a finite number: "1e6" is one, "10_000" is not
std::optional<uint64_t> whole_number_in(std::string_view text, uint64_t maximum);
std::optional<Dim3> dim3_in(std::string_view text);      // "4", "16x16", "(8, 8, 4)"; each 1 or more
std::optional<Dim3> position_in(std::string_view text);  // "(8, 0, 4)"
std::optional<std::pair<double, double>> range_in(std::string_view text);  // "1..40"
std::optional<Target> target_in(std::string_view text);  // "thread (1, 0, 0) of block (2, 0, 0)"
std::optional<bool> yes_or_no(std::string_view text);
std::optional<Tolerance> tolerance_in(std::string_view text);  // "2", "10 %", "factor 2"
std::optional<StepPlace> step_place_in(std::string_view text);
bool is_file_name(std::string_view text);  // in the folder itself: no / and no ..
bool is_id(std::string_view text);

std::string text_of(const Target& target);

// Whether this is a key of `show`.
bool is_show_key(std::string_view key);
// Reads one line of `show`. False if the key does not belong to it.
bool read_show_entry(const Entry& entry, Show& show, Mistakes& mistakes);
Show read_show(const Block& block, Mistakes& mistakes);
std::vector<Change> read_changes(const Entry& entry, Mistakes& mistakes);
// "n = 12, radius = 2"
std::map<std::string, double> read_numbers(std::string_view text, uint32_t line, Mistakes& mistakes);

Question read_question(const Block& block, bool translation, Mistakes& mistakes);
Moves read_moves(const Block& block, Mistakes& mistakes);
// "expression else sentence"
Condition condition_of(const Placed& line);
// "expression as words else sentence", in challenges
Condition goal_of(const Placed& line, Mistakes& mistakes);
// "as words else sentence" in a translation: without the condition
Condition translated_goal(const Placed& line, Mistakes& mistakes);
// Whether the words of a goal can be followed by the value of an answer.
void check_goal_words(const Condition& goal, Mistakes& mistakes);
std::vector<Condition> read_conditions(const Block& block, Mistakes& mistakes);

// Reads the line `mark:` of a head and checks it. Only translations have one.
Placed mark_in(const Entry& entry, bool translation, Mistakes& mistakes);
void check_mark(const Section& section, bool translation, Mistakes& mistakes);

}  // namespace warplens::lesson
