// The stack of a child between clone and execve: one for each spawner thread, with a guard page below it.
#pragma once

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>

#include "os/result.h"

namespace quiesce {

class ChildStack {
 public:
  static Result<ChildStack> Create() {
    void* base = mmap(nullptr, kGuard + kSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (base == MAP_FAILED) return SysError{errno, "mmap", {}};
    ChildStack stack(static_cast<char*>(base));
    if (mprotect(stack.bottom(), kSize, PROT_READ | PROT_WRITE) == -1) return SysError{errno, "mprotect", {}};
    return stack;
  }
  ChildStack(ChildStack&& other) noexcept : base_(other.base_) { other.base_ = nullptr; }
  ChildStack& operator=(ChildStack&&) = delete;
  ChildStack(const ChildStack&) = delete;
  ChildStack& operator=(const ChildStack&) = delete;
  ~ChildStack() {
    if (base_ != nullptr) (void)munmap(base_, kGuard + kSize);
  }

  [[nodiscard]] char* bottom() const { return base_ + kGuard; }
  [[nodiscard]] char* top() const { return bottom() + kSize; }
  [[nodiscard]] static constexpr size_t size() { return kSize; }

 private:
  static constexpr size_t kGuard = size_t{64} * 1024;  // at least one page on every architecture
  static constexpr size_t kSize = size_t{64} * 1024;

  explicit ChildStack(char* base) : base_(base) {}

  char* base_;
};

}  // namespace quiesce
