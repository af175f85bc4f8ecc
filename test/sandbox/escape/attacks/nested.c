// The same from a user and mount namespace of the attack's own, where it has every capability.
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attack.h"
#include "mounts.h"

static bool Enter(void) {
  const char* user = Path("0 %u 1", geteuid());
  const char* group = Path("0 %u 1", getegid());
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS)) return false;
  return WriteText("/proc/self/setgroups", "deny") && WriteText("/proc/self/uid_map", user) &&
         WriteText("/proc/self/gid_map", group);
}

static bool Write(void) { return Enter() && WriteTo(Outside("f")); }
static bool Chmod(void) { return Enter() && !chmod(Outside("f"), 0777); }
static bool Bind(void) { return Enter() && BindAndWrite(); }
static bool Pivot(void) { return Enter() && PivotAndWrite(); }
static bool Chroot(void) { return Enter() && ChrootAndWrite(); }
static bool Kill(void) { return Enter() && !kill((pid_t)TargetNumber("VICTIM"), SIGTERM); }

static bool Attributes(void) {
  if (!Enter()) return false;
  // Refused where a mount is locked, and then what follows fails.
  (void)ClearReadOnly(AT_FDCWD, "/", AT_RECURSIVE);
  return WriteTo(Outside("f"));
}

static bool Copy(void) {
  if (!Enter()) return false;
  unsigned flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE;
  int tree = (int)syscall(SYS_open_tree, AT_FDCWD, Target("OUT"), flags);
  if (tree < 0) return false;
  (void)ClearReadOnly(tree, "", AT_EMPTY_PATH);
  return WriteAt(tree, "f");
}

static bool Disk(void) {
  if (!Enter()) return false;
  (void)BindOver(Target("WS"), Inside("mnt"));
  return WriteTo(Inside("disk"));
}

static bool Overlay(void) {
  if (!Enter() || mkdir(Inside("work"), 0700)) return false;
  const char* options = Path("lowerdir=%s,upperdir=%s,workdir=%s", Inside("mnt"), Target("OUT"), Inside("work"));
  if (mount("attack", Inside("mnt"), "overlay", 0, options)) return false;
  return open(Inside("mnt/made"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600) >= 0;
}

const Attack kNestedAttacks[] = {
    {"nested-write", Write, kAnyone, kSeenByChange, "writes into a file as root of a nested namespace"},
    {"nested-chmod", Chmod, kAnyone, kSeenByChange, "chmod of a file there"},
    {"nested-attributes", Attributes, kAnyone, kSeenByChange, "makes all mounts writable there"},
    {"nested-bind-mount", Bind, kAnyone, kSeenByChange, "binds a folder outside into the workspace there"},
    {"nested-mount-copy", Copy, kAnyone, kSeenByChange, "a writable copy of a folder outside there"},
    {"nested-pivot-root", Pivot, kAnyone, kSeenByChange, "pivot_root(2) there"},
    {"nested-chroot", Chroot, kAnyone, kSeenByChange, "chroot(2) and out of it there"},
    {"nested-disk", Disk, kAnyone, kSeenByChange, "mounts the workspace with devices there, writes to a disk"},
    {"nested-overlay", Overlay, kAnyone, kSeenByChange, "mounts an overlay whose upper folder is outside"},
    {"nested-signal", Kill, kAnyone, kSeenByChange, "signals an outside process from there"},
    {0},
};
