#pragma once
namespace std {
using ::printf, ::size_t;
}
