#include <gtest/gtest.h>

#include <cstdio>

#include "tests/ui/driver.h"
#include "tests/ui/own_screen.h"

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  warplens::OwnScreen screen;
  if (!GTEST_FLAG_GET(list_tests) && !warplens::is_watched()) {
    const std::string why_not = screen.open();
    if (!why_not.empty()) return std::fprintf(stderr, "No screen for the window: %s.\n", why_not.c_str()), 1;
  }
  return RUN_ALL_TESTS();
}
