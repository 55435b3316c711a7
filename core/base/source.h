// Where a number comes from. Every figure that is shown carries its source, so that no view can present, for
// example, a modelled number as a measured one.
#pragma once

#include <cstdint>
#include <string>

namespace warplens {

enum class Source : uint8_t {
  measured,  // by a clock on a real GPU or on this CPU
  counted,   // exactly, by the virtual GPU
  derived,   // by a formula, from the launch and the device
  modelled,  // by the time model
};

constexpr const char* to_string(Source source) {
  switch (source) {
    case Source::measured:
      return "measured";
    case Source::counted:
      return "counted";
    case Source::derived:
      return "derived";
    case Source::modelled:
      return "modelled";
  }
  return "";
}

// As a tag beside a figure. Modelled ones have a sign of their own, so that nobody who overlooks the colour
// takes them for facts.
inline std::string source_words(Source source) {
  return source == Source::modelled ? "≈ modelled" : to_string(source);
}

// Behind a figure.
constexpr const char* about(Source source) { return source == Source::modelled ? " ≈" : ""; }

// A number whose provenance is part of its type.
template <class T, Source S>
struct Metric {
  T value{};
  static constexpr Source source = S;
};
template <class T>
using Measured = Metric<T, Source::measured>;
template <class T>
using Counted = Metric<T, Source::counted>;
template <class T>
using Derived = Metric<T, Source::derived>;
template <class T>
using Modelled = Metric<T, Source::modelled>;

// A figure that is ready to be drawn: label "threads", value "262,144", source derived. `formula` is the
// formula with its numbers filled in, for the hover text.
struct Figure {
  std::string label;
  std::string value;
  Source source;
  std::string formula;
};

}  // namespace warplens
