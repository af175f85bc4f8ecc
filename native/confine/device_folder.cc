#include "confine/device_folder.h"

#include <sys/mount.h>
#include <sys/stat.h>

#include <array>

#include "confine/mounts.h"
#include "confine/step.h"
#include "os/sys.h"

namespace quiesce {

namespace {

constexpr const char* kStep = "dev";
constexpr std::array kDevices = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"};

struct Link {
  const char* target;
  const char* path;
};
constexpr std::array<Link, 5> kLinks = {Link{"pts/ptmx", "/dev/ptmx"}, Link{"/proc/self/fd", "/dev/fd"},
                                        Link{"/proc/self/fd/0", "/dev/stdin"}, Link{"/proc/self/fd/1", "/dev/stdout"},
                                        Link{"/proc/self/fd/2", "/dev/stderr"}};

// The owner of a mount point does not matter, and neither does its mode: both are hidden by what is mounted on it.
Status MakeFile(const std::string& path) {
  const UniqueFd file(sys::OpenAt(AT_FDCWD, path.c_str(), O_CREAT | O_WRONLY, 0600));
  if (!file.valid()) return StepError(kStep, path);
  return {};
}

Status MountFolder(const char* type, const char* path, unsigned flags, const char* options) {
  if (mkdir(path, 0700) == -1) return StepError(kStep, path);
  return MountFresh(kStep, type, path, flags, options);
}

Status MakeLinks() {
  for (const Link& link : kLinks) {
    if (symlink(link.target, link.path) == -1) return StepError(kStep, link.path);
  }
  return {};
}

}  // namespace

Result<DeviceFolder> DeviceFolder::Collect() {
  DeviceFolder folder;
  for (const char* path : kDevices) {
    auto tree = CopyTree(kStep, path, Depth::kOneMount);
    if (!tree.ok() && tree.error().number == ENOENT) continue;
    if (!tree.ok()) return tree.error();
    const Status set = SetTree(kStep, tree.value(), {.set = sys::kMountReadOnly});
    if (!set.ok()) return set.error();
    folder.devices_.push_back({path, std::move(tree.value())});
  }
  return folder;
}

Status DeviceFolder::Build() {
  Status status = MountFresh(kStep, "tmpfs", "/dev", MS_NOSUID | MS_NOEXEC, "mode=755,size=64k");
  for (Device& device : devices_) {
    if (status.ok()) status = MakeFile(device.path);
    if (status.ok()) status = AttachTree(kStep, std::move(device.tree), device.path);
  }
  // Without gid=5, which an ordinary user has no map for; nothing that asks for a terminal nowadays needs that.
  if (status.ok()) {
    status = MountFolder("devpts", "/dev/pts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620");
  }
  if (status.ok()) status = MountFolder("tmpfs", "/dev/shm", MS_NOSUID | MS_NODEV, "mode=1777");
  if (status.ok()) status = MakeLinks();
  if (status.ok()) status = SetMounted(kStep, "/dev", Depth::kOneMount, {.set = sys::kMountReadOnly});
  return status;
}

}  // namespace quiesce
