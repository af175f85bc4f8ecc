// What belongs to a file beside its content: mode, owner, times, attributes, flags.
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "attack.h"

static int Opened(const char* name) { return open(Outside(name), O_RDONLY | O_CLOEXEC); }
static const struct timespec kLongAgo[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};

static bool Chmod(void) { return !chmod(Outside("f"), 0777); }
static bool ChmodFolder(void) { return !chmod(Target("OUT"), 0777); }
static bool ChmodByDescriptor(void) { return !fchmod(Opened("f"), 0777); }
static bool ChmodByLink(void) { return !chmod(Inside("link-file"), 0777); }
static bool Chown(void) { return !chown(Outside("f"), 4343, 4343); }
static bool ChownToOwn(void) { return !chown(Outside("f"), geteuid(), getegid()); }
static bool Times(void) { return !utimensat(AT_FDCWD, Outside("f"), kLongAgo, 0); }
static bool TimesByDescriptor(void) { return !futimens(Opened("f"), kLongAgo); }
static bool SetAttribute(void) { return !setxattr(Outside("f"), "user.attacked", "1", 1, 0); }
static bool RemoveAttribute(void) { return !removexattr(Outside("f"), "user.kept"); }
static bool TrustedAttribute(void) { return !setxattr(Outside("f"), "trusted.attacked", "1", 1, 0); }

/** An access control list in the form of the kernel: version 2, then tag, permission and id of each entry. */
static bool AccessList(void) {
  struct {
    unsigned version;
    struct {
      unsigned short tag, permission;
      unsigned id;
    } entries[5];
  } list = {2, {{1, 6, ~0U}, {2, 7, 4343}, {4, 6, ~0U}, {16, 7, ~0U}, {32, 0, ~0U}}};
  return !setxattr(Outside("f"), "system.posix_acl_access", &list, sizeof list, 0);
}

static bool Flags(void) {
  int fd = Opened("f"), flags = 0;
  if (fd < 0 || ioctl(fd, FS_IOC_GETFLAGS, &flags)) return false;
  flags |= FS_NODUMP_FL;
  return !ioctl(fd, FS_IOC_SETFLAGS, &flags);
}

const Attack kMetadataAttacks[] = {
    {"chmod", Chmod, kAnyone, kSeenByChange, "chmod of a file"},
    {"chmod-folder", ChmodFolder, kAnyone, kSeenByChange, "chmod of a folder"},
    {"chmod-by-descriptor", ChmodByDescriptor, kAnyone, kSeenByChange, "chmod through a read-only descriptor"},
    {"chmod-by-link", ChmodByLink, kAnyone, kSeenByChange, "chmod through a symlink of the workspace"},
    {"chown", Chown, kRootOnly, kSeenByChange, "gives a file to another user"},
    {"chown-to-own", ChownToOwn, kAnyone, kSeenByChange, "chown to the own user, which changes its ctime"},
    {"times", Times, kAnyone, kSeenByChange, "sets the times of a file"},
    {"times-by-descriptor", TimesByDescriptor, kAnyone, kSeenByChange, "sets times through a read-only descriptor"},
    {"set-attribute", SetAttribute, kAnyone, kSeenByChange, "sets an extended attribute"},
    {"remove-attribute", RemoveAttribute, kAnyone, kSeenByChange, "removes an extended attribute"},
    {"trusted-attribute", TrustedAttribute, kRootOnly, kSeenByChange, "sets an attribute of the system's own"},
    {"access-list", AccessList, kAnyone, kSeenByChange, "sets an access control list"},
    {"file-flags", Flags, kAnyone, kSeenByChange, "sets a flag of the file system (nodump)"},
    {0},
};
