// Device nodes: the disk (a loop device) by every node that leads to it, the nodes of /dev themselves, terminals.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attack.h"

static bool MakeDisk(const char* path) {
  struct stat disk;
  return !stat(Outside("disk"), &disk) && !mknod(path, S_IFBLK | 0666, disk.st_rdev) && WriteTo(path);
}

static bool DiskByPath(void) { return WriteTo(Target("DISK")); }
static bool DiskInWorkspace(void) { return WriteTo(Inside("disk")); }
static bool DiskOutside(void) { return WriteTo(Outside("disk")); }
static bool DiskMade(void) { return MakeDisk(Inside("made")); }
static bool DiskMadeInDev(void) { return MakeDisk("/dev/made"); }
static bool DiskMadeInShm(void) { return MakeDisk("/dev/shm/made"); }
static bool DiskRead(void) { return PrintFile(Target("DISK")); }
static bool NullMode(void) { return !chmod("/dev/null", 0600); }
static bool NullRemoved(void) { return !unlink("/dev/null"); }
static bool NullReplaced(void) { return !rename("/dev/zero", "/dev/null"); }
static bool NewInDev(void) { return open("/dev/made", O_CREAT | O_WRONLY | O_CLOEXEC, 0600) >= 0; }
static bool Terminal(void) { return WriteTo(Target("TERMINAL")); }

const Attack kDeviceAttacks[] = {
    {"disk-by-path", DiskByPath, kRootOnly, kSeenByChange, "writes to a raw disk of /dev"},
    {"disk-read", DiskRead, kRootOnly, kSeenBySecret, "reads a raw disk of /dev"},
    {"disk-in-workspace", DiskInWorkspace, kAnyone, kSeenByChange, "writes to a disk by a node of the workspace"},
    {"disk-outside", DiskOutside, kAnyone, kSeenByChange, "writes to a disk by a node outside"},
    {"disk-made", DiskMade, kRootOnly, kSeenByChange, "makes a node for a disk in the workspace, writes to it"},
    {"disk-made-in-dev", DiskMadeInDev, kRootOnly, kSeenByChange, "makes a node for a disk in /dev, writes to it"},
    {"disk-made-in-shm", DiskMadeInShm, kRootOnly, kSeenByChange, "makes a node for a disk in /dev/shm, writes to it"},
    {"null-mode", NullMode, kRootOnly, kSeenByChange, "chmod of /dev/null"},
    {"null-removed", NullRemoved, kRootOnly, kSeenByChange, "removes /dev/null"},
    {"null-replaced", NullReplaced, kRootOnly, kSeenByChange, "puts another device in the place of /dev/null"},
    {"new-in-dev", NewInDev, kRootOnly, kSeenByChange, "creates a file in /dev"},
    {"terminal", Terminal, kAnyone, kSeenByChange, "writes to the terminal of an outside process"},
    {0},
};
