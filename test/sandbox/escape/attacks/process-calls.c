// Ways to other processes through system calls that take their pid.
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attack.h"

static int PidfdOf(const char* target) { return (int)syscall(SYS_pidfd_open, TargetNumber(target), 0); }

static bool Poke(const char* target) {
  pid_t pid = (pid_t)TargetNumber(target);
  if (ptrace(PTRACE_SEIZE, pid, 0, 0)) return false;
  int status = 0;
  if (ptrace(PTRACE_INTERRUPT, pid, 0, 0) || waitpid(pid, &status, __WALL) != pid) return false;
  long word = 0;
  memcpy(&word, "attacked", sizeof word);
  bool written = !ptrace(PTRACE_POKEDATA, pid, TargetNumber("ADDRESS"), word);
  ptrace(PTRACE_DETACH, pid, 0, 0);
  return written;
}

static bool Trace(void) { return Poke("VICTIM"); }
static bool TraceBare(void) { return Poke("BARE"); }

static bool WriteMemory(void) {
  char text[] = "attacked";
  struct iovec here = {text, 8}, there = {(void*)TargetNumber("ADDRESS"), 8};
  return process_vm_writev((pid_t)TargetNumber("VICTIM"), &here, 1, &there, 1, 0) == 8;
}

static bool ReadMemory(void) {
  char text[64];
  struct iovec here = {text, sizeof text}, there = {(void*)TargetNumber("ADDRESS"), sizeof text};
  ssize_t length = process_vm_readv((pid_t)TargetNumber("VICTIM"), &here, 1, &there, 1, 0);
  return length > 0 && write(STDOUT_FILENO, text, (size_t)length) == length;
}

static bool TakeDescriptor(void) { return WriteInto((int)syscall(SYS_pidfd_getfd, PidfdOf("VICTIM"), 9, 0)); }

static bool EnterByPidfd(void) { return !setns(PidfdOf("VICTIM"), CLONE_NEWNS) && WriteTo(Outside("f")); }

static bool EnterHost(void) { return !setns(PidfdOf("HOST"), CLONE_NEWNS) && WriteTo(Outside("f")); }

const Attack kProcessCallAttacks[] = {
    {"ptrace", Trace, kAnyone, kSeenByChange, "changes the memory of an outside process by ptrace(2)"},
    {"ptrace-of-bare", TraceBare, kAnyone, kSeenByChange, "the same of a process without capabilities"},
    {"process-vm-write", WriteMemory, kAnyone, kSeenByChange, "process_vm_writev(2)"},
    {"process-vm-read", ReadMemory, kAnyone, kSeenBySecret, "process_vm_readv(2)"},
    {"take-descriptor", TakeDescriptor, kAnyone, kSeenByChange, "pidfd_getfd(2), then writes into what it took"},
    {"enter-by-pidfd", EnterByPidfd, kRootOnly, kSeenByChange, "nsenter by a pidfd of an outside process"},
    {"enter-host-by-pidfd", EnterHost, kRootOnly, kSeenByChange, "nsenter by a pidfd of the host process"},
    {0},
};
