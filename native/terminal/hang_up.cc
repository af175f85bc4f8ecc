#include "terminal/hang_up.h"

#include <fcntl.h>

#include <charconv>
#include <csignal>
#include <cstdint>
#include <string>

#include "os/file.h"

namespace quiesce {

bool ParseIgnoresTerm(std::string_view status) {
  constexpr std::string_view kIgnored = "\nSigIgn:\t";  // a mask in hexadecimal: proc(5)
  const size_t at = status.find(kIgnored);
  if (at == std::string_view::npos) return false;
  const std::string_view text = status.substr(at + kIgnored.size());
  uint64_t mask = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mask, 16);
  return error == std::errc{} && (mask >> (SIGTERM - 1) & 1U) != 0;
}

bool IgnoresTerm(pid_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/status";
  auto text = ReadFileAt(AT_FDCWD, path.c_str());
  return text.ok() && ParseIgnoresTerm(text.value());
}

}  // namespace quiesce
