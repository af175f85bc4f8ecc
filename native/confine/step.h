// The steps of confinement are told by name: one that failed puts its name where other code names the system call.
#pragma once

#include <cerrno>
#include <string>
#include <string_view>

#include "os/result.h"

namespace quiesce {

// From errno. `path` is empty when the step was not about one file.
inline SysError StepError(const char* step, std::string_view path = {}) {
  const int number = errno;
  return SysError{number, step, std::string(path)};
}

}  // namespace quiesce
