#pragma once

#include <cstdlib>
#include <string>

namespace warplens {

// Sets an environment variable until the end of a scope; null removes it.
class ScopedEnvironment {
 public:
  ScopedEnvironment(const char* name, const char* value) : m_name(name) {
    if (const char* old = std::getenv(name)) m_old = old, m_had = true;
    set(value);
  }
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;
  ~ScopedEnvironment() { set(m_had ? m_old.c_str() : nullptr); }

 private:
  void set(const char* value) {
    if (value != nullptr)
      setenv(m_name, value, 1);
    else
      unsetenv(m_name);
  }

  const char* m_name;
  std::string m_old;
  bool m_had = false;
};

}  // namespace warplens
