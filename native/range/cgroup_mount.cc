#include "range/cgroup_mount.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "os/file.h"
#include "os/mount_info.h"

namespace quiesce {

namespace {

constexpr std::string_view kUnifiedEntry = "0::";

std::optional<MountInfo> FindUnifiedMount(std::string_view mounts) {
  for (MountInfo& mount : ParseMountInfo(mounts)) {
    if (mount.type == "cgroup2") return std::move(mount);
  }
  return std::nullopt;
}

std::optional<std::string> FindMembership(std::string_view memberships) {
  while (!memberships.empty()) {
    const std::string_view line = memberships.substr(0, memberships.find('\n'));
    if (line.starts_with(kUnifiedEntry)) return std::string(line.substr(kUnifiedEntry.size()));
    memberships.remove_prefix(std::min(line.size() + 1, memberships.size()));
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
