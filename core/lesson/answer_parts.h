// Judges of the kinds of questions that need more than a few lines; judge_answer() (answers.h) chooses.
#pragma once

#include "core/lesson/answers.h"

namespace warplens::lesson {

// Whether a guess is near enough to the truth.
bool within(double guess, double truth, const Tolerance& tolerance);

Result<Verdict> judge_clicks(const Question& question, const ClickAnswer& answer, const Facts& facts,
                             const RunResult* result);
Result<Verdict> judge_formula(const Question& question, const FormulaAnswer& answer, const Facts& facts);

}  // namespace warplens::lesson
