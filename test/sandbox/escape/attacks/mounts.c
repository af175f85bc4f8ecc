// Mounts: whatever would make a read-only tree writable, or show again what is covered. Each attack writes afterwards,
// for a mount in a namespace of its own changes nothing by itself.
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attack.h"
#include "mounts.h"

bool ClearReadOnly(int folder, const char* path, unsigned flags) {
  struct mount_attr attributes = {.attr_clr = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV};
  return !syscall(SYS_mount_setattr, folder, path, flags, &attributes, sizeof attributes);
}

bool BindOver(const char* from, const char* over) {
  if (mount(from, over, NULL, MS_BIND | MS_REC, NULL)) return false;
  return !mount(NULL, over, NULL, MS_REMOUNT | MS_BIND, NULL);
}

bool BindAndWrite(void) { return BindOver(Target("OUT"), Inside("mnt")) && WriteTo(Inside("mnt/f")); }

bool PivotAndWrite(void) {
  if (mount(Target("WS"), Target("WS"), NULL, MS_BIND | MS_REC, NULL) || chdir(Target("WS"))) return false;
  if (syscall(SYS_pivot_root, ".", ".")) return false;
  // The old root is mounted over the new one now, and .. of a root leads to what is mounted over it.
  (void)mount(NULL, "/..", NULL, MS_REMOUNT | MS_BIND, NULL);
  return WriteTo(Path("/..%s", Outside("f")));
}

bool ChrootAndWrite(void) {
  int root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return !chroot(Target("WS")) && !fchdir(root) && WriteAt(AT_FDCWD, Outside("f") + 1);
}

static const char* Locked(void) { return Path("%s/f", Target("LOCKED")); }

static bool Remount(void) {
  return !mount(NULL, Target("LOCKED"), NULL, MS_REMOUNT | MS_BIND, NULL) && WriteTo(Locked());
}

static bool RemountRoot(void) { return !mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL) && WriteTo(Outside("f")); }

static bool Attributes(void) { return ClearReadOnly(AT_FDCWD, Target("LOCKED"), AT_RECURSIVE) && WriteTo(Locked()); }

static bool AttributesOfAll(void) { return ClearReadOnly(AT_FDCWD, "/", AT_RECURSIVE) && WriteTo(Outside("f")); }

static bool Copy(void) {
  int tree = (int)syscall(SYS_open_tree, AT_FDCWD, Target("LOCKED"), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  return tree >= 0 && ClearReadOnly(tree, "", AT_EMPTY_PATH) && WriteAt(tree, "f");
}

static bool Uncover(void) {
  return !umount2(Target("COVERED"), MNT_DETACH) && WriteTo(Path("%s/f", Target("COVERED")));
}

static bool UncoverDev(void) { return !umount2("/dev", MNT_DETACH) && (WriteTo(Target("DISK")) || errno == ENOENT); }

static bool UncoverSettings(void) {
  (void)umount2("/proc/sys", MNT_DETACH);
  return WriteText("/proc/sys/kernel/domainname", "attacked");
}

static bool UncoverWorkspace(void) {
  (void)umount2(Target("WS"), MNT_DETACH);
  return WriteTo(Path("%s/x", Target("WS")));
}

static bool Cover(void) { return !mount("attack", Target("OUT"), "tmpfs", 0, NULL); }

static bool MoveWorkspace(void) {
  int tree = (int)syscall(SYS_open_tree, AT_FDCWD, Target("WS"), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  return tree >= 0 && !syscall(SYS_move_mount, tree, "", AT_FDCWD, Target("OUT"), MOVE_MOUNT_F_EMPTY_PATH);
}

static bool Share(void) { return !mount(NULL, "/", NULL, MS_SHARED | MS_REC, NULL); }

static int Fresh(const char* type) {
  int context = (int)syscall(SYS_fsopen, type, FSOPEN_CLOEXEC);
  if (context < 0 || syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0)) return -1;
  return (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, 0);
}

static bool FreshProc(void) {
  int proc = Fresh("proc");
  return proc >= 0 && WriteAt(proc, "sys/kernel/domainname");
}

static bool FreshCgroup(void) {
  int cgroups = Fresh("cgroup2");
  return cgroups >= 0 && !mkdirat(cgroups, Path("%s/made", Target("CAGE_NAME")), 0700);
}

static bool MountDisk(void) {
  return !mount(Target("DISK"), Inside("mnt"), "ext4", 0, NULL) ||
         (errno != EPERM && errno != EACCES && errno != ENOENT && errno != ENODEV);
}

const Attack kMountAttacks[] = {
    {"remount", Remount, kRootOnly, kSeenByChange, "remounts a read-only mount writable"},
    {"remount-root", RemountRoot, kRootOnly, kSeenByChange, "remounts / writable"},
    {"mount-attributes", Attributes, kRootOnly, kSeenByChange, "mount_setattr(2) of a read-only mount"},
    {"mount-attributes-of-all", AttributesOfAll, kRootOnly, kSeenByChange, "mount_setattr(2) of the whole tree"},
    {"mount-copy", Copy, kRootOnly, kSeenByChange, "a writable copy of a read-only mount by open_tree(2)"},
    {"bind-mount", BindAndWrite, kRootOnly, kSeenByChange, "binds a folder outside into the workspace"},
    {"uncover", Uncover, kRootOnly, kSeenByChange, "unmounts what covers a folder"},
    {"uncover-dev", UncoverDev, kRootOnly, kSeenByChange, "unmounts /dev to reach what it covers"},
    {"uncover-settings", UncoverSettings, kRootOnly, kSeenByChange, "unmounts /proc/sys, then sets a sysctl"},
    {"uncover-workspace", UncoverWorkspace, (AttackLimits)(kRootOnly | kReadOnlyMode), kSeenByChange,
     "unmounts the workspace, then writes to what is below"},
    {"cover", Cover, kRootOnly, kSeenByWord, "mounts a tmpfs over a folder outside"},
    {"move-mount", MoveWorkspace, kRootOnly, kSeenByWord, "mounts the workspace over a folder outside"},
    {"share-mounts", Share, kRootOnly, kSeenByWord, "makes all mounts shared"},
    {"pivot-root", PivotAndWrite, kRootOnly, kSeenByChange, "pivot_root(2) into the workspace"},
    {"chroot", ChrootAndWrite, kRootOnly, kSeenByChange, "chroot(2), and out of it again"},
    {"fresh-proc", FreshProc, kRootOnly, kSeenByChange, "a new /proc, and a sysctl there"},
    {"fresh-cgroup", FreshCgroup, kRootOnly, kSeenByChange, "a new cgroup2 mount, and a group there"},
    {"mount-disk", MountDisk, kRootOnly, kSeenByWord, "lets the kernel read a file system from a raw disk"},
    {0},
};
