#pragma once
namespace std {
using ::abs, ::malloc, ::free, ::size_t;
}
