// Questions of a lesson and their answers, as plain values (docs/lessons.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/lesson/format/show.h"

namespace warplens::lesson {

enum class QuestionKind : uint8_t { number, choice, click, marker, order, formula };

// How far a number may differ.
struct Tolerance {
  enum class Kind : uint8_t { exact, absolute, percent, factor };
  Kind kind = Kind::exact;
  double value = 0;
};

struct Choice {
  Placed text;
  Placed because;  // feedback for this choice; may be empty
};

struct OrderItem {
  Placed text;
  Placed value;  // an expression; empty if the order is that of the file
};

// A formula consists of texts and boxes: "x = [blockIdx.x] * [blockDim.x]" is "x = ", a box, " * ", a box.
struct FormulaPart {
  std::string text;
  bool box = false;  // then `text` is the right content
};

struct Question {
  QuestionKind kind = QuestionKind::number;
  uint32_t line = 0;
  Placed text;
  bool predict = false;
  Placed right;         // number, marker: an expression; click: a condition; choice: a letter
  Tolerance tolerance;  // number, marker
  Placed unit, shows;
  std::vector<Choice> choices;               // choice
  Target::Kind what = Target::Kind::thread;  // click
  std::string array;
  Placed find;  // empty for 1; "all"
  bool find_all = false;
  std::string plot;  // marker
  Placed from, to;
  bool log_scale = false;
  std::vector<OrderItem> items;  // order
  bool largest_first = true;
  Placed formula_text;
  std::vector<FormulaPart> formula;
  std::vector<std::string> tiles;  // empty if numbers are typed into the boxes
  Placed otherwise;                // feedback for a wrong answer
};

// The answer to a question of this kind.
struct NumberAnswer {
  double value = 0;
};
struct ChoiceAnswer {
  uint32_t letter = 0;  // 0 for A
};
struct ClickAnswer {
  std::vector<Target> clicked;
};
struct OrderAnswer {
  std::vector<uint32_t> items;  // their numbers in the file from 0, from first to last place
};
struct FormulaAnswer {
  std::vector<std::string> boxes;
};
using Answer =
    std::variant<std::monostate, NumberAnswer, ChoiceAnswer, ClickAnswer, OrderAnswer, FormulaAnswer>;

const char* to_string(QuestionKind kind);  // "number"

}  // namespace warplens::lesson
