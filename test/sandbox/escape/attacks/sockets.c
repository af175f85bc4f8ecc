// Sockets that processes outside listen on.
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "attack.h"

static bool Abstract(int type) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const char* name = Target(type == SOCK_STREAM ? "ABSTRACT" : "ABSTRACT_DATAGRAM");
  socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
  strcpy(address.sun_path + 1, name);
  int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
  return !connect(fd, (struct sockaddr*)&address, length) && write(fd, "attacked", 8) == 8;
}

static bool AbstractStream(void) { return Abstract(SOCK_STREAM); }
static bool AbstractDatagram(void) { return Abstract(SOCK_DGRAM); }

static bool ByPath(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path, Outside("socket"));
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return !connect(fd, (struct sockaddr*)&address, sizeof address) && write(fd, "attacked", 8) == 8;
}

static bool BindOutside(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path, Outside("made"));
  return !bind(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), (struct sockaddr*)&address, sizeof address);
}

const Attack kSocketAttacks[] = {
    {"abstract-socket", AbstractStream, kAnyone, kSeenByChange, "connects to an abstract socket"},
    {"abstract-datagram", AbstractDatagram, kAnyone, kSeenByChange, "sends to an abstract datagram socket"},
    {"socket-by-path", ByPath, kAnyone, kSeenByChange, "connects to a socket that has a path"},
    {"socket-made", BindOutside, kAnyone, kSeenByChange, "makes a socket in a folder outside"},
    {0},
};
