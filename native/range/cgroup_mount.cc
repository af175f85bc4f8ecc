#include "range/cgroup_mount.h"

#include <fcntl.h>

#include <cerrno>
#include <optional>
#include <vector>

#include "os/file.h"

namespace quiesce {

namespace {

constexpr std::string_view kUnifiedEntry = "0::";

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

bool IsOctal(std::string_view text) { return text.find_first_not_of("01234567") == std::string_view::npos; }

// mountinfo writes space, tab, newline and backslash as three octal digits.
std::string Unescape(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && IsOctal(text.substr(i + 1, 3))) {
      plain.push_back(static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0')));
      i += 3;
    } else {
      plain.push_back(text[i]);
    }
  }
  return plain;
}

struct Mount {
  std::string root;
  std::string point;
};

std::optional<Mount> FindUnifiedMount(std::string_view mounts) {
  for (const std::string_view line : Split(mounts, '\n')) {
    const size_t dash = line.find(" - ");
    if (dash == std::string_view::npos || !line.substr(dash + 3).starts_with("cgroup2 ")) continue;
    const auto fields = Split(line, ' ');
    if (fields.size() > 4) return Mount{Unescape(fields[3]), Unescape(fields[4])};
  }
  return std::nullopt;
}

std::optional<std::string> FindMembership(std::string_view memberships) {
  for (const std::string_view line : Split(memberships, '\n')) {
    if (line.starts_with(kUnifiedEntry)) return std::string(line.substr(kUnifiedEntry.size()));
  }
  return std::nullopt;
}

}  // namespace

Result<std::string> LocateCgroup(std::string_view memberships, std::string_view mounts) {
  const auto own = FindMembership(memberships);
  if (!own.has_value()) return SysError{ENOENT, "cgroup", "/proc/self/cgroup"};
  const auto mount = FindUnifiedMount(mounts);
  if (!mount.has_value()) return SysError{ENOENT, "mount", "cgroup2"};
  const std::string root = mount->root == "/" ? "" : mount->root;
  const bool inside = own->starts_with(root) && (own->size() == root.size() || (*own)[root.size()] == '/');
  const bool above = *own == "/.." || own->starts_with("/../");
  if (!inside || above) return SysError{EXDEV, "mount", *own};
  const std::string below = own->substr(root.size());
  return below == "/" ? mount->point : mount->point + below;
}

Result<std::string> FindOwnCgroup() {
  auto memberships = ReadFileAt(AT_FDCWD, "/proc/self/cgroup");
  if (!memberships.ok()) return memberships.error();
  auto mounts = ReadFileAt(AT_FDCWD, "/proc/self/mountinfo");
  if (!mounts.ok()) return mounts.error();
  return LocateCgroup(memberships.value(), mounts.value());
}

}  // namespace quiesce
