// The words of the lesson strip, made of the state.
#pragma once

#include <optional>
#include <string>

#include "app/state/state.h"

namespace warplens {

// "LESSON 1 · WHO AM I?" without a number for a lesson that has none.
std::string lesson_heading(const AppState& state);
// "Click a thread in the picture." for the kind of thing that is looked for.
std::string click_words(const lesson::Question& question);
// "1 of 2 found". Empty before the first click.
std::string found_words(const lesson::Question& question, const lesson::QuestionProgress& own);
// "block 2, thread 3"
std::string target_words(const lesson::Target& target);
// What the student may change in this step: "n (8 to 12), grid". Empty if nothing.
std::string changeable_words(const AppState& state);
// How a true answer is computed: the question's own words, or its expression.
std::string formula_words(const AppState& state, const lesson::Question& question);

}  // namespace warplens
