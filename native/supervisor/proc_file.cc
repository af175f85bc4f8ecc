#include "supervisor/proc_file.h"

namespace quiesce::supervisor {

int ParentOf(int pid) {
  const int file = ProcPath().Text("/").Number(pid).Text("/stat").Open(O_RDONLY);
  if (file < 0) return 0;
  char text[512];  // the first fields take less than half of it
  const Word size = CallAgain(SYS_read, file, text, sizeof text);
  (void)Call(SYS_close, file);
  // "PID (NAME) STATE PPID ...": the name ends at the last parenthesis, whatever it contains.
  Word at = size - 1;
  while (at > 0 && text[at] != ')') --at;
  int parent = 0;
  for (at += 4; at > 4 && at < size && text[at] >= '0' && text[at] <= '9'; ++at) {
    parent = parent * 10 + (text[at] - '0');
  }
  return parent;
}

}  // namespace quiesce::supervisor
