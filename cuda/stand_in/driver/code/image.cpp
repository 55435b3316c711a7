#include "cuda/stand_in/driver/code/image.h"

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include <array>
#include <cstring>

#include "core/compile/ptx_header.h"

namespace warplens::driver {

namespace {

constexpr uint32_t fat_magic = 0xba55ed50, wrapper_magic = 0x466243b1;
constexpr size_t largest_image = size_t{1} << 30;

// A fat binary is a header and entries, each with a header of its own, little-endian:
//   header   u32 magic, u16 version, u16 bytes of the header, u64 bytes of all entries
//   entry    u16 kind (1: PTX), u16 version, u32 bytes of the header, u64 bytes of the payload as it is
//   stored,
//            u32 bytes of the compressed payload, u32, u16 minor, u16 major, u32 architecture, u32, u32, u64
//            flags, u64, u64 bytes of the payload once it is decompressed
constexpr size_t header_bytes = 16, entry_bytes = 64, wrapper_bytes = 16;
constexpr uint16_t kind_ptx = 1;
constexpr uint64_t flag_lz4 = 0x2000, flag_zstd = 0x8000;

template <class T>
T number_at(std::string_view bytes, size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

struct Entry {
  uint16_t kind = 0;
  uint32_t architecture = 0;
  uint64_t flags = 0, text_bytes = 0;
  std::string_view payload;
};

Error damaged() { return bad_input("The fat binary is damaged: its headers do not fit its size."); }

Result<std::string> text_of(const Entry& entry) {
  if ((entry.flags & (flag_lz4 | flag_zstd)) == 0) return std::string(entry.payload);
  // LZ4 makes at most 255 bytes of one, so what claims more is not believed, and no memory is taken for it.
  const bool lz4 = (entry.flags & flag_zstd) == 0;
  if (entry.text_bytes > largest_image || (lz4 && entry.text_bytes / 255 > entry.payload.size()))
    return damaged();
  if (const auto said = ZSTD_getFrameContentSize(entry.payload.data(), entry.payload.size());
      !lz4 && said != ZSTD_CONTENTSIZE_UNKNOWN && said != entry.text_bytes)
    return damaged();
  std::string text(entry.text_bytes, '\0');
  bool whole = false;
  if (!lz4) {
    const size_t got = ZSTD_decompress(text.data(), text.size(), entry.payload.data(), entry.payload.size());
    whole = ZSTD_isError(got) == 0 && got == text.size();
  } else {
    if (entry.payload.size() > LZ4_MAX_INPUT_SIZE) return damaged();
    const int got =
        LZ4_decompress_safe(entry.payload.data(), text.data(), static_cast<int>(entry.payload.size()),
                            static_cast<int>(text.size()));
    whole = got >= 0 && static_cast<size_t>(got) == text.size();
  }
  if (!whole) return bad_input("The PTX in the fat binary does not decompress: the file is damaged.");
  return text;
}

Result<std::string> ptx_of_fat_binary(std::string_view bytes, uint32_t capability) {
  if (bytes.size() < header_bytes) return damaged();
  const auto begin = number_at<uint16_t>(bytes, 6);
  const auto all = number_at<uint64_t>(bytes, 8);
  if (begin < header_bytes || begin > bytes.size() || all > bytes.size() - begin) return damaged();
  bytes = bytes.substr(begin, all);
  std::optional<Entry> best;
  bool newer = false, any = false;
  while (bytes.size() >= entry_bytes) {
    const auto header = number_at<uint32_t>(bytes, 4);
    const auto payload = number_at<uint64_t>(bytes, 8);
    if (header < entry_bytes || header > bytes.size() || payload > bytes.size() - header) return damaged();
    Entry entry{.kind = number_at<uint16_t>(bytes, 0),
                .architecture = number_at<uint32_t>(bytes, 28),
                .flags = number_at<uint64_t>(bytes, 40),
                .text_bytes = number_at<uint64_t>(bytes, 56),
                .payload = bytes.substr(header, payload)};
    const auto compressed = number_at<uint32_t>(bytes, 16);
    if (compressed != 0 && compressed <= payload) entry.payload = entry.payload.substr(0, compressed);
    bytes.remove_prefix(header + payload);
    any = true;
    if (entry.kind != kind_ptx) continue;
    if (entry.architecture > capability) {
      newer = true;
    } else if (!best || entry.architecture > best->architecture) {
      best = entry;
    }
  }
  if (!best && newer) {
    return missing(
        fmt::format("The PTX in this fat binary is for newer devices than compute capability {}.{}: compile "
                    "for an older one, or "
                    "choose another device (--device).",
                    capability / 10, capability % 10));
  }
  if (!best) return missing(how_to_rebuild(any ? "fat binary" : "empty fat binary"));
  Result<std::string> text = text_of(*best);
  if (!text) return text;
  // Texts end with zeros, which the parser need not see.
  text->resize(std::strlen(text->c_str()));
  return text;
}

}  // namespace

std::string how_to_rebuild(std::string_view what) {
  return fmt::format(
      "This {} has machine code and no PTX, and only PTX can be run here. Build it with PTX inside: nvcc "
      "-gencode "
      "arch=compute_XX,code=compute_XX, or nvcc --ptx, or Program(…).compile(\"ptx\").",
      what);
}

ImageKind kind_of_image(std::string_view head) {
  if (head.size() >= 4) {
    const auto magic = number_at<uint32_t>(head, 0);
    if (magic == fat_magic) return ImageKind::fat_binary;
    if (magic == wrapper_magic) return ImageKind::fat_wrapper;
    if (head.starts_with("\x7f"
                         "ELF"))
      return ImageKind::machine_code;
    if (head.starts_with("BC\xc0\xde") || head.starts_with("\xed\x43\x4e\x7f")) return ImageKind::nvvm;
    if (head.starts_with("!<ar")) return ImageKind::archive;
  }
  const size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return ImageKind::unknown;
  return head[first] == '.' || head[first] == '/' ? ImageKind::ptx : ImageKind::unknown;
}

Result<std::string> ptx_of_image(const void* image, std::optional<size_t> size, uint32_t capability) {
  const char* bytes = static_cast<const char*>(image);
  // The first bytes of a text may be all there is of it. No other kind begins with a zero among its first
  // four.
  const std::string_view head(bytes, size ? std::min<size_t>(*size, 64) : strnlen(bytes, 64));
  switch (kind_of_image(head)) {
    case ImageKind::ptx: {
      const size_t most = size ? *size : largest_image;
      return std::string(bytes, strnlen(bytes, most));
    }
    case ImageKind::fat_binary: {
      if (size && *size < header_bytes) return damaged();
      const auto begin = number_at<uint16_t>({bytes, header_bytes}, 6);
      const auto all = number_at<uint64_t>({bytes, header_bytes}, 8);
      if (all > largest_image) return damaged();
      return ptx_of_fat_binary({bytes, size ? *size : begin + all}, capability);
    }
    case ImageKind::fat_wrapper: {
      if (size && *size < wrapper_bytes) return damaged();
      const void* inner = nullptr;
      std::memcpy(&inner, bytes + 8, sizeof inner);
      if (inner == nullptr) return damaged();
      const ImageKind kind = kind_of_image({static_cast<const char*>(inner), 4});
      if (kind != ImageKind::fat_binary) return damaged();
      return ptx_of_image(inner, std::nullopt, capability);
    }
    case ImageKind::machine_code:
      return missing(how_to_rebuild("cubin"));
    case ImageKind::nvvm:
      return missing(how_to_rebuild("LTO code"));
    case ImageKind::archive:
      return missing(how_to_rebuild("library"));
    case ImageKind::unknown:
      break;
  }
  return bad_input("This is no code that CUDA knows: neither PTX nor a fat binary nor a cubin.");
}

std::vector<std::string> ptx_of_objects(std::string_view bytes, uint32_t capability) {
  constexpr std::string_view mark("\x50\xed\x55\xba", 4);
  std::vector<std::string> texts;
  for (size_t at = bytes.find(mark); at != std::string_view::npos; at = bytes.find(mark, at + mark.size())) {
    const std::string_view rest = bytes.substr(at);
    if (rest.size() < header_bytes) break;
    Result<std::string> text = ptx_of_fat_binary(rest, capability);
    if (text) texts.push_back(std::move(*text));
  }
  return texts;
}

}  // namespace warplens::driver
