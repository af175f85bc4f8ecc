// What libc would bring: the entry point, and the functions that a compiler may call by itself.
#include <cstddef>

#include "supervisor/raw_calls.h"
#include "supervisor/supervise.h"

#if defined(__x86_64__)
asm(R"(
  .pushsection .text
  .globl _start
  .type _start, @function
_start:
  xor %ebp, %ebp
  mov %rsp, %rdi
  and $-16, %rsp
  call quiesce_supervisor_start
  hlt
  .size _start, .-_start
  .popsection
)");
#elif defined(__aarch64__)
asm(R"(
  .pushsection .text
  .globl _start
  .type _start, %function
_start:
  mov x29, xzr
  mov x30, xzr
  mov x0, sp
  bl quiesce_supervisor_start
  brk #0
  .size _start, .-_start
  .popsection
)");
#endif

extern "C" {

void* memcpy(void* target, const void* source, size_t size) {
  auto* to = static_cast<char*>(target);
  const auto* from = static_cast<const char*>(source);
  for (size_t i = 0; i < size; ++i) {
    to[i] = from[i];
    asm volatile("" : : : "memory");  // or the compiler would see a memcpy in it
  }
  return target;
}

void* memset(void* target, int value, size_t size) {
  auto* to = static_cast<char*>(target);
  for (size_t i = 0; i < size; ++i) {
    to[i] = static_cast<char>(value);
    asm volatile("" : : : "memory");  // as above
  }
  return target;
}

// The kernel's layout: argc, argv, null, environment, null.
[[noreturn]] void quiesce_supervisor_start(quiesce::supervisor::Word* stack) {
  const auto count = static_cast<int>(stack[0]);
  auto** arguments = reinterpret_cast<char**>(stack + 1);
  const int status = quiesce::supervisor::Main(count, arguments, arguments + count + 1);
  while (true) quiesce::supervisor::Call(SYS_exit_group, status);
}

}  // extern "C"
