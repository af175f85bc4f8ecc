#include "launcher/delegated_scope.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "os/file.h"
#include "os/sys.h"
#include "range/cgroup_mount.h"

namespace quiesce {

namespace {

constexpr mode_t kFolderMode = 0755;

}  // namespace

Result<DelegatedScope> EnterScope(const std::string& unit) {
  auto own = FindOwnCgroup();
  if (!own.ok()) return own.error();
  const std::string& path = own.value();
  if (!path.ends_with("/" + unit)) return SysError{ENOENT, "scope", path};
  UniqueFd folder(sys::OpenAt(AT_FDCWD, path.c_str(), O_RDONLY | O_DIRECTORY));
  if (!folder.valid()) return SysError{errno, "open", path};
  if (mkdirat(folder.get(), "launcher", kFolderMode) == -1) return SysError{errno, "mkdir", path + "/launcher"};
  if (Status moved = WriteFileAt(folder.get(), "launcher/cgroup.procs", "0"); !moved.ok()) return moved.error();
  auto run = CgroupFolder::Create(folder.get(), "run");
  if (!run.ok()) return run.error();
  return DelegatedScope{std::move(folder), std::move(run.value())};
}

}  // namespace quiesce
