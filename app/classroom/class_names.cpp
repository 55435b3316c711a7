#include "app/classroom/class_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <random>
#include <string_view>

#include "core/base/system/files.h"
#include "core/base/text.h"
#include "core/lesson/format/markdown.h"

namespace warplens {
namespace {

constexpr const char* key_file = ".warplens_class_key";
constexpr std::string_view consonants = "bdfgklmnprstvz", vowels = "aeiou";
constexpr size_t first_syllables = 4, most_syllables = 8;

std::string syllables_of(uint64_t hash, size_t syllables) {
  std::string word;
  for (size_t i = 0; i < syllables; ++i) {
    word += consonants[hash % consonants.size()];
    hash /= consonants.size();
    word += vowels[hash % vowels.size()];
    hash /= vowels.size();
  }
  return word;
}

bool all_digits(std::string_view text) { return is_digits(text); }

std::string hex_of(const HashKey& key) {
  std::string text;
  for (const std::byte byte : key) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

Result<HashKey> key_in(std::string_view text) {
  text = trimmed(text);
  HashKey key;
  bool fits = text.size() == 2 * key.size() && text.find_first_not_of("0123456789abcdef") == text.npos;
  if (!fits) return bad_input(fmt::format("{} holds no key: remove it, and a new one is made.", key_file));
  for (size_t i = 0; i < key.size(); ++i)
    key[i] = static_cast<std::byte>(std::stoi(std::string(text.substr(2 * i, 2)), nullptr, 16));
  return key;
}

}  // namespace

std::string student_of(const std::string& file, const std::string& name) {
  std::string who(trimmed(name));
  if (who.empty()) {
    const size_t slash = file.find('/');
    who = file.substr(0, slash);
    if (slash == file.npos) who = who.substr(0, who.rfind('.'));
    // What stands before the first number between underscores is the student's name.
    for (size_t at = who.find('_'); at != who.npos; at = who.find('_', at + 1)) {
      const std::string_view next = std::string_view(who).substr(at + 1);
      if (at > 0 && all_digits(next.substr(0, next.find('_')))) {
        who.resize(at);
        break;
      }
    }
  }
  std::ranges::transform(who, who.begin(),
                         [](unsigned char c) { return char(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  return who;
}

HashKey new_key() {
  std::random_device source;
  HashKey key;
  for (size_t i = 0; i < key.size(); i += 4) {
    const uint32_t part = source();
    std::memcpy(key.data() + i, &part, 4);
  }
  return key;
}

Result<HashKey> class_key(const std::string& folder) {
  const std::string path = (std::filesystem::path(folder) / key_file).string();
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    const Result<std::string> text = read_text(path, 1024);
    if (!text) return text.error();
    return key_in(*text);
  }
  const HashKey key = new_key();
  if (const Result<void> written = write_text(path, hex_of(key) + "\n"); !written) return written.error();
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write,
                               ignored);
  return key;
}

std::map<std::string, std::string> pseudonyms_of(const std::set<std::string>& students, const HashKey& key) {
  std::map<std::string, std::string> names;
  for (size_t syllables = first_syllables; syllables <= most_syllables; ++syllables) {
    std::set<std::string> words;
    for (const std::string& student : students) {
      names[student] = syllables_of(keyed_hash(key, student), syllables);
      words.insert(names[student]);
    }
    if (words.size() == students.size()) break;
  }
  return names;
}

}  // namespace warplens
