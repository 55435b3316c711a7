#include "core/image/pnm.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace warplens {

namespace {

constexpr uint32_t largest_maximum = 65535;

class PnmReader {
 public:
  explicit PnmReader(std::span<const std::byte> bytes) : m_bytes(bytes) {}

  uint64_t left() const { return m_bytes.size() - m_at; }
  std::optional<uint8_t> byte() {
    if (left() == 0) return std::nullopt;
    return std::to_integer<uint8_t>(m_bytes[m_at++]);
  }
  // The next number, after blanks and comments. Large ones stay at UINT32_MAX.
  std::optional<uint32_t> number() {
    std::optional<uint8_t> c = first_of_word();
    if (!c || !is_digit(*c)) return std::nullopt;
    uint64_t value = 0;
    for (; c && is_digit(*c); c = byte()) value = std::min<uint64_t>(value * 10 + (*c - '0'), UINT32_MAX);
    if (c) --m_at;
    return static_cast<uint32_t>(value);
  }
  // A digit of P1, whose digits may stand without blanks between them.
  std::optional<uint32_t> bit() {
    const std::optional<uint8_t> c = first_of_word();
    if (!c || (*c != '0' && *c != '1')) return std::nullopt;
    return *c - '0';
  }

 private:
  static bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }
  std::optional<uint8_t> first_of_word() {
    for (std::optional<uint8_t> c = byte(); c; c = byte()) {
      if (*c == '#') {
        while (c && *c != '\n' && *c != '\r') c = byte();
      } else if (*c != ' ' && (*c < '\t' || *c > '\r')) {
        return c;
      }
    }
    return std::nullopt;
  }

  std::span<const std::byte> m_bytes;
  size_t m_at = 2;  // after the P and the digit
};

struct PnmHead {
  uint8_t kind = 1;  // the digit
  uint32_t width = 0, height = 0, maximum = 1;
  bool in_numbers() const { return kind <= 3; }
  bool of_bits() const { return kind == 1 || kind == 4; }
  uint32_t channels() const { return kind == 3 || kind == 6 ? 3 : 1; }
};

Error cut_short(std::string_view name) {
  return bad_input(
      fmt::format("{} is cut short: the picture ends before all its pixels. Get the file again.", name));
}

Result<PnmHead> read_head(PnmReader& reader, uint8_t kind, std::string_view name) {
  PnmHead head{kind};
  const auto width = reader.number(), height = reader.number();
  const auto maximum = head.of_bits() ? 1 : reader.number();
  if (!width || !height || !maximum) return cut_short(name);
  if (*width == 0 || *height == 0)
    return bad_input(fmt::format("{} has no pixels: {}×{}.", name, *width, *height));
  if (uint64_t{*width} * *height > max_image_pixels) return too_large_picture(name, *width, *height);
  if (*maximum == 0 || *maximum > largest_maximum)
    return bad_input(fmt::format("{} is damaged: a PNM picture's maximum is from 1 to {}, not {}.", name,
                                 largest_maximum, *maximum));
  head.width = *width;
  head.height = *height;
  head.maximum = *maximum;
  return head;
}

// One sample of the kinds 2, 3, 5 and 6.
std::optional<uint32_t> sample(PnmReader& reader, const PnmHead& head) {
  if (head.in_numbers()) return reader.number();
  const auto high = reader.byte();
  if (!high || head.maximum < 256) return high;
  const auto low = reader.byte();
  return low ? std::optional<uint32_t>(*high << 8 | *low) : std::nullopt;
}

// Black is 1. The rows of P4 begin at bytes.
bool read_bits(PnmReader& reader, const PnmHead& head, std::vector<uint8_t>& pixels) {
  for (uint32_t y = 0; y < head.height; ++y) {
    uint32_t packed = 0;
    for (uint32_t x = 0; x < head.width; ++x) {
      std::optional<uint32_t> black;
      if (head.in_numbers()) {
        black = reader.bit();
      } else {
        if (x % 8 == 0) {
          const auto next = reader.byte();
          if (!next) return false;
          packed = *next;
        }
        black = packed >> (7 - x % 8) & 1;
      }
      if (!black) return false;
      pixels.push_back(*black == 1 ? 0 : 255);
    }
  }
  return true;
}

bool read_samples(PnmReader& reader, const PnmHead& head, std::vector<uint8_t>& pixels) {
  const uint64_t count = uint64_t{head.width} * head.height * head.channels();
  for (uint64_t i = 0; i < count; ++i) {
    const auto value = sample(reader, head);
    if (!value) return false;
    const uint32_t within = std::min(*value, head.maximum);
    pixels.push_back(static_cast<uint8_t>((within * 255 + head.maximum / 2) / head.maximum));
  }
  return true;
}

}  // namespace

bool is_pnm(std::span<const std::byte> bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{'P'} && bytes[1] >= std::byte{'1'} &&
         bytes[1] <= std::byte{'6'};
}

Result<Image> decode_pnm(std::span<const std::byte> bytes, std::string_view name) {
  PnmReader reader(bytes);
  const auto head = read_head(reader, static_cast<uint8_t>(std::to_integer<int>(bytes[1]) - '0'), name);
  if (!head) return head.error();
  if (!head->in_numbers()) reader.byte();  // one blank
  // A sample takes at least a byte, or a bit of P4: nothing is allocated for what the file cannot have.
  const uint64_t samples = uint64_t{head->width} * head->height * head->channels();
  if (samples / (head->kind == 4 ? 8 : 1) > reader.left()) return cut_short(name);
  Image image{head->width, head->height, head->channels(), {}, std::string(name), {}};
  image.pixels.reserve(samples);
  const bool whole =
      head->of_bits() ? read_bits(reader, *head, image.pixels) : read_samples(reader, *head, image.pixels);
  if (!whole) return cut_short(name);
  return image;
}

}  // namespace warplens
