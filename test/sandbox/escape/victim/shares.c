#include "shares.h"

#include <err.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <mqueue.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

enum { kRoom = 64 };

static int stream, datagram, by_path, segment, terminal;
static mqd_t queue;
static char *segment_memory, *shared_memory;
static char shared[kRoom], queue_name[kRoom];

static int Bind(int type, const char* name, int is_abstract) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path + is_abstract, name);
  socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
  int fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (bind(fd, (struct sockaddr*)&address, length)) err(1, "bind %s", name);
  if (type == SOCK_STREAM && listen(fd, 8)) err(1, "listen %s", name);
  return fd;
}

void MakeShares(void) {
  stream = Bind(SOCK_STREAM, "arena", 1);
  datagram = Bind(SOCK_DGRAM, "arena-datagram", 1);
  by_path = Bind(SOCK_STREAM, "socket", 0);
  segment = shmget(IPC_PRIVATE, kRoom, 0600);
  segment_memory = shmat(segment, NULL, 0);
  if (segment_memory == (void*)-1) err(1, "shmat");
  snprintf(shared, sizeof shared, "/arena-%d", getpid());
  int fd = shm_open(shared, O_CREAT | O_RDWR | O_EXCL, 0600);
  if (fd < 0 || ftruncate(fd, kRoom)) err(1, "shm_open");
  shared_memory = mmap(NULL, kRoom, PROT_READ, MAP_SHARED, fd, 0);
  close(fd);
  snprintf(queue_name, sizeof queue_name, "/arena-%d", getpid());
  struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = kRoom};
  queue = mq_open(queue_name, O_CREAT | O_RDONLY | O_CLOEXEC, 0600, &attributes);
  if (queue < 0) err(1, "mq_open");
  terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (terminal < 0 || grantpt(terminal) || unlockpt(terminal)) err(1, "posix_openpt");
}

void PrintShares(void) {
  printf(",\"ABSTRACT\":\"arena\",\"ABSTRACT_DATAGRAM\":\"arena-datagram\",\"SEGMENT\":\"%d\"", segment);
  printf(",\"SHARED\":\"/dev/shm%s\",\"QUEUE\":\"%s\",\"TERMINAL\":\"%s\"", shared, queue_name, ptsname(terminal));
}

static int connections, datagrams, typed;

static void Count(void) {
  char text[kRoom];
  int fds[] = {stream, by_path};
  for (int i = 0; i < 2; i++)
    for (int fd; (fd = accept(fds[i], NULL, NULL)) >= 0; close(fd)) connections++;
  while (recv(datagram, text, sizeof text, 0) > 0) datagrams++;
  while (read(terminal, text, sizeof text) > 0) typed++;
}

static void PrintKey(void) {
  char text[kRoom] = "";
  long key = syscall(SYS_keyctl, KEYCTL_SEARCH, -3, "user", "arena", 0);
  if (key < 0 || syscall(SYS_keyctl, KEYCTL_READ, key, text, sizeof text - 1) < 0) strcpy(text, "none");
  printf(",\"key\":\"%s\"", text);
}

void PrintStateOfShares(void) {
  Count();
  struct shmid_ds facts = {0};
  struct mq_attr attributes = {0};
  int removed = shmctl(segment, IPC_STAT, &facts) != 0 || (facts.shm_perm.mode & SHM_DEST) != 0;
  mq_getattr(queue, &attributes);
  printf(",\"connections\":%d,\"datagrams\":%d,\"typed\":%d", connections, datagrams, typed);
  printf(",\"segment\":\"%.8s\",\"segmentRemoved\":%d", segment_memory, removed);
  printf(",\"shared\":\"%.8s\",\"messages\":%ld", shared_memory, attributes.mq_curmsgs);
  PrintKey();
}
