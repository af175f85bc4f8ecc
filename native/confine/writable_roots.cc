#include "confine/writable_roots.h"

#include <stdlib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "confine/step.h"

namespace quiesce {

namespace {

constexpr const char* kStep = "writable-root";

std::optional<std::string> RealPath(const char* path) {
  const std::unique_ptr<char, decltype(&free)> real(realpath(path, nullptr), &free);
  if (!real) return std::nullopt;
  return std::string(real.get());
}

bool IsForbidden(std::string_view path) {
  constexpr std::array<std::string_view, 3> kKernels = {"/dev", "/proc", "/sys"};
  return !IsWithin(path, "/dev/shm") &&
         std::any_of(kKernels.begin(), kKernels.end(), [&](std::string_view folder) { return IsWithin(path, folder); });
}

}  // namespace

bool IsWithin(std::string_view path, std::string_view folder) {
  if (folder == "/") return path.starts_with('/');
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::vector<std::string> OutermostRoots(std::vector<std::string> canonical) {
  std::sort(canonical.begin(), canonical.end(), [](const std::string& one, const std::string& other) {
    return one.size() != other.size() ? one.size() < other.size() : one < other;
  });
  std::vector<std::string> outermost;
  for (std::string& path : canonical) {
    const bool covered = std::any_of(outermost.begin(), outermost.end(),
                                     [&](const std::string& outer) { return IsWithin(path, outer); });
    if (!covered) outermost.push_back(std::move(path));
  }
  return outermost;
}

Result<std::vector<std::string>> CanonicalRoots(const std::vector<std::string>& given, bool private_tmp) {
  const std::optional<std::string> replaced = private_tmp ? RealPath("/tmp") : std::nullopt;
  std::vector<std::string> roots;
  for (const std::string& path : given) {
    std::optional<std::string> real = RealPath(path.c_str());
    if (!real.has_value()) return StepError(kStep, path);
    if (IsForbidden(*real)) return SysError{EINVAL, kStep, path};
    if (real != replaced) roots.push_back(std::move(*real));
  }
  return OutermostRoots(std::move(roots));
}

}  // namespace quiesce
