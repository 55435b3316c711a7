#include "core/recording/chunks.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace warplens::recording {

static_assert(std::endian::native == std::endian::little);

void write_chunk_header(ChunkKind kind, size_t head_bytes, uint64_t body_bytes,
                        std::byte (&out)[chunk_header_bytes]) {
  const auto head = static_cast<uint32_t>(head_bytes);
  std::memcpy(out, &kind, 4);
  std::memcpy(out + 4, &head, 4);
  std::memcpy(out + 8, &body_bytes, 8);
}

std::optional<Chunk> chunk_at(std::span<const std::byte> file, size_t at) {
  if (at > file.size() || file.size() - at < chunk_header_bytes) return std::nullopt;
  Chunk chunk;
  uint32_t head = 0;
  uint64_t body = 0;
  std::memcpy(&chunk.kind, file.data() + at, 4);
  std::memcpy(&head, file.data() + at + 4, 4);
  std::memcpy(&body, file.data() + at + 8, 8);
  at += chunk_header_bytes;
  if (head > largest_head || head > file.size() - at || body > file.size() - at - head) return std::nullopt;
  chunk.head = {reinterpret_cast<const char*>(file.data() + at), head};
  chunk.body = file.subspan(at + head, static_cast<size_t>(body));
  chunk.end = at + head + static_cast<size_t>(body);
  return chunk;
}

ContentName name_of(std::span<const std::byte> bytes) {
  constexpr uint64_t prime[4] = {0x9e3779b185ebca87, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9,
                                 0x85ebca77c2b2ae63};
  uint64_t lane[4] = {1, 2, 3, 4};
  const auto mix = [&](int i, uint64_t word) {
    lane[i] = std::rotl(lane[i] ^ (word * prime[1]), 31) * prime[0];
  };
  size_t at = 0;
  for (; bytes.size() - at >= 32; at += 32) {
    uint64_t words[4];
    std::memcpy(words, bytes.data() + at, 32);
    for (int i = 0; i < 4; ++i) mix(i, words[i]);
  }
  for (int i = 0; at < bytes.size(); ++i) {
    uint64_t word = 0;
    const size_t count = std::min<size_t>(8, bytes.size() - at);
    std::memcpy(&word, bytes.data() + at, count);
    mix(i, word);
    at += count;
  }
  const auto finish = [&](uint64_t seed) {
    uint64_t h = seed ^ bytes.size();
    for (const uint64_t l : lane) {
      h = (h ^ l) * prime[2];
      h ^= h >> 29;
      h = std::rotl(h * prime[3], 27) + seed;
    }
    return h ^ (h >> 32);
  };
  return {finish(prime[0]), finish(prime[3])};
}

namespace {

// The bytes after the result are all zeros.
std::span<const std::byte> without_zeros_at_end(std::span<const std::byte> bytes) {
  size_t size = bytes.size();
  for (uint64_t word = 0; size >= 8; size -= 8) {
    std::memcpy(&word, bytes.data() + size - 8, 8);
    if (word != 0) break;
  }
  while (size > 0 && bytes[size - 1] == std::byte{0}) --size;
  return bytes.first(size);
}

}  // namespace

Content content_of(std::span<const std::byte> memory) {
  const auto bytes = without_zeros_at_end(memory);
  return {bytes, name_of(bytes)};
}

std::string to_text(const ContentName& name) { return fmt::format("{:016x}{:016x}", name.high, name.low); }

std::string hex_of(std::span<const std::byte> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::byte b : bytes) {
    text += digits[static_cast<size_t>(b) >> 4];
    text += digits[static_cast<size_t>(b) & 15];
  }
  return text;
}

std::optional<std::vector<std::byte>> bytes_of_hex(std::string_view text) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  if (text.size() % 2 != 0) return std::nullopt;
  std::vector<std::byte> bytes;
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = digit(text[i]), low = digit(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<std::byte>(high * 16 + low));
  }
  return bytes;
}

}  // namespace warplens::recording
