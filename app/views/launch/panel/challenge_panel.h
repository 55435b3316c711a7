// A challenge, in place of the Launch panel: its task, the drawn specification, the goals with their meters,
// what the judge said, hints.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "app/views/launch/challenge_goals.h"
#include "app/views/launch/model.h"
#include "app/widgets/built.h"
#include "app/widgets/panel.h"

namespace warplens {

// An element of the specification's picture.
struct SpecifiedCell {
  bool output = false;
  size_t array = 0;
  uint64_t index = 0;
};

struct ChallengePanelState {
  std::optional<SpecifiedCell> hovered;  // in the last frame; its arrows are drawn
  bool judging = false;                  // in the last frame
  Built<std::pair<std::shared_ptr<const LoadedChallenge>, std::shared_ptr<const JudgedAnswer>>,
        ChallengeGoals>
      goals;
};

void draw_challenge(const AppState& state, const LaunchView& launch, ChallengePanelState& own,
                    Actions& actions);

}  // namespace warplens
