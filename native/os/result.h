// Errors as values: the core throws nothing and logs nothing.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace quiesce {

// A system call that failed. `path` is empty when the call was not about a file.
struct SysError {
  int number = 0;
  const char* syscall = "";
  std::string path;
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(SysError error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return !error_.has_value(); }
  [[nodiscard]] const SysError& error() const { return *error_; }

 private:
  std::optional<SysError> error_;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}         // NOLINT(google-explicit-constructor)
  Result(SysError error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  [[nodiscard]] T& value() { return std::get<0>(state_); }
  [[nodiscard]] const SysError& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, SysError> state_;
};

}  // namespace quiesce
