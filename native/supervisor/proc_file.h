// What the kernel tells in /proc of processes and their children, read without libc.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "supervisor/raw_calls.h"

namespace quiesce::supervisor {

// "/proc/PID/..." piece by piece; long enough for every path here.
class ProcPath {
 public:
  ProcPath() { Text("/proc"); }
  ProcPath& Text(const char* text) {
    while (*text != '\0') text_[length_++] = *text++;
    return *this;
  }
  ProcPath& Number(int number) {
    char digits[12];
    int count = 0;
    do {
      digits[count++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number > 0);
    while (count > 0) text_[length_++] = digits[--count];
    return *this;
  }
  // A descriptor, or a negative errno.
  [[nodiscard]] int Open(int flags) {
    text_[length_] = '\0';
    return static_cast<int>(CallAgain(SYS_openat, AT_FDCWD, text_, flags | O_CLOEXEC, 0));
  }

 private:
  size_t length_ = 0;
  char text_[64];
};

// Calls `visit(pid)` for each number in an open children file, from its start. False if it cannot be read.
template <typename Visit>
bool ForEachListed(int file, Visit visit) {
  if (Call(SYS_lseek, file, 0, SEEK_SET) != 0) return false;
  char buffer[4096];  // more than a page is never given at once
  int pid = 0;
  while (true) {
    const Word size = CallAgain(SYS_read, file, buffer, sizeof buffer);
    if (size < 0) return false;
    if (size == 0) return true;
    for (Word at = 0; at < size; ++at) {
      if (buffer[at] >= '0' && buffer[at] <= '9') {
        pid = pid * 10 + (buffer[at] - '0');
      } else if (pid != 0) {
        visit(pid);
        pid = 0;
      }
    }
  }
}

// Calls `visit(number)` for each entry of an open folder whose name is a number. False if it cannot be read.
template <typename Visit>
bool ForEachNumberedEntry(int folder, Visit visit) {
  struct Entry {
    uint64_t inode;
    int64_t offset;
    uint16_t length;
    uint8_t type;
    char name[1];
  };
  alignas(uint64_t) char buffer[2048];
  while (true) {
    const Word size = CallAgain(SYS_getdents64, folder, buffer, sizeof buffer);
    if (size < 0) return false;
    if (size == 0) return true;
    for (Word at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const Entry*>(buffer + at);
      int number = 0;
      const char* digit = entry->name;
      while (*digit >= '0' && *digit <= '9') number = number * 10 + (*digit++ - '0');
      if (*digit == '\0' && number != 0) visit(number);
      at += entry->length;
    }
  }
}

// The parent of a process; 0 if it is gone, or cannot be looked at.
int ParentOf(int pid);

}  // namespace quiesce::supervisor
