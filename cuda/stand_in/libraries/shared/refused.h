// Calls that do not work: each says so in one sentence, once, and returns its library's own code.
#pragma once

// A library's name and advice, for the message; each defines it (its library.cpp).
struct warplens_library {
  const char* what;     // "cuFFT"
  const char* instead;  // what to do
  int not_supported;    // its code
};
extern "C" const warplens_library warplens_this_library;

extern "C" int warplens_refuse_library(const char* name);
