// Requests and results on their way to the GPU's process and back: no member is lost, and no bytes do harm.
#include "cuda/device/backend/wire.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/launch/fields.h"

namespace warplens::cuda {
namespace THIS_FILE {

template <class T>
void fill(T& value, uint64_t& next, int depth);

// Gives a member a value of its own.
struct Filler {
  uint64_t& next;
  int depth;

  template <class T>
  void operator()(T& value) const {
    fill(value, next, depth);
  }
  template <class T>
  void operator()(std::optional<T>& value) const {
    fill(value.emplace(), next, depth);
  }
  template <class T>
  void operator()(std::vector<T>& value) const {
    value.resize(2);
    for (T& element : value) (*this)(element);
  }
  template <class T, size_t n>
  void operator()(std::array<T, n>& value) const {
    for (T& element : value) (*this)(element);
  }
  template <class T>
  void operator()(std::shared_ptr<const T>& value) const {
    if (depth == 2) return;  // an incident's other side has one of its own
    T behind;
    Filler{next, depth + 1}(behind);
    value = std::make_shared<const T>(std::move(behind));
  }
  template <class... T>
  void operator()(std::variant<T...>& value) const {
    const size_t chosen = next++ % sizeof...(T);
    size_t index = 0;
    ((index++ == chosen ? (*this)(value.template emplace<T>()) : void()), ...);
  }
};

template <class T>
void fill(T& value, uint64_t& next, int depth) {
  if constexpr (std::is_same_v<T, bool>)
    value = !value;
  else if constexpr (std::is_enum_v<T>)
    value = static_cast<T>(is_enumerator(static_cast<T>(1)) ? 1 : 0);
  else if constexpr (std::is_same_v<T, std::byte>)
    value = static_cast<std::byte>(next++);
  else if constexpr (std::is_arithmetic_v<T>)
    value = static_cast<T>(next++ % 200 + 1);
  else if constexpr (std::is_same_v<T, std::string>)
    value = "text " + std::to_string(next++);
  else
    each_field(value, [&](std::string_view, auto& member) { Filler{next, depth}(member); });
}

LaunchRequest filled_request() {
  LaunchRequest request;
  uint64_t next = 1;
  each_group(request, [&](auto& group) { fill(group, next, 0); });
  for (int i = 0; i < 5; ++i) Filler{next, 0}(request.steps.emplace_back());
  return request;
}

RunResult filled_result() {
  RunResult result;
  uint64_t next = 1;
  each_group(result, [&](auto& group) { fill(group, next, 0); });
  return result;
}

TEST(Wire, ARequestComesBackWhole) {
  const LaunchRequest request = filled_request();
  const std::string bytes = encode(request);
  const Result<LaunchRequest> back = decode_request(bytes);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(encode(*back), bytes);
  EXPECT_EQ(back->kernel, request.kernel);
  ASSERT_TRUE(back->module);
  EXPECT_EQ(back->module->source, request.module->source);
  EXPECT_EQ(back->device.limits.max_grid, request.device.limits.max_grid);
  EXPECT_EQ(back->buffers.at(1).channels, request.buffers.at(1).channels);
  EXPECT_EQ(*back->buffers.at(0).initial, *request.buffers.at(0).initial);
  EXPECT_EQ(back->seed, request.seed);
  EXPECT_EQ(back->contract, request.contract);
  EXPECT_EQ(back->repeat, request.repeat);
}

TEST(Wire, AResultComesBackWithAllThatADeviceFills) {
  const std::string bytes = encode(Result<RunResult>(filled_result()));
  const Result<RunResult> back = decode_result(bytes);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(encode(Result<RunResult>(*back)), bytes);
  EXPECT_FALSE(back->shape.shared_opt_in);  // was once lost
  ASSERT_TRUE(back->faults.at(0).other);
  EXPECT_EQ(back->faults.at(0).other->inlined_at.size(), 2u);
}

TEST(Wire, ErrorsComeBack) {
  const Result<RunResult> back = decode_result(encode(Result<RunResult>(missing("no driver"))));
  ASSERT_FALSE(back);
  EXPECT_EQ(back.error().kind, ErrorKind::missing);
  EXPECT_EQ(back.error().message, "no driver");
}

TEST(Wire, HalfAMessageIsRefused) {
  const std::string request = encode(filled_request()), result = encode(Result<RunResult>(filled_result()));
  for (size_t size = 0; size < request.size(); ++size)
    EXPECT_FALSE(decode_request(std::string_view(request).substr(0, size))) << size;
  for (size_t size = 0; size < result.size(); ++size)
    EXPECT_FALSE(decode_result(std::string_view(result).substr(0, size))) << size;
  EXPECT_FALSE(decode_request(request + "x"));
}

// Any input is refused, or is a value that can be written again.
TEST(Wire, WrongBytesDoNoHarm) {
  const std::string request = encode(filled_request()), result = encode(Result<RunResult>(filled_result()));
  std::mt19937_64 random(1);
  size_t refused = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string bytes = i % 2 == 0 ? request : result;
    for (uint64_t k = 0; k <= random() % 3; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    if (i % 2 == 0) {
      const auto back = decode_request(bytes);
      if (back) {
        EXPECT_EQ(encode(*back).size(), bytes.size());
      }
      refused += !back;
    } else {
      const auto back = decode_result(bytes);
      if (back) {
        EXPECT_FALSE(encode(back).empty());
      }
      refused += !back;
    }
  }
  EXPECT_GT(refused, 400u);
}

TEST(Wire, NumbersOfNoEnumeratorAreRefused) {
  LaunchRequest request;
  request.observe = static_cast<Observe>(7);
  EXPECT_FALSE(decode_request(encode(request)));
  RunResult result;
  result.status = static_cast<RunStatus>(99);
  EXPECT_FALSE(decode_result(encode(Result<RunResult>(result))));
  LibraryWork work;
  work.task = static_cast<LibraryTask>(3);
  EXPECT_FALSE(decode_work(encode(work)));
}

}  // namespace THIS_FILE
}  // namespace warplens::cuda
