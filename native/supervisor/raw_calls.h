// System calls without libc: the result, or a negative errno.
#pragma once

#include <sys/syscall.h>

#include <cerrno>

namespace quiesce::supervisor {

// The kernel's word: long on every architecture.
using Word = long;  // NOLINT(google-runtime-int)

inline Word Call6(Word number, Word a, Word b, Word c, Word d, Word e, Word f) {
#if defined(__x86_64__)
  Word result = number;
  register Word r10 asm("r10") = d;
  register Word r8 asm("r8") = e;
  register Word r9 asm("r9") = f;
  asm volatile("syscall" : "+a"(result) : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register Word x8 asm("x8") = number;
  register Word x0 asm("x0") = a;
  register Word x1 asm("x1") = b;
  register Word x2 asm("x2") = c;
  register Word x3 asm("x3") = d;
  register Word x4 asm("x4") = e;
  register Word x5 asm("x5") = f;
  asm volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
#else
#error "the supervisor is for x86_64 and aarch64"
#endif
}

template <typename Argument>
Word ToWord(Argument argument) {
  return (Word)argument;  // NOLINT: a pointer or a number, as the kernel takes both
}

template <typename... Arguments>
Word Call(Word number, Arguments... arguments) {
  const Word all[6] = {ToWord(arguments)...};
  return Call6(number, all[0], all[1], all[2], all[3], all[4], all[5]);
}

template <typename... Arguments>
Word CallAgain(Word number, Arguments... arguments) {
  Word result = 0;
  do {
    result = Call(number, arguments...);
  } while (result == -EINTR);
  return result;
}

}  // namespace quiesce::supervisor
