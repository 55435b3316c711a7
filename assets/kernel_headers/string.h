#pragma once
namespace std {
using ::memcpy, ::memset, ::size_t;
}
