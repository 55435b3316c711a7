// Predict, then reveal, outside of lessons: after each change the figures that it gives read "?" until the
// user has guessed one of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace warplens {

enum class PredictPhase : uint8_t {
  idle,     // nothing was changed since the last prediction
  asking,   // figures are hidden, and a question is asked
  waiting,  // a guess is there, and the run is not
  known     // guess and truth are shown side by side
};

struct PredictState {
  bool on = false;
  PredictPhase phase = PredictPhase::idle;
  std::string change;                    // "Block changed"
  std::string figure;                    // the one that is asked about: a name of predicted_figures()
  std::map<std::string, double> before;  // all of them before the change
  std::optional<double> guess, truth;
  bool right = false;  // within a tenth of the truth
  uint64_t asked = 0;  // counts questions, so that they take turns
};

// The figures that a prediction can be about.
struct PredictedFigure {
  const char *name, *question, *unit;
  bool of_run;  // known after the run only
};

struct AppState;
const PredictedFigure* predicted_figure(const std::string& name);
// The figures that are known now. Those of the run only if it is of what is set.
std::map<std::string, double> predicted_figures(const AppState& state);
// How the figure is computed, with its numbers.
std::string formula_of_prediction(const AppState& state, const std::string& figure);
// Whether a guess is near enough to count as right.
bool is_near(double guess, double truth);

}  // namespace warplens
