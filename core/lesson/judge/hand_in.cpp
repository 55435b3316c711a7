#include "core/lesson/judge/hand_in.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/base/hash.h"
#include "core/base/json/json_reader.h"
#include "core/base/json/json_values.h"
#include "core/compile/cuda_source/source_signature.h"

namespace warplens::lesson {
namespace {

constexpr size_t most_source = size_t{1} << 20;
constexpr size_t gram = 9, least_grams = 12;  // in words of the source

Result<HandIn> read_json(std::string_view bytes, std::string_view file) {
  const Result<Json> document = parse_json(bytes, file);
  if (!document) return document.error();
  if (!document->is_object() || !document->contains("warplens_hand_in"))
    return bad_input(fmt::format("{} is no hand-in: it has no \"warplens_hand_in\".", file));
  JsonReader reader{std::string(file)};
  const JsonNode root{&*document, ""};
  if (reader.unsigned_integer(reader.member(root, "warplens_hand_in"), UINT32_MAX) > 1)
    return bad_input(fmt::format("{} is of a newer version: grade it with a newer WarpLens.", file));
  HandIn hand_in;
  hand_in.challenge = reader.text(reader.member(root, "challenge"));
  hand_in.name = reader.text(reader.member(root, "name"));
  hand_in.source = reader.text(reader.required(root, "source"));
  const std::string language = reader.text(reader.member(root, "language"));
  hand_in.language = language == "numba" ? Language::numba : Language::cuda;
  if (const JsonNode stars = reader.member(root, "stars"))
    hand_in.stars = uint32_t(reader.unsigned_integer(stars, 3));
  if (const JsonNode seconds = reader.member(root, "seconds_spent"))
    hand_in.seconds_spent = reader.real(seconds);
  const std::string checksum = reader.text(reader.member(root, "checksum"));
  if (!reader.ok()) return reader.error();
  if (const JsonNode progress = reader.member(root, "progress"); progress && !progress.value->is_null())
    hand_in.progress = ReportJson::parse(json_values::one_line(*progress.value));
  hand_in.checksum_fits = checksum == checksum_of(hand_in);
  return hand_in;
}

bool is_text(std::string_view bytes) { return bytes.find('\0') == bytes.npos; }

// The words of a source. All names count as equal, and so do all numbers; each symbol counts as itself.
std::vector<uint32_t> words_of(std::string_view source) {
  const std::string text = without_comments(source);
  static constexpr std::string_view keywords[] = {"if",    "else", "for",    "while", "return",
                                                  "float", "int",  "double", "const", "static",
                                                  "void",  "def",  "in",     "range"};
  std::vector<uint32_t> words;
  for (size_t at = 0; at < text.size();) {
    const auto c = static_cast<unsigned char>(text[at]);
    size_t end = at + 1;
    if (std::isalpha(c) || c == '_') {
      while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
        ++end;
      const auto word = std::ranges::find(keywords, std::string_view(text).substr(at, end - at));
      words.push_back(word == std::end(keywords) ? 256u : 300u + uint32_t(word - std::begin(keywords)));
    } else if (std::isdigit(c)) {
      while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '.'))
        ++end;
      words.push_back(257);
    } else if (!std::isspace(c)) {
      words.push_back(c);
    }
    at = end;
  }
  return words;
}

std::set<uint64_t> grams_of(std::string_view source) {
  const std::vector<uint32_t> words = words_of(source);
  std::set<uint64_t> grams;
  for (size_t i = 0; i + gram <= words.size(); ++i) {
    uint64_t hash = 1469598103934665603u;
    for (size_t k = 0; k < gram; ++k) hash = (hash ^ words[i + k]) * 1099511628211u;
    grams.insert(hash);
  }
  return grams;
}

}  // namespace

std::string checksum_of(const HandIn& hand_in) {
  const char* language = hand_in.language == Language::numba ? "numba" : "cuda";
  return fmt::format("{:016x}", hash_of(hand_in.challenge + "\n" + language + "\n" + hand_in.source));
}

bool is_answer_name(std::string_view file) {
  const std::string name = lower_case(file);
  return name.ends_with(".cu") || name.ends_with(".py") || name.ends_with(".json");
}

Result<HandIn> read_hand_in(std::string_view bytes, std::string_view file) {
  if (bytes.empty()) return bad_input("The file is empty.");
  if (bytes.size() > most_source) return bad_input("The file has more than 1 MiB.");
  if (!is_text(bytes)) return bad_input("The file is no text: it has bytes of zero in it.");
  if (!is_answer_name(file)) return bad_input("It is no answer: answers end in .cu, .py or .json.");
  const std::string name = lower_case(file);
  if (name.ends_with(".json")) return read_json(bytes, file);
  HandIn hand_in;
  hand_in.source = std::string(bytes);
  if (name.ends_with(".py")) hand_in.language = Language::numba;
  return hand_in;
}

std::string hand_in_text(const HandIn& hand_in) {
  ReportJson json = {{"warplens_hand_in", 1},
                     {"challenge", hand_in.challenge},
                     {"language", hand_in.language == Language::numba ? "numba" : "cuda"},
                     {"name", hand_in.name},
                     {"source", hand_in.source},
                     {"stars", hand_in.stars},
                     {"seconds_spent", hand_in.seconds_spent},
                     {"session", hand_in.session},
                     {"checksum", checksum_of(hand_in)}};
  if (!hand_in.progress.is_null()) json["progress"] = hand_in.progress;
  return json_values::indented(json);
}

std::optional<double> similarity(std::string_view a, std::string_view b, std::string_view starter) {
  const std::set<uint64_t> given = grams_of(starter);
  const auto own = [&](std::string_view source) {
    std::set<uint64_t> grams = grams_of(source);
    for (const uint64_t one : given) grams.erase(one);
    return grams;
  };
  const std::set<uint64_t> left = own(a), right = own(b);
  const size_t smaller = std::min(left.size(), right.size());
  if (smaller < least_grams) return std::nullopt;
  const auto common = std::ranges::count_if(left, [&](uint64_t one) { return right.contains(one); });
  return double(common) / double(smaller);
}

}  // namespace warplens::lesson
