#include "confine/confine.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <string_view>

#include "confine/capabilities.h"
#include "confine/landlock.h"
#include "confine/loopback.h"
#include "confine/mount_tree.h"
#include "confine/namespaces.h"
#include "confine/null_streams.h"
#include "confine/step.h"

namespace quiesce {

namespace {

constexpr const char* kWorkingFolder = "working-folder";

bool IsUnavailable(const SysError& error) {
  if (std::string_view(error.syscall) != kNamespacesStep) return false;
  switch (error.number) {
    case EPERM:   // a filter, a chroot, a setting of the host
    case EACCES:  // AppArmor
    case ENOSYS:
    case EINVAL:  // a kernel without
    case ENOSPC:  // a limit, perhaps of 0
    case EUSERS:
      return true;
    default:
      return false;
  }
}

// Secrets of the host may be in the session keyring that this process has inherited.
Status LeaveSessionKeyring() {
  constexpr int kJoinSessionKeyring = 1;
  if (syscall(SYS_keyctl, kJoinSessionKeyring, nullptr) != -1) return {};
  // Whatever refuses the call, no kernel support or a filter, refuses it to the command too.
  if (errno == ENOSYS || errno == EPERM || errno == EACCES) return {};
  return StepError("keyring");
}

// Decides by what is possible here. True in namespaces.
Result<bool> TryNamespaces(const ConfinePolicy& policy, int landlock_abi) {
  const char* needed = policy.NeedsNamespaces();
  if (policy.landlock_only) {
    if (needed != nullptr) return SysError{EOPNOTSUPP, needed, {}};
    if (landlock_abi == 0) return SysError{ENOSYS, "landlock", {}};
    return false;
  }
  Status entered = EnterNamespaces(policy.no_network);
  if (entered.ok()) return true;
  if (needed != nullptr || landlock_abi == 0 || !IsUnavailable(entered.error())) return entered.error();
  return false;
}

Status DropCapabilities(uint64_t held, bool in_namespaces, Enforcement* enforcement) {
  // Nothing but root's programs take capabilities from the bounding set.
  if (geteuid() != 0) return ClearAmbientCapabilities();
  Status limited = LimitCapabilities(kKeptCapabilities & held);
  if (limited.ok() || in_namespaces || limited.error().number != EPERM) return limited;
  // A root without SETPCAP is one of a container, which has taken away what is dangerous already.
  enforcement->not_governed.push_back("capabilities");
  return ClearAmbientCapabilities();
}

Result<UniqueFd> PrepareInside(const ConfinePolicy& policy, bool in_namespaces, int landlock_abi) {
  LandlockScene scene{.abi = landlock_abi, .in_namespaces = in_namespaces};
  if (!in_namespaces) return MakeRuleset(policy, scene);
  auto tree = BuildMountTree(policy);
  if (!tree.ok()) return tree.error();
  if (policy.no_network) {
    if (Status up = BringLoopbackUp(); !up.ok()) return up.error();
  }
  scene.outer_terminals = tree.value().outer_terminals.get();
  return MakeRuleset(policy, scene);
}

}  // namespace

Enforcement EnforcementOf(bool in_namespaces, int landlock_abi) {
  std::vector<const char*> open;
  if (!in_namespaces) open = {"file metadata", "Unix sockets by path"};
  if (!in_namespaces && landlock_abi < 3) open.push_back("truncation");
  if (!in_namespaces && landlock_abi < 5) open.push_back("control of devices");
  if (in_namespaces && landlock_abi < 2) open.push_back("tracing of outside processes");
  if (landlock_abi < 6) open.insert(open.end(), {"signals to outside processes", "abstract Unix sockets"});
  return {in_namespaces, std::move(open)};
}

Result<Enforcement> ConfineSelf(const ConfinePolicy& policy) {
  char working_folder[PATH_MAX];
  if (getcwd(working_folder, sizeof working_folder) == nullptr) return StepError(kWorkingFolder);
  auto held = EffectiveCapabilities();
  if (!held.ok()) return held.error();
  const int landlock_abi = LandlockAbi();
  auto entered = TryNamespaces(policy, landlock_abi);
  if (!entered.ok()) return entered.error();
  const bool in_namespaces = entered.value();
  Enforcement enforcement = EnforcementOf(in_namespaces, landlock_abi);

  auto ruleset = PrepareInside(policy, in_namespaces, landlock_abi);
  if (!ruleset.ok()) return ruleset.error();
  // It was found before the mounts changed: entered again, it is what lies at its path now.
  if (chdir(working_folder) == -1) return StepError(kWorkingFolder, working_folder);
  if (in_namespaces) {
    if (Status reopened = ReopenNullStreams(); !reopened.ok()) return reopened.error();
  }
  if (Status left = LeaveSessionKeyring(); !left.ok()) return left.error();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1) return StepError("no-new-privs");
  if (ruleset.value().valid()) {
    if (Status restricted = RestrictSelf(ruleset.value()); !restricted.ok()) return restricted.error();
  }
  if (Status dropped = DropCapabilities(held.value(), in_namespaces, &enforcement); !dropped.ok()) {
    return dropped.error();
  }
  return enforcement;
}

}  // namespace quiesce
