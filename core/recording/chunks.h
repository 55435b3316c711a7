// The file of a recording (docs/recording.md): a sequence of chunks, each with its kind and its length. So a
// truncated file is readable up to its last whole chunk, and programs skip chunks that they do not know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::recording {

constexpr std::string_view magic = "WarpLens recording 1\n";

// Four letters in the file: HEAD, JRNL, PTXM, DATA, LNCH.
enum class ChunkKind : uint32_t {
  head = 0x44414548,     // how the program was started and ended
  journal = 0x4c4e524a,  // of one process, as it wrote it
  module = 0x4d585450,   // a PTX text
  data = 0x41544144,     // bytes of memory
  launch = 0x48434e4c,   // a launch that can be run again
};

struct Chunk {
  ChunkKind kind = ChunkKind::head;
  std::string_view head;            // JSON
  std::span<const std::byte> body;  // raw
  size_t end = 0;                   // where the next one begins
};

constexpr uint64_t chunk_header_bytes = 16;
constexpr uint32_t largest_head = uint32_t{64} << 20;

// kind u32, bytes of the head u32, bytes of the body u64, all little-endian.
void write_chunk_header(ChunkKind kind, size_t head_bytes, uint64_t body_bytes,
                        std::byte (&out)[chunk_header_bytes]);
// The chunk at `at`; empty if there is no whole one.
std::optional<Chunk> chunk_at(std::span<const std::byte> file, size_t at);

// A name for contents: equal bytes have the same name. 128 bits, not safe against deliberate collisions.
struct ContentName {
  uint64_t low = 0, high = 0;
  auto operator<=>(const ContentName&) const = default;
};
ContentName name_of(std::span<const std::byte> bytes);
std::string to_text(const ContentName& name);
// Memory as it is stored: without the zeros at its end.
struct Content {
  std::span<const std::byte> bytes;
  ContentName name;
};
Content content_of(std::span<const std::byte> memory);

std::string hex_of(std::span<const std::byte> bytes);
// Empty if the text is not valid hexadecimal.
std::optional<std::vector<std::byte>> bytes_of_hex(std::string_view text);

}  // namespace warplens::recording
