// Rights that a program may win: set-id programs, other users, file handles, keys.
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attack.h"

static const int kSessionKeyring = -3;

/** The set-id program is a copy of this one, which then writes to a file of root's. */
static bool RunSetId(void) {
  pid_t child = fork();
  if (child == 0) {
    execl(Outside("set-id"), "set-id", "write-protected", NULL);
    _exit(127);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0;
}

static bool WriteProtected(void) { return WriteTo(Outside("protected")); }

static bool PlantSetId(void) {
  int fd = open(Inside("planted"), O_CREAT | O_WRONLY | O_CLOEXEC, 0700);
  return fd >= 0 && !fchmod(fd, 04755);
}

static bool BecomeOther(void) { return !setresgid(4343, 4343, 4343) && !setresuid(4343, 4343, 4343); }
static bool SignalAsOther(void) { return BecomeOther() && !kill((pid_t)TargetNumber("OTHER"), SIGTERM); }
static bool WriteAsOther(void) { return BecomeOther() && WriteTo(Outside("others")); }

static bool OpenHandle(const char* path) {
  struct {
    struct file_handle handle;
    char room[128];
  } file = {.handle = {.handle_bytes = 128}};
  int mount_id = 0;
  if (name_to_handle_at(AT_FDCWD, path, &file.handle, &mount_id, 0)) return false;
  int base = open(Target("WS"), O_RDONLY | O_CLOEXEC);
  return WriteInto(open_by_handle_at(base, &file.handle, O_WRONLY | O_CLOEXEC));
}

static bool Handle(void) { return OpenHandle(Outside("f")); }

static bool ReadKey(void) {
  char text[64];
  long key = syscall(SYS_keyctl, KEYCTL_SEARCH, kSessionKeyring, "user", "arena", 0);
  long length = key < 0 ? -1 : syscall(SYS_keyctl, KEYCTL_READ, key, text, sizeof text);
  return length > 0 && write(STDOUT_FILENO, text, (size_t)length) == length;
}

static bool RevokeKey(void) {
  long key = syscall(SYS_keyctl, KEYCTL_SEARCH, kSessionKeyring, "user", "arena", 0);
  return key >= 0 && !syscall(SYS_keyctl, KEYCTL_UPDATE, key, "attacked", 8);
}

const Attack kPrivilegeAttacks[] = {
    {"set-id-program", RunSetId, kAnyone, kSeenByChange, "runs a program that is root's, which writes to root's file"},
    {"write-protected", WriteProtected, kRootOnly, kSeenByChange, "writes to a file that is root's"},
    {"plant-set-id", PlantSetId, kWritableMode, kSeenByChange, "leaves a set-id program in the workspace for others"},
    {"other-users-file", WriteAsOther, kRootOnly, kSeenByChange, "becomes another user, writes to a file of that user"},
    {"other-users-process", SignalAsOther, kRootOnly, kSeenByChange,
     "becomes another user, signals a process of that user"},
    {"file-handle", Handle, kRootOnly, kSeenByChange, "open_by_handle_at(2) from the workspace's own mount"},
    {"read-key", ReadKey, kAnyone, kSeenBySecret, "reads a key of the inherited session keyring"},
    {"change-key", RevokeKey, kAnyone, kSeenByChange, "changes that key"},
    {0},
};
