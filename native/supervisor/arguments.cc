#include "supervisor/arguments.h"

#include <paths.h>

#include "supervisor/protocol.h"

namespace quiesce::supervisor {

namespace {

enum Place { kProgram, kMode, kCrash, kOomScore, kCount, kFirstCandidate };

// Between the candidates and argv: one becomes the end of the first list, the other the shell.
constexpr int kSeparators = 2;

char shell[] = _PATH_BSHELL;

// -1 for anything but a short decimal number.
int ToNumber(const char* text) {
  int number = 0;
  for (const char* digit = text; *digit != '\0'; ++digit) {
    if (*digit < '0' || *digit > '9' || digit - text > 6) return -1;
    number = number * 10 + (*digit - '0');
  }
  return *text == '\0' ? -1 : number;
}

}  // namespace

bool IsSame(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}

bool ParseArguments(int count, char** arguments, char** environment, Arguments* parsed) {
  if (count <= kFirstCandidate) return false;
  const bool terminal = IsSame(arguments[kMode], kSuperviseTerminal);
  if (!terminal && !IsSame(arguments[kMode], kSupervise)) return false;
  const int candidate_count = ToNumber(arguments[kCount]);
  const int argv_at = kFirstCandidate + candidate_count + kSeparators;
  if (candidate_count < 1 || argv_at >= count) return false;
  parsed->leave_on_host_crash = IsSame(arguments[kCrash], kLeaveOnHostCrash);
  parsed->oom_score = arguments[kOomScore];
  parsed->command = {arguments + kFirstCandidate, arguments + argv_at, arguments + argv_at - 1, environment, terminal};
  arguments[argv_at - 2] = nullptr;
  arguments[argv_at - 1] = shell;
  return true;
}

}  // namespace quiesce::supervisor
