// Contents and names: what open, rename, unlink and their like do to files outside.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attack.h"

static bool Write(void) { return WriteTo(Outside("f")); }
static bool Append(void) { return WriteInto(open(Outside("f"), O_WRONLY | O_APPEND | O_CLOEXEC)); }
static bool Truncate(void) { return !truncate(Outside("f"), 0); }
static bool TruncateByOpen(void) { return open(Outside("f"), O_RDONLY | O_TRUNC | O_CLOEXEC) >= 0; }
static bool Create(void) { return open(Outside("made"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600) >= 0; }
static bool CreateEmpty(void) { return !mknod(Outside("made"), S_IFREG | 0600, 0); }
static bool Remove(void) { return !unlink(Outside("f")); }
static bool MakeFolder(void) { return !mkdir(Outside("made"), 0700); }
static bool RemoveFolder(void) { return !rmdir(Outside("empty")); }
static bool Rename(void) { return !rename(Outside("f"), Outside("renamed")); }
static bool RenameInto(void) { return !rename(Inside("x"), Outside("f")); }
static bool RenameOut(void) { return !rename(Outside("f"), Inside("taken")); }
static bool Exchange(void) { return !renameat2(AT_FDCWD, Inside("x"), AT_FDCWD, Outside("f"), RENAME_EXCHANGE); }
static bool MakeFifo(void) { return !mkfifo(Outside("made"), 0600); }
static bool WriteWorkspace(void) { return WriteTo(Inside("x")); }
static bool CreateInWorkspace(void) { return open(Inside("made"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600) >= 0; }
static bool CreateInTemp(void) {
  return open(Path("%s/made", Target("TMP")), O_CREAT | O_WRONLY | O_CLOEXEC, 0600) >= 0;
}

static bool WriteMapped(void) {
  int fd = open(Outside("f"), O_RDWR | O_CLOEXEC);
  if (fd < 0) return false;
  char* map = mmap(NULL, 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED) return false;
  memcpy(map, "MAPD", 4);
  return !msync(map, 4, MS_SYNC);
}

static bool LinkUnnamed(void) {
  int fd = open(Target("OUT"), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  return fd >= 0 && !linkat(AT_FDCWD, Path("/proc/self/fd/%d", fd), AT_FDCWD, Outside("made"), AT_SYMLINK_FOLLOW);
}

const Attack kFileAttacks[] = {
    {"write-file", Write, kAnyone, kSeenByChange, "writes into a file"},
    {"append-file", Append, kAnyone, kSeenByChange, "appends to a file"},
    {"write-mapped", WriteMapped, kAnyone, kSeenByChange, "writes into a shared mapping of a file"},
    {"truncate-file", Truncate, kAnyone, kSeenByChange, "truncate(2)"},
    {"truncate-by-open", TruncateByOpen, kAnyone, kSeenByChange, "opens for reading with O_TRUNC"},
    {"create-file", Create, kAnyone, kSeenByChange, "creates a file"},
    {"create-by-mknod", CreateEmpty, kAnyone, kSeenByChange, "creates an empty file by mknod(2)"},
    {"link-unnamed", LinkUnnamed, kAnyone, kSeenByChange, "gives an O_TMPFILE file a name"},
    {"remove-file", Remove, kAnyone, kSeenByChange, "removes a file"},
    {"make-folder", MakeFolder, kAnyone, kSeenByChange, "makes a folder"},
    {"remove-folder", RemoveFolder, kAnyone, kSeenByChange, "removes a folder"},
    {"make-fifo", MakeFifo, kAnyone, kSeenByChange, "makes a FIFO"},
    {"rename-outside", Rename, kAnyone, kSeenByChange, "renames a file"},
    {"rename-into", RenameInto, kAnyone, kSeenByChange, "moves a file of the workspace over one outside"},
    {"rename-out", RenameOut, kAnyone, kSeenByChange, "moves a file into the workspace"},
    {"exchange", Exchange, kAnyone, kSeenByChange, "exchanges a file with one of the workspace"},
    {"write-workspace", WriteWorkspace, kReadOnlyMode, kSeenByChange, "writes into a file of the workspace"},
    {"create-in-workspace", CreateInWorkspace, kReadOnlyMode, kSeenByChange, "creates a file in the workspace"},
    {"create-in-temp", CreateInTemp, kReadOnlyMode, kSeenByChange, "creates a file in the temp folder"},
    {0},
};
