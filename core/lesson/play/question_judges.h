// Functions that judge longer kinds of questions; judge_answer() (answers.h) calls them.
#pragma once

#include "core/lesson/play/answers.h"

namespace warplens::lesson {

// Whether a guess is close enough to the truth.
bool within(double guess, double truth, const Tolerance& tolerance);

Result<Verdict> judge_clicks(const Question& question, const ClickAnswer& answer, const Facts& facts,
                             const RunResult* result);
Result<Verdict> judge_formula(const Question& question, const FormulaAnswer& answer, const Facts& facts);

}  // namespace warplens::lesson
