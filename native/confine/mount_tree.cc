#include "confine/mount_tree.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <optional>

#include "confine/device_folder.h"
#include "confine/hidden_paths.h"
#include "confine/mounts.h"
#include "confine/proc_masks.h"
#include "confine/step.h"
#include "confine/writable_mounts.h"
#include "os/sys.h"

namespace quiesce {

namespace {

constexpr const char* kReadOnly = "read-only";

// Where /proc came into this namespace read-only it is locked so, and stays so.
Status MakeProcWritable() {
  Status set = SetMounted("proc", "/proc", Depth::kOneMount, {.clear = sys::kMountReadOnly});
  if (!set.ok() && set.error().number == EPERM) return {};
  return set;
}

// No device works anywhere but in the new /dev, whoever made it.
Status MakeReadOnly(bool root_is_writable) {
  if (!root_is_writable) {
    return SetMounted(kReadOnly, "/", Depth::kWholeTree, {.set = sys::kMountReadOnly | sys::kMountNoDevices});
  }
  Status set = SetMounted(kReadOnly, "/", Depth::kWholeTree, {.set = sys::kMountNoDevices});
  return set.ok() ? ProtectControlFileSystems() : set;
}

}  // namespace

Result<MountTree> BuildMountTree(const ConfinePolicy& policy) {
  const auto& roots = policy.writable_roots;
  const bool root_is_writable = roots.size() == 1 && roots.front() == "/";
  // Before any mount, so that none gets out of here; and nothing that the host mounts later gets in, writable.
  Status status = SetMounted("private-mounts", "/", Depth::kWholeTree, {.propagation = MS_PRIVATE});
  if (!status.ok()) return status.error();
  auto writable = WritableMounts::Collect(root_is_writable ? std::vector<std::string>{} : roots);
  if (!writable.ok()) return writable.error();
  std::optional<ProcMasks> masks;
  // For anyone but root the owner of those files is protection enough.
  if (geteuid() == 0) {
    auto collected = ProcMasks::Collect();
    if (!collected.ok()) return collected.error();
    masks = std::move(collected.value());
  }
  auto devices = DeviceFolder::Collect();
  if (!devices.ok()) return devices.error();
  MountTree tree{UniqueFd(sys::OpenAt(AT_FDCWD, "/dev/pts", O_PATH | O_DIRECTORY))};

  status = MakeReadOnly(root_is_writable);
  if (status.ok()) status = MakeProcWritable();
  if (status.ok() && masks.has_value()) status = masks->Attach();
  if (status.ok()) status = devices.value().Build();
  if (status.ok() && policy.private_tmp) {
    status = MountFresh("private-tmp", "tmpfs", "/tmp", MS_NOSUID | MS_NODEV, "mode=1777");
  }
  if (status.ok()) status = writable.value().Attach();
  if (status.ok()) status = HidePaths(policy.hidden_paths, roots);
  if (!status.ok()) return status.error();
  return tree;
}

}  // namespace quiesce
