// The code that programs load: PTX text, and fat binaries, from which the PTX is taken. Machine code is not
// read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warplens::driver {

enum class ImageKind : uint8_t { ptx, fat_binary, fat_wrapper, machine_code, archive, nvvm, unknown };

ImageKind kind_of_image(std::string_view head);

// The PTX of an image. `size` if the caller knows it; PTX text otherwise ends with a zero byte, and fat
// binaries and ELF files say themselves how long they are. Of several texts in a fat binary, the newest that
// `capability` (86) can run. Errors: kind missing where there is only machine code; bad_input where it is
// damaged.
Result<std::string> ptx_of_image(const void* image, std::optional<size_t> size, uint32_t capability);

// The PTX of every fat binary in an object file or an archive of them, as compilers put it there for a
// linker. Those without PTX are left out.
std::vector<std::string> ptx_of_objects(std::string_view bytes, uint32_t capability);

// The message for a binary without PTX.
std::string how_to_rebuild(std::string_view what);

}  // namespace warplens::driver
