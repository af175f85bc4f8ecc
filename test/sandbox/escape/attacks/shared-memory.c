// Memory and queues that processes share by names: System V and POSIX.
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

#include "attack.h"

static bool WriteSegment(void) {
  char* memory = shmat((int)TargetNumber("SEGMENT"), NULL, 0);
  if (memory == (void*)-1) return false;
  memcpy(memory, "attacked", 8);
  return true;
}

static bool RemoveSegment(void) { return !shmctl((int)TargetNumber("SEGMENT"), IPC_RMID, NULL); }
static bool WriteShared(void) { return WriteTo(Target("SHARED")); }
static bool RemoveShared(void) { return !unlink(Target("SHARED")); }

static bool Send(void) {
  mqd_t queue = mq_open(Target("QUEUE"), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  return queue >= 0 && !mq_send(queue, "attacked", 8, 0);
}

const Attack kSharedMemoryAttacks[] = {
    {"segment-write", WriteSegment, kAnyone, kSeenByChange, "writes to System V shared memory"},
    {"segment-removed", RemoveSegment, kAnyone, kSeenByChange, "removes System V shared memory"},
    {"shared-write", WriteShared, kAnyone, kSeenByChange, "writes to POSIX shared memory"},
    {"shared-removed", RemoveShared, kAnyone, kSeenByChange, "removes POSIX shared memory"},
    {"message-queue", Send, kAnyone, kSeenByChange, "sends to a POSIX message queue"},
    {0},
};
