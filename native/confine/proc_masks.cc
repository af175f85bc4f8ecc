#include "confine/proc_masks.h"

#include <dirent.h>
#include <sys/stat.h>

#include <memory>

#include "confine/mounts.h"
#include "confine/step.h"

namespace quiesce {

namespace {

constexpr const char* kStep = "proc";

bool IsOfProcessOrLink(const dirent& entry) {
  const char first = entry.d_name[0];
  return first == '.' || (first >= '0' && first <= '9') || entry.d_type == DT_LNK;
}

bool NeedsMask(int folder, const dirent& entry) {
  if (IsOfProcessOrLink(entry)) return false;
  if (entry.d_type == DT_DIR) return true;
  struct stat facts {};
  // What is gone by now needs none.
  if (fstatat(folder, entry.d_name, &facts, AT_SYMLINK_NOFOLLOW) == -1 || S_ISLNK(facts.st_mode)) return false;
  return S_ISDIR(facts.st_mode) || (facts.st_mode & 0222) != 0;
}

}  // namespace

Result<ProcMasks> ProcMasks::Collect() {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc"), closedir);
  if (!folder) return StepError(kStep, "/proc");
  ProcMasks masks;
  while (const dirent* entry = readdir(folder.get())) {
    if (!NeedsMask(dirfd(folder.get()), *entry)) continue;
    std::string path = std::string("/proc/") + entry->d_name;
    auto tree = CopyTree(kStep, path, Depth::kWholeTree);
    if (!tree.ok()) return tree.error();
    const Status set = SetTree(kStep, tree.value(), {.set = sys::kMountReadOnly | sys::kMountNoDevices});
    if (!set.ok()) return set.error();
    masks.masks_.push_back({std::move(path), std::move(tree.value())});
  }
  return masks;
}

Status ProcMasks::Attach() {
  for (Mask& mask : masks_) {
    if (Status attached = AttachTree(kStep, std::move(mask.tree), mask.path); !attached.ok()) return attached;
  }
  return {};
}

}  // namespace quiesce
