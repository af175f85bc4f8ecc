// The arguments of the supervisor, turned in place into what execve wants: nothing is copied.
#pragma once

namespace quiesce::supervisor {

struct Command {
  char** candidates = nullptr;  // ends with null
  char** argv = nullptr;
  char** shell_argv = nullptr;  // `/bin/sh`, a place for the file, and all of argv but its first
  char** environment = nullptr;
  bool terminal = false;  // its standard input becomes its controlling terminal
};

struct Arguments {
  bool leave_on_host_crash = false;
  const char* oom_score = "";  // what the supervisor gives itself back; empty: it keeps what it has
  Command command;
};

bool IsSame(const char* a, const char* b);

// False if they are not of the form in protocol.h.
bool ParseArguments(int count, char** arguments, char** environment, Arguments* parsed);

}  // namespace quiesce::supervisor
