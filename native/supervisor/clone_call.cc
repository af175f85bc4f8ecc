#include "supervisor/clone_call.h"

// The old clone call: seccomp filters of containers know it, and refuse clone3.
#if defined(__x86_64__)
asm(R"(
  .pushsection .text
  .globl quiesce_clone_sharing
  .type quiesce_clone_sharing, @function
quiesce_clone_sharing:
  mov %rdx, %r9
  mov %rcx, %r8
  xor %edx, %edx
  xor %r10d, %r10d
  mov $56, %eax
  syscall
  test %rax, %rax
  jz 1f
  ret
1:
  xor %ebp, %ebp
  mov %r8, %rdi
  call *%r9
  hlt
  .size quiesce_clone_sharing, .-quiesce_clone_sharing
  .popsection
)");
#elif defined(__aarch64__)
asm(R"(
  .pushsection .text
  .globl quiesce_clone_sharing
  .type quiesce_clone_sharing, %function
quiesce_clone_sharing:
  mov x9, x2
  mov x10, x3
  mov x2, xzr
  mov x3, xzr
  mov x4, xzr
  mov x8, #220
  svc #0
  cbz x0, 1f
  ret
1:
  mov x29, xzr
  mov x30, xzr
  mov x0, x10
  blr x9
  brk #0
  .size quiesce_clone_sharing, .-quiesce_clone_sharing
  .popsection
)");
#endif
