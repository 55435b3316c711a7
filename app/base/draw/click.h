// What a click on an area of a picture asks its view to do, as a value: an enumerator of the view's own, and
// what it is about.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace warplens {

// An enumeration whose enumerators name_of() names: "play", or "line:" for one that is followed by a number
// or a name.
template <class Verb>
concept ClickVerb = std::is_enum_v<Verb> && requires(Verb verb) {
  { name_of(verb) } -> std::convertible_to<std::string_view>;
};

class Click {
 public:
  Click() = default;  // nothing: the area has only a hover text
  template <ClickVerb Verb>
  Click(Verb verb) : Click(verb, std::string()) {}
  template <ClickVerb Verb>
  Click(Verb verb, uint64_t number) : Click(verb, std::to_string(number)) {
    m_number = number;
  }
  // One of an enumeration, which has a name in the id.
  template <ClickVerb Verb>
  Click(Verb verb, uint64_t number, std::string about) : Click(verb, std::move(about)) {
    m_number = number;
  }
  template <ClickVerb Verb>
  Click(Verb verb, std::string about)
      : m_verbs(&verbs_of<Verb>), m_verb(static_cast<int>(verb)), m_about(std::move(about)) {
    m_id = std::string(name_of(verb)) + m_about;
  }

  bool empty() const { return m_verbs == nullptr; }
  // Of all areas of a picture, for the keyboard and for tests: "line:12". Empty for nothing.
  const std::string& id() const { return m_id; }
  // Empty if another enumeration's was picked.
  template <ClickVerb Verb>
  std::optional<Verb> as() const {
    return m_verbs == &verbs_of<Verb> ? std::optional(static_cast<Verb>(m_verb)) : std::nullopt;
  }
  template <ClickVerb Verb>
  bool is(Verb verb) const {
    return as<Verb>() == verb;
  }
  uint64_t number() const { return m_number; }
  const std::string& about() const { return m_about; }

 private:
  template <class Verb>
  static constexpr char verbs_of = 0;  // its address is the enumeration

  const char* m_verbs = nullptr;
  int m_verb = 0;
  uint64_t m_number = 0;
  std::string m_about, m_id;
};

// Of the button that every picture which can be saved has.
enum class SaveVerb : uint8_t { save };
constexpr std::string_view name_of(SaveVerb) { return "save"; }

}  // namespace warplens
