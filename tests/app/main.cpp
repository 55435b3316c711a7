#include <gtest/gtest.h>

#include "tests/be_the_program.h"

int main(int argc, char** argv) {
  warplens::be_the_program_if_asked(argc, argv);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
