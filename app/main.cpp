#include <cstdio>

#include "warplens_config.h"

int main() {
  std::printf("warplens %s\n", warplens::config::version);
  return 0;
}
