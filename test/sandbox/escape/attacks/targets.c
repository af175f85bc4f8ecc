// What attacks aim at, and the few steps that most of them take.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attack.h"

const char* Target(const char* name) {
  char variable[64];
  snprintf(variable, sizeof variable, "ATTACK_%s", name);
  const char* value = getenv(variable);
  if (value) return value;
  fprintf(stderr, "attack: no %s\n", variable);
  _exit(4);
}

long TargetNumber(const char* name) { return strtol(Target(name), NULL, 0); }

const char* Path(const char* format, ...) {
  static char paths[8][4096];
  static unsigned next;
  char* path = paths[next++ % 8];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(path, sizeof paths[0], format, arguments);
  va_end(arguments);
  return path;
}

const char* Outside(const char* name) { return Path("%s/%s", Target("OUT"), name); }
const char* Inside(const char* name) { return Path("%s/%s", Target("WS"), name); }

static bool WriteTextInto(int fd, const char* text) {
  if (fd < 0) return false;
  ssize_t length = (ssize_t)strlen(text);
  bool written = write(fd, text, (size_t)length) == length;
  int error = errno;
  // A disk keeps what was written to itself until then.
  fsync(fd);
  close(fd);
  errno = error;
  return written;
}

bool WriteInto(int fd) { return WriteTextInto(fd, "attacked"); }

bool WriteText(const char* path, const char* text) {
  return WriteTextInto(open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), text);
}

bool WriteTo(const char* path) { return WriteText(path, "attacked"); }

bool WriteAt(int folder, const char* path) { return WriteInto(openat(folder, path, O_WRONLY | O_CLOEXEC)); }

bool PrintFile(const char* path) {
  char text[4096];
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text);
  if (fd >= 0) close(fd);
  return length > 0 && write(STDOUT_FILENO, text, (size_t)length) == length;
}

bool WriteBack(const char* path) {
  char text[4096] = "";
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  return length > 0 && WriteText(path, text);
}

bool InChild(bool (*run)(void)) {
  pid_t child = fork();
  if (child == 0) {
    errno = 0;
    _exit(run() ? 0 : (errno & 127) ? errno & 127 : 1);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return false;
  errno = WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
  return status == 0;
}
