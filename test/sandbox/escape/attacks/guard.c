#include "guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Inode of the first PID namespace of every kernel: PROC_PID_INIT_INO of include/linux/proc_ns.h. */
static const ino_t kFirstPidNamespace = 0xEFFFFFFCU;

/** Whoever starts attacks says which namespaces the machine's own processes are in; none of them may be ours. */
static const char* SharedWithMachine(const char* kind, const char* variable, const char* refusal) {
  char path[64], own[64] = "";
  snprintf(path, sizeof path, "/proc/self/ns/%s", kind);
  const char* machine = getenv(variable);
  if (readlink(path, own, sizeof own - 1) <= 0 || !machine || strncmp(machine, kind, strlen(kind))) return refusal;
  return strstr(machine, own) ? refusal : NULL;
}

/** What can be told without the word of whoever started this. */
static const char* LooksLikeMachine(void) {
  struct stat space;
  if (stat("/proc/self/ns/pid", &space)) return "the PID namespace is not known";
  if (space.st_ino == kFirstPidNamespace) return "this is the first PID namespace of the kernel";
  char name[32] = "";
  FILE* kernel = fopen("/proc/2/comm", "re");
  if (kernel) {
    if (!fgets(name, sizeof name, kernel)) name[0] = '\0';
    fclose(kernel);
  }
  return strncmp(name, "kthreadd", 8) ? NULL : "the processes of the kernel can be seen";
}

const char* WhyNotHere(void) {
  const char* refusal = SharedWithMachine("mnt", "ATTACK_MACHINE_MNT", "mount namespace of the machine");
  if (!refusal) refusal = SharedWithMachine("pid", "ATTACK_MACHINE_PID", "PID namespace of the machine");
  if (!refusal) refusal = SharedWithMachine("net", "ATTACK_MACHINE_NET", "network namespace of the machine");
  return refusal ? refusal : LooksLikeMachine();
}
