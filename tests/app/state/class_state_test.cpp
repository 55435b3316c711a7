#include "app/state/parts/class_state.h"

#include <gtest/gtest.h>

#include <variant>

#include "app/state/update.h"

namespace warplens {
namespace THIS_FILE {

TEST(ClassState, AsksWhereItsPageIsSaved) {
  AppState state = *initial_state("vector_add", "");
  update(state, SaveClassPage{});
  ASSERT_EQ(state.effects.waiting.size(), 1u);
  const auto* asked = std::get_if<effect::AskFile>(&state.effects.waiting.front());
  ASSERT_NE(asked, nullptr);
  EXPECT_EQ(asked->dialog, Dialog::save_class_page);
}

}  // namespace THIS_FILE
}  // namespace warplens
