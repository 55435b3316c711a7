#include "core/job/files/link.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

#include "core/base/json/json.h"
#include "core/base/json/json_reader.h"
#include "core/image/deflate.h"

namespace warplens {

namespace {

constexpr std::string_view link_mark = "#w";
constexpr uint32_t newest_link_version = 1;
constexpr const char* link_name = "The link";
// A state is never larger than this. The limit stops small links that unpack to huge texts.
constexpr size_t most_unpacked_bytes = size_t{256} << 10;

// RFC 4648, section 5: letters that are allowed in an address.
constexpr std::string_view link_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr uint32_t bits_of_letter = 6;

std::string to_letters(std::string_view bytes) {
  std::string text;
  uint32_t bits = 0, count = 0;
  for (const char byte : bytes) {
    bits = (bits << 8) | static_cast<uint8_t>(byte);
    for (count += 8; count >= bits_of_letter; count -= bits_of_letter)
      text += link_letters[(bits >> (count - bits_of_letter)) & 63];
  }
  if (count > 0) text += link_letters[(bits << (bits_of_letter - count)) & 63];
  return text;
}

std::optional<std::string> from_letters(std::string_view text) {
  std::string bytes;
  uint32_t bits = 0, count = 0;
  for (const char letter : text) {
    const size_t value = link_letters.find(letter);
    if (value == std::string_view::npos) return std::nullopt;
    bits = (bits << bits_of_letter) | static_cast<uint32_t>(value);
    count += bits_of_letter;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((bits >> count) & 255);
  }
  return bytes;
}

struct LinkParts {
  uint32_t version = 0;
  std::string_view packed;
};

std::optional<LinkParts> parts_of_link(std::string_view text) {
  const size_t at = text.rfind(link_mark);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + link_mark.size());
  LinkParts parts;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parts.version);
  const auto digits = static_cast<size_t>(end - text.data());
  if (error != std::errc() || digits == text.size() || *end != '-') return std::nullopt;
  parts.packed = text.substr(digits + 1);
  // A copied text may end with a space or a line end.
  const size_t last = parts.packed.find_last_not_of(" \t\r\n");
  parts.packed = parts.packed.substr(0, last == std::string_view::npos ? 0 : last + 1);
  return parts;
}

Error broken_link() {
  return bad_input(
      "The link is incomplete: some of its letters were probably lost. Copy it once more, from its "
      "beginning to its end.");
}

}  // namespace

bool is_link(std::string_view text) { return parts_of_link(text).has_value(); }

Result<std::string> link_text(const Link& link) {
  ReportJson json;
  json["session"] = session_json(link.session);
  if (!link.lesson.empty()) json["lesson"] = link.lesson;
  if (!link.step.empty()) json["step"] = link.step;
  if (!link.challenge.empty()) json["challenge"] = link.challenge;
  if (link.reveal) json["reveal"] = true;
  const std::string text =
      fmt::format("{}{}-{}", link_mark, newest_link_version,
                  to_letters(deflated(json.dump(-1, ' ', false, ReportJson::error_handler_t::replace))));
  const size_t most = link.session.has_code_text ? max_link_bytes_with_source : max_link_bytes;
  if (text.size() <= most) return text;
  return bad_input(
      fmt::format("The link would have {} letters, and {} is the most that is sent safely. Save "
                  "a session instead, and send the file.",
                  text.size(), most));
}

Result<Link> parse_link(std::string_view text) {
  const std::optional<LinkParts> parts = parts_of_link(text);
  if (!parts) return bad_input("This is no link of WarpLens: such a link has \"#w1-\" in it.");
  if (parts->version > newest_link_version)
    return bad_input(
        fmt::format("The link is of a newer WarpLens: its format is {}, and {} is the newest that this one "
                    "reads. Install a newer WarpLens.",
                    parts->version, newest_link_version));
  if (parts->version == 0) return broken_link();
  if (parts->packed.size() > max_link_bytes_with_source)
    return bad_input(fmt::format("The link is longer than {} letters, which is the most that is read.",
                                 max_link_bytes_with_source));
  const std::optional<std::string> bytes = from_letters(parts->packed);
  const std::optional<std::string> whole = bytes ? inflated(*bytes, most_unpacked_bytes) : std::nullopt;
  if (!whole) return broken_link();
  const Result<Json> document = parse_json(*whole, link_name);
  if (!document || !document->is_object()) return broken_link();
  JsonReader reader{link_name};
  const JsonNode root{&*document, ""};
  reader.expect_keys(root, {"session", "lesson", "step", "challenge", "reveal"});
  const JsonNode session = reader.required(root, "session");
  Link link;
  link.lesson = reader.text(reader.member(root, "lesson"));
  link.step = reader.text(reader.member(root, "step"));
  link.challenge = reader.text(reader.member(root, "challenge"));
  link.reveal = reader.boolean(reader.member(root, "reveal"), false);
  if (session) link.session = read_session_in(reader, session, "");
  if (!reader.ok()) return reader.error();
  link.session.warnings = reader.warnings();
  // A link may come from anybody, so it must not read files of this machine.
  const std::string& picture = link.session.setup.image_path;
  if (!link.session.code_path.empty() || picture.find_first_of("/.\\") != std::string::npos)
    return bad_input("The link names a file, and links may not: it was not made by WarpLens.");
  return link;
}

}  // namespace warplens
