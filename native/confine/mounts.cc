#include "confine/mounts.h"

#include <sys/mount.h>

#include "confine/step.h"

namespace quiesce {

Result<UniqueFd> CopyTree(const char* step, const std::string& path, Depth depth) {
  UniqueFd tree(sys::OpenTreeCopy(path.c_str(), depth == Depth::kWholeTree ? sys::kRecursive : 0));
  if (!tree.valid()) return StepError(step, path);
  return tree;
}

Status SetTree(const char* step, const UniqueFd& tree, const sys::MountAttributes& attributes) {
  if (sys::SetMountAttributes(tree.get(), "", sys::kEmptyPath | sys::kRecursive, attributes) == -1) {
    return StepError(step);
  }
  return {};
}

Status SetMounted(const char* step, const std::string& path, Depth depth, const sys::MountAttributes& attributes) {
  const unsigned flags = depth == Depth::kWholeTree ? sys::kRecursive : 0;
  if (sys::SetMountAttributes(AT_FDCWD, path.c_str(), flags, attributes) == -1) return StepError(step, path);
  return {};
}

Status AttachTree(const char* step, UniqueFd tree, const std::string& path) {
  if (sys::MoveTree(tree.get(), path.c_str()) == -1) return StepError(step, path);
  return {};
}

Status MountFresh(const char* step, const char* type, const std::string& path, unsigned flags, const char* options) {
  if (mount(type, path.c_str(), type, flags, options) == -1) return StepError(step, path);
  return {};
}

}  // namespace quiesce
