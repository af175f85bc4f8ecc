#include "confine/writable_mounts.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "confine/mounts.h"
#include "confine/step.h"
#include "os/file.h"
#include "os/mount_info.h"
#include "os/sys.h"

namespace quiesce {

namespace {

constexpr const char* kStep = "writable-root";

// Without those of /proc, which have their masks, and of /dev, which is replaced.
constexpr std::array<std::string_view, 16> kControlTypes = {
    "sysfs",    "cgroup",   "cgroup2", "securityfs",  "debugfs",   "tracefs", "bpf",     "pstore",
    "efivarfs", "configfs", "fusectl", "binfmt_misc", "selinuxfs", "smackfs", "resctrl", "nfsd"};

Status MakePlace(const std::string& path, bool is_folder) {
  for (size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    // What is there already is as good; what cannot be made is told of by the last call.
    (void)mkdir(path.substr(0, slash).c_str(), 0755);
  }
  if (is_folder) {
    if (mkdir(path.c_str(), 0755) == -1) return StepError(kStep, path);
    return {};
  }
  const UniqueFd file(sys::OpenAt(AT_FDCWD, path.c_str(), O_CREAT | O_WRONLY, 0600));
  if (!file.valid()) return StepError(kStep, path);
  return {};
}

// Under another mount, or in a folder that may not be entered: no path leads to it, and so it needs no protection.
bool IsOutOfReach(int error) { return error == EINVAL || error == ENOENT || error == ENOTDIR || error == EACCES; }

}  // namespace

Result<WritableMounts> WritableMounts::Collect(const std::vector<std::string>& roots) {
  WritableMounts mounts;
  for (const std::string& path : roots) {
    auto tree = CopyTree(kStep, path, Depth::kWholeTree);
    if (!tree.ok()) return tree.error();
    const Status set = SetTree(kStep, tree.value(), {.set = sys::kMountNoDevices});
    if (!set.ok()) return set.error();
    mounts.roots_.push_back({path, std::move(tree.value())});
  }
  return mounts;
}

Status WritableMounts::Attach() {
  for (Root& root : roots_) {
    struct stat facts {};
    if (fstat(root.tree.get(), &facts) == -1) return StepError(kStep, root.path);
    if (access(root.path.c_str(), F_OK) == -1) {
      if (Status made = MakePlace(root.path, S_ISDIR(facts.st_mode)); !made.ok()) return made;
    }
    if (Status attached = AttachTree(kStep, std::move(root.tree), root.path); !attached.ok()) return attached;
  }
  return {};
}

Status ProtectControlFileSystems() {
  auto text = ReadFileAt(AT_FDCWD, "/proc/self/mountinfo");
  if (!text.ok()) return SysError{text.error().number, kStep, text.error().path};
  for (const MountInfo& mount : ParseMountInfo(text.value())) {
    if (std::find(kControlTypes.begin(), kControlTypes.end(), mount.type) == kControlTypes.end()) continue;
    Status set = SetMounted(kStep, mount.point, Depth::kOneMount, {.set = sys::kMountReadOnly});
    if (!set.ok() && !IsOutOfReach(set.error().number)) return set;
  }
  return {};
}

}  // namespace quiesce
