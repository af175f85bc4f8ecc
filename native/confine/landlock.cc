#include "confine/landlock.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>

#include "confine/landlock_calls.h"
#include "confine/step.h"
#include "os/sys.h"

namespace quiesce {

namespace {

constexpr const char* kStep = "landlock";

constexpr std::array kDevices = {"/dev/null",    "/dev/zero", "/dev/full", "/dev/random",
                                 "/dev/urandom", "/dev/tty",  "/dev/ptmx"};

class Rules {
 public:
  static Result<Rules> Create(int abi) {
    sys::LandlockRuleset ruleset;
    // Every right that changes something. REFER must be among them: where it is not, moving a file to another folder is
    // refused everywhere.
    ruleset.handled_files = sys::kLandlockWriteFile | sys::kLandlockRemoveAndMake |
                            (abi >= 2 ? sys::kLandlockRefer : 0) | (abi >= 3 ? sys::kLandlockTruncate : 0) |
                            (abi >= 5 ? sys::kLandlockControlDevice : 0);
    if (abi >= 6) ruleset.scoped = sys::kLandlockScopeAbstractSocket | sys::kLandlockScopeSignal;
    UniqueFd fd(sys::LandlockCreate(ruleset));
    if (!fd.valid()) return StepError(kStep);
    return Rules(std::move(fd), ruleset.handled_files);
  }

  // Everything below a folder but making devices; a file may be written to.
  [[nodiscard]] Status AllowTree(int path) const {
    return Allow(path, handled_ & ~sys::kLandlockMakeDevice & ~sys::kLandlockControlDevice);
  }
  [[nodiscard]] Status AllowDevices(int path) const {
    return Allow(path, handled_ & (kFileRights | sys::kLandlockControlDevice));
  }
  [[nodiscard]] Status AllowDeviceTree(int path) const { return Allow(path, handled_ & ~sys::kLandlockMakeDevice); }

  UniqueFd Take() { return std::move(fd_); }

 private:
  static constexpr uint64_t kFileRights = sys::kLandlockWriteFile | sys::kLandlockTruncate;

  Rules(UniqueFd fd, uint64_t handled) : fd_(std::move(fd)), handled_(handled) {}

  [[nodiscard]] Status Allow(int path, uint64_t rights) const {
    struct stat facts {};
    if (fstat(path, &facts) == -1) return StepError(kStep);
    if (!S_ISDIR(facts.st_mode)) rights &= kFileRights | sys::kLandlockControlDevice;
    if (sys::LandlockAllow(fd_.get(), {.allowed = rights, .path = path}) == -1) return StepError(kStep);
    return {};
  }

  UniqueFd fd_;
  uint64_t handled_ = 0;
};

UniqueFd Open(const char* path) { return UniqueFd(sys::OpenAt(AT_FDCWD, path, O_PATH)); }

using Grant = Status (Rules::*)(int) const;

Status AllowExisting(const Rules& rules, Grant grant, const char* path) {
  const UniqueFd place = Open(path);
  if (!place.valid()) return {};  // nothing to allow; whatever comes there later stays refused
  return (rules.*grant)(place.get());
}

Status AllowDevices(const Rules& rules, const LandlockScene& scene) {
  Status status;
  // In namespaces too each by itself: a stream may be such a device of the host, opened outside.
  for (const char* device : kDevices) {
    if (status.ok()) status = AllowExisting(rules, &Rules::AllowDevices, device);
  }
  if (scene.in_namespaces) {
    if (status.ok()) status = AllowExisting(rules, &Rules::AllowDeviceTree, "/dev");
  } else {
    if (status.ok()) status = AllowExisting(rules, &Rules::AllowDevices, "/dev/pts");
    if (status.ok()) status = AllowExisting(rules, &Rules::AllowTree, "/dev/shm");
  }
  if (status.ok() && scene.outer_terminals >= 0) status = rules.AllowDevices(scene.outer_terminals);
  return status;
}

Status AllowRoots(const Rules& rules, const ConfinePolicy& policy) {
  for (const std::string& root : policy.writable_roots) {
    const UniqueFd place = Open(root.c_str());
    if (!place.valid()) return StepError(kStep, root);
    if (Status allowed = rules.AllowTree(place.get()); !allowed.ok()) return allowed;
  }
  return {};
}

}  // namespace

int LandlockAbi() { return std::max(0, sys::LandlockVersion()); }

Result<UniqueFd> MakeRuleset(const ConfinePolicy& policy, const LandlockScene& scene) {
  if (scene.in_namespaces && scene.abi < 2) return UniqueFd();
  auto rules = Rules::Create(scene.abi);
  if (!rules.ok()) return rules.error();
  Status status = AllowRoots(rules.value(), policy);
  if (status.ok()) status = AllowDevices(rules.value(), scene);
  // A process's own files. Without namespaces nothing covers the kernel's settings, which root could change.
  if (status.ok() && (scene.in_namespaces || geteuid() != 0)) {
    status = AllowExisting(rules.value(), &Rules::AllowTree, "/proc");
  }
  if (status.ok() && policy.private_tmp) status = AllowExisting(rules.value(), &Rules::AllowTree, "/tmp");
  if (!status.ok()) return status.error();
  return rules.value().Take();
}

Status RestrictSelf(const UniqueFd& ruleset) {
  if (sys::LandlockRestrictSelf(ruleset.get()) == -1) return StepError(kStep);
  return {};
}

}  // namespace quiesce
