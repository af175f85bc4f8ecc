#include "confine/hidden_paths.h"

#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>

#include "confine/mounts.h"
#include "confine/step.h"
#include "confine/writable_roots.h"
#include "os/sys.h"

namespace quiesce {

namespace {

constexpr const char* kStep = "hide";

// Where the empty folder and the empty file are while they are copied: a file system that nothing else sees, mounted
// for that time over a folder that is always there.
constexpr const char* kPlace = "/dev/shm";
constexpr const char* kFolder = "/dev/shm/folder";
constexpr const char* kFile = "/dev/shm/file";

struct Target {
  std::string path;
  bool is_folder = false;
};

bool IsOutOfReach(int error) { return error == ENOENT || error == ENOTDIR || error == EACCES; }

Result<std::vector<Target>> FindTargets(const std::vector<std::string>& paths, const std::vector<std::string>& roots) {
  std::vector<Target> targets;
  for (const std::string& path : paths) {
    const std::unique_ptr<char, decltype(&free)> real(realpath(path.c_str(), nullptr), &free);
    struct stat facts {};
    if (!real || stat(real.get(), &facts) == -1) {
      if (IsOutOfReach(errno)) continue;
      return StepError(kStep, path);
    }
    Target target{real.get(), S_ISDIR(facts.st_mode)};
    const bool covers_root =
        std::any_of(roots.begin(), roots.end(), [&](const std::string& root) { return IsWithin(root, target.path); });
    if (covers_root || target.path == "/") return SysError{EINVAL, kStep, path};
    targets.push_back(std::move(target));
  }
  return targets;
}

Status MakeCovers() {
  Status status = MountFresh(kStep, "tmpfs", kPlace, MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=755,size=4k");
  if (!status.ok()) return status;
  if (mkdir(kFolder, 0555) == -1) return StepError(kStep, kFolder);
  const UniqueFd file(sys::OpenAt(AT_FDCWD, kFile, O_CREAT | O_WRONLY, 0444));
  if (!file.valid()) return StepError(kStep, kFile);
  return {};
}

// compat(kernel < 6.15): a copy that is mounted nowhere cannot be copied again, so one is made for each target here.
Result<std::vector<UniqueFd>> CopyCovers(const std::vector<Target>& targets) {
  std::vector<UniqueFd> covers;
  for (const Target& target : targets) {
    auto cover = CopyTree(kStep, target.is_folder ? kFolder : kFile, Depth::kOneMount);
    if (!cover.ok()) return cover.error();
    const Status set = SetTree(kStep, cover.value(), {.set = sys::kMountReadOnly});
    if (!set.ok()) return set.error();
    covers.push_back(std::move(cover.value()));
  }
  return covers;
}

}  // namespace

Status HidePaths(const std::vector<std::string>& paths, const std::vector<std::string>& roots) {
  auto targets = FindTargets(paths, roots);
  if (!targets.ok()) return targets.error();
  if (targets.value().empty()) return {};
  if (Status made = MakeCovers(); !made.ok()) return made;
  auto covers = CopyCovers(targets.value());
  if (!covers.ok()) return covers.error();
  if (umount2(kPlace, MNT_DETACH) == -1) return StepError(kStep, kPlace);
  for (size_t i = 0; i < covers.value().size(); ++i) {
    Status attached = AttachTree(kStep, std::move(covers.value()[i]), targets.value()[i].path);
    if (!attached.ok()) return attached;
  }
  return {};
}

}  // namespace quiesce
