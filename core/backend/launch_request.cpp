#include "core/backend/launch_request.h"

namespace warplens {

const LaunchStep* first_launch(const LaunchRequest& request) {
  for (const Step& step : request.steps)
    if (const auto* launch = std::get_if<LaunchStep>(&step)) return launch;
  return nullptr;
}

}  // namespace warplens
