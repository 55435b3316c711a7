// How Dear ImGui is configured. Everything that includes imgui.h must see the same.
#pragma once

#include <cstdio>
#include <exception>

// Pictures of many shapes need more than 65,536 vertices in one draw list.
#define ImDrawIdx unsigned int

// A failed assertion is our bug. It is told in release builds, too, where assert() would be empty.
#define IM_ASSERT(condition)                                                                   \
  do {                                                                                         \
    if (!(condition)) {                                                                        \
      std::fprintf(stderr, "IM_ASSERT( %s )   ---   %s:%d\n", #condition, __FILE__, __LINE__); \
      std::terminate();                                                                        \
    }                                                                                          \
  } while (0)
