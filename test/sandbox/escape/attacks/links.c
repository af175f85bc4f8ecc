// Other names for files outside: links of every kind, made before or inside, and paths that lead around.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attack.h"

static bool HardLinkMade(void) { return !link(Outside("f"), Inside("made")) && WriteTo(Inside("made")); }
static bool HardLinkOutside(void) { return !link(Outside("f"), Outside("made")); }
static bool HardLinkBefore(void) { return WriteTo(Inside("hard")); }
static bool SymlinkMade(void) { return !symlink(Outside("f"), Inside("made")) && WriteTo(Inside("made")); }
static bool SymlinkOutside(void) { return !symlink("f", Outside("made")); }
static bool SymlinkedFile(void) { return WriteTo(Inside("link-file")); }
static bool SymlinkedFolder(void) {
  return open(Inside("link-folder/made"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600) >= 0;
}
static bool ThroughParent(void) { return WriteTo(Inside("../out/f")); }
static bool ThroughOwnRoot(void) { return WriteTo(Path("/proc/self/root%s", Outside("f"))); }
static bool ThroughOwnFolder(void) { return !chdir(Target("OUT")) && WriteTo("/proc/self/cwd/f"); }

static bool HardLinkByDescriptor(void) {
  int fd = open(Outside("f"), O_PATH | O_CLOEXEC);
  if (fd < 0 || linkat(AT_FDCWD, Path("/proc/self/fd/%d", fd), AT_FDCWD, Inside("made"), AT_SYMLINK_FOLLOW))
    return false;
  return WriteTo(Inside("made"));
}

static bool ReopenedDescriptor(void) {
  int fd = open(Outside("f"), O_RDONLY | O_CLOEXEC);
  return fd >= 0 && WriteTo(Path("/proc/self/fd/%d", fd));
}

/** A folder that is now a folder of the workspace and now a link to the one outside, while a file in it is written. */
static bool SwappedFolder(void) {
  if (mkdir(Inside("swapped"), 0700) || symlink(Target("OUT"), Inside("turned"))) return false;
  pid_t swapper = fork();
  if (swapper == 0) {
    for (int round = 0; round < 500; round++)
      renameat2(AT_FDCWD, Inside("swapped"), AT_FDCWD, Inside("turned"), RENAME_EXCHANGE);
    _exit(0);
  }
  bool written = false;
  while (waitpid(swapper, NULL, WNOHANG) == 0) written |= WriteTo(Inside("swapped/f")) || WriteTo(Inside("turned/f"));
  return written;
}

const Attack kLinkAttacks[] = {
    {"hard-link-made", HardLinkMade, kAnyone, kSeenByChange, "hard link in the workspace, then writes through it"},
    {"hard-link-by-descriptor", HardLinkByDescriptor, kAnyone, kSeenByChange, "the same from an O_PATH descriptor"},
    {"hard-link-outside", HardLinkOutside, kAnyone, kSeenByChange, "hard link beside the file"},
    {"hard-link-before", HardLinkBefore, kAnyone, kSeenByChange, "writes through a hard link that was there before"},
    {"symlink-made", SymlinkMade, kAnyone, kSeenByChange, "symlink in the workspace, then writes through it"},
    {"symlink-outside", SymlinkOutside, kAnyone, kSeenByChange, "makes a symlink outside"},
    {"symlinked-file", SymlinkedFile, kAnyone, kSeenByChange, "writes through a symlink that was there before"},
    {"symlinked-folder", SymlinkedFolder, kAnyone, kSeenByChange, "creates a file through a symlinked folder"},
    {"swapped-folder", SwappedFolder, kAnyone, kSeenByChange, "writes while a folder turns into a symlink and back"},
    {"parent-folder", ThroughParent, kAnyone, kSeenByChange, "writes through .."},
    {"own-root", ThroughOwnRoot, kAnyone, kSeenByChange, "writes through /proc/self/root"},
    {"own-folder", ThroughOwnFolder, kAnyone, kSeenByChange, "writes through /proc/self/cwd"},
    {"reopened-descriptor", ReopenedDescriptor, kAnyone, kSeenByChange,
     "opens an own read-only descriptor for writing"},
    {0},
};
