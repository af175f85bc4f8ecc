#include "spawn/child_confinement.h"

#include <fcntl.h>
#include <linux/keyctl.h>
#include <linux/stat.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "spawn/in_child.h"

#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

namespace quiesce {

namespace {

constexpr unsigned kMountIdMask = 0x1000;  // STATX_MNT_ID, kernel 5.8
constexpr long kKeyringPauseNs = 1000000;  // NOLINT(google-runtime-int): the kernel's own type
constexpr int kKeyringAttempts = 100;

QUIESCE_IN_CHILD int Enter(int fd, int kind) {
  if (fd < 0) return 0;
  return syscall(SYS_setns, fd, kind) == -1 ? errno : 0;
}

// The mount tells of a folder that was deleted and made again, the inode of one that was renamed.
QUIESCE_IN_CHILD int CheckRoot(const ConfinedRoot& root) {
  struct statx found;
  if (syscall(SYS_statx, AT_FDCWD, root.path, 0, STATX_INO | kMountIdMask, &found) == -1) return ESTALE;
  return found.stx_ino == root.inode && found.stx_mnt_id == root.mount ? 0 : ESTALE;
}

QUIESCE_IN_CHILD bool IsNullDevice(int fd) {
  struct statx found;
  if (syscall(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_TYPE, &found) == -1) return false;
  // Documentation/admin-guide/devices.txt
  return (found.stx_mode & S_IFMT) == S_IFCHR && found.stx_rdev_major == 1 && found.stx_rdev_minor == 3;
}

// A descriptor keeps the mount that it was opened through: by the host's /dev/null root could change the host's node.
QUIESCE_IN_CHILD int ReopenNullStreams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (!IsNullDevice(fd)) continue;
    const auto flags = static_cast<int>(syscall(SYS_fcntl, fd, F_GETFL));
    const auto fresh = static_cast<int>(syscall(SYS_openat, AT_FDCWD, "/dev/null", (flags & O_ACCMODE) | O_CLOEXEC));
    if (fresh == -1 || syscall(SYS_dup3, fresh, fd, 0) == -1) return errno;
    (void)syscall(SYS_close, fresh);
  }
  return 0;
}

// The host's session keyring may hold secrets. The kernel gives the quota of a keyring back a moment after its last
// process has ended, and an ordinary user has room for 200. Where a seccomp filter refuses the call it refuses the
// command's own as well.
QUIESCE_IN_CHILD int LeaveKeyring() {
  for (int attempt = 1;; ++attempt) {
    if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr) != -1) return 0;
    if (errno == ENOSYS || errno == EPERM) return 0;
    if (errno != EDQUOT || attempt == kKeyringAttempts) return errno;
    const timespec pause{0, kKeyringPauseNs};
    (void)syscall(SYS_nanosleep, &pause, nullptr);
  }
}

QUIESCE_IN_CHILD int NarrowBoundingSet(const ChildConfinement& confinement) {
  for (size_t i = 0; i < confinement.dropped_capability_count; ++i) {
    if (syscall(SYS_prctl, PR_CAPBSET_DROP, confinement.dropped_capabilities[i], 0, 0, 0) == -1) return errno;
  }
  return 0;
}

}  // namespace

QUIESCE_IN_CHILD ConfineFailure EnterConfinement(const ChildConfinement& confinement) {
  // The user namespace first: it gives the right to enter the others.
  if (const int error = Enter(confinement.user_namespace, CLONE_NEWUSER); error != 0) {
    return {ConfineStep::kUserNamespace, error};
  }
  if (const int error = Enter(confinement.network_namespace, CLONE_NEWNET); error != 0) {
    return {ConfineStep::kNetworkNamespace, error};
  }
  if (const int error = Enter(confinement.ipc_namespace, CLONE_NEWIPC); error != 0) {
    return {ConfineStep::kIpcNamespace, error};
  }
  if (const int error = Enter(confinement.mount_namespace, CLONE_NEWNS); error != 0) {
    return {ConfineStep::kMountNamespace, error};
  }
  if (const int error = ReopenNullStreams(); error != 0) return {ConfineStep::kNullStreams, error};
  for (size_t i = 0; i < confinement.root_count; ++i) {
    if (const int error = CheckRoot(confinement.roots[i]); error != 0) return {ConfineStep::kFreshness, error};
  }
  return {};
}

QUIESCE_IN_CHILD ConfineFailure GiveUpRights(const ChildConfinement& confinement) {
  if (const int error = LeaveKeyring(); error != 0) return {ConfineStep::kKeyring, error};
  if (syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1) return {ConfineStep::kNoNewPrivileges, errno};
  if (syscall(SYS_landlock_restrict_self, confinement.ruleset, 0) == -1) return {ConfineStep::kLandlock, errno};
  if (const int error = NarrowBoundingSet(confinement); error != 0) return {ConfineStep::kCapabilities, error};
  return {};
}

const char* NameOf(ConfineStep step) {
  switch (step) {
    case ConfineStep::kUserNamespace:
      return "user namespace";
    case ConfineStep::kNetworkNamespace:
      return "network namespace";
    case ConfineStep::kIpcNamespace:
      return "ipc namespace";
    case ConfineStep::kMountNamespace:
      return "mount namespace";
    case ConfineStep::kNullStreams:
      return "null streams";
    case ConfineStep::kFreshness:
      return "freshness";
    case ConfineStep::kKeyring:
      return "session keyring";
    case ConfineStep::kNoNewPrivileges:
      return "no_new_privs";
    case ConfineStep::kLandlock:
      return "landlock";
    case ConfineStep::kCapabilities:
      return "capabilities";
    case ConfineStep::kNone:
      break;
  }
  return "";
}

}  // namespace quiesce
