// Where a number comes from. Every figure that is shown carries its source, so that no view can present, for
// example, a modelled number as a measured one.
#pragma once

#include <cstdint>
#include <string>

namespace warplens {

enum class Provenance : uint8_t {
  measured,  // by a clock on a real GPU or on this CPU
  counted,   // exactly, by the virtual GPU
  derived,   // by a formula, from the launch and the device
  modelled,  // by the time model
};

constexpr const char* to_string(Provenance source) {
  switch (source) {
    case Provenance::measured:
      return "measured";
    case Provenance::counted:
      return "counted";
    case Provenance::derived:
      return "derived";
    case Provenance::modelled:
      return "modelled";
  }
  return "";
}

// The source as a tag next to a figure. A modelled figure also has a sign, so that it is not taken for a fact
// by a reader who overlooks the colour.
inline std::string source_words(Provenance source) {
  return source == Provenance::modelled ? "≈ modelled" : to_string(source);
}

// The text that follows a figure.
constexpr const char* about(Provenance source) { return source == Provenance::modelled ? " ≈" : ""; }

// A number whose provenance is part of its type.
template <class T, Provenance S>
struct Metric {
  T value{};
  static constexpr Provenance source = S;
};
template <class T>
using Measured = Metric<T, Provenance::measured>;
template <class T>
using Counted = Metric<T, Provenance::counted>;
template <class T>
using Derived = Metric<T, Provenance::derived>;
template <class T>
using Modelled = Metric<T, Provenance::modelled>;

// A figure that is ready to be drawn: label "threads", value "262,144", source derived. `formula` is the
// formula with its numbers filled in, for the hover text.
struct Figure {
  std::string label;
  std::string value;
  Provenance source;
  std::string formula;
};

}  // namespace warplens
