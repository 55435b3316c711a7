// The keys of a panel's caches: a key owns the object that it names. Otherwise another object at the same
// address could be mistaken for it.
#include <gtest/gtest.h>

#include "app/views/memory/panel/panel.h"
#include "app/views/occupancy/panel/panel.h"

namespace warplens {
namespace THIS_FILE {

TEST(PanelKeys, OwnWhatTheyName) {
  auto heat = std::make_shared<const RecordedHeat>();
  const std::weak_ptr<const RecordedHeat> heat_there = heat;
  const HeatPictureKey picture{std::move(heat), std::nullopt};
  EXPECT_FALSE(heat_there.expired());

  auto others = std::make_shared<const ResourcesByArchitecture>();
  const std::weak_ptr<const ResourcesByArchitecture> others_there = others;
  const OccupancyKey occupancy{"kernel", "device", {}, std::nullopt, false, std::move(others)};
  EXPECT_FALSE(others_there.expired());
}

TEST(PanelKeys, AKernelThatIsCompiledAnewIsAnother) {
  const auto before = std::make_shared<const KernelDescription>();
  const auto after = std::make_shared<const KernelDescription>();
  EXPECT_FALSE((LinkKey{"blur", before} == LinkKey{"blur", after}));
  EXPECT_TRUE((LinkKey{"blur", before} == LinkKey{"blur", before}));
}

}  // namespace THIS_FILE
}  // namespace warplens
