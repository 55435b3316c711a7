// Whether this build has a sanitizer that makes it slow and large.
#pragma once

namespace warplens {

#ifdef WARPLENS_SANITIZED
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

}  // namespace warplens
