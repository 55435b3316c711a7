// Device memory while a library's work runs (cuda/stand_in/driver/library_call.h), as vectors and matrices of
// a BLAS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "cuda/stand_in/driver/library_call.h"

namespace warplens::libraries {

// Elements `step` apart, first to last; the first is at `begin` even if the step is negative.
template <class T>
struct Strided {
  T* begin = nullptr;
  int64_t step = 1;
  T& operator[](int64_t i) const { return begin[i * step]; }
  explicit operator bool() const { return begin != nullptr; }
};

// Columns `ld` elements apart.
template <class T>
struct Columns {
  T* begin = nullptr;
  int64_t ld = 1;
  T& operator()(int64_t row, int64_t column) const { return begin[column * ld + row]; }
  explicit operator bool() const { return begin != nullptr; }
};

// All return null if the memory is not allocated; then the work ends, and the driver has reported why.
class Memory {
 public:
  explicit Memory(const warplens_memory& memory) : m_memory(memory) {}

  template <class T>
  T* array(const void* address, int64_t count, warplens_use use) const {
    return matrix<T>(address, count, 1, count, use).begin;
  }
  // As BLAS has it: with a negative step the vector begins at its last element in memory.
  template <class T>
  Strided<T> vector(const void* address, int64_t count, int64_t step, warplens_use use) const {
    if (step == 1) return {array<T>(address, count, use), 1};
    T* first = matrix<T>(address, 1, count, std::llabs(step), use).begin;
    return {first == nullptr || step > 0 || count == 0 ? first : first - (count - 1) * step, step};
  }
  template <class T>
  Columns<T> matrix(const void* address, int64_t rows, int64_t columns, int64_t ld, warplens_use use) const {
    void* found =
        m_memory.at(m_memory.self, reinterpret_cast<uintptr_t>(address), static_cast<size_t>(ld) * sizeof(T),
                    static_cast<size_t>(rows) * sizeof(T), static_cast<size_t>(columns), use);
    return {static_cast<T*>(found), ld};
  }
  // Work that returns false with a sentence: why it ends, where memory was there.
  bool refuse(const std::string& sentence) const {
    m_memory.say(m_memory.self, sentence.c_str());
    return false;
  }

 private:
  const warplens_memory& m_memory;
};

}  // namespace warplens::libraries
