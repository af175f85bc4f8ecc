#include "os/file.h"

#include <sys/mman.h>

#include <array>

#include "os/sys.h"

namespace quiesce {

Result<std::string> ReadFileAt(int folder, const char* path) {
  UniqueFd fd(sys::OpenAt(folder, path, O_RDONLY));
  if (!fd.valid()) return SysError{errno, "open", path};
  std::string content;
  std::array<char, 4096> chunk;
  while (true) {
    const ssize_t count = sys::Read(fd.get(), chunk.data(), chunk.size());
    if (count == -1) return SysError{errno, "read", path};
    if (count == 0) return content;
    content.append(chunk.data(), static_cast<size_t>(count));
  }
}

Status WriteFileAt(int folder, const char* path, std::string_view text) {
  UniqueFd fd(sys::OpenAt(folder, path, O_WRONLY));
  if (!fd.valid()) return SysError{errno, "open", path};
  if (sys::Write(fd.get(), text.data(), text.size()) == -1) return SysError{errno, "write", path};
  return {};
}

Result<std::string> ReadAgain(int fd) {
  std::string content;
  std::array<char, 512> chunk;
  while (true) {
    const ssize_t count = sys::RetryInterrupted(
        [&] { return pread(fd, chunk.data(), chunk.size(), static_cast<off_t>(content.size())); });
    if (count == -1) return SysError{errno, "pread", {}};
    content.append(chunk.data(), static_cast<size_t>(count));
    if (static_cast<size_t>(count) < chunk.size()) return content;
  }
}

namespace {

Status WriteAll(int fd, std::string_view data) {
  while (!data.empty()) {
    const ssize_t written = sys::Write(fd, data.data(), data.size());
    if (written == -1) return SysError{errno, "write", {}};
    data.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

}  // namespace

Result<UniqueFd> MakeSealedFile(std::string_view content) {
  UniqueFd file(memfd_create("quiesce", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file.valid()) return SysError{errno, "memfd_create", {}};
  if (Status written = WriteAll(file.get(), content); !written.ok()) return written.error();
  if (lseek(file.get(), 0, SEEK_SET) == -1) return SysError{errno, "lseek", {}};
  if (fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) == -1) {
    return SysError{errno, "fcntl", {}};
  }
  return file;
}

Result<Pipe> MakePipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) == -1) return SysError{errno, "pipe2", {}};
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

Status SetBlocking(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  if (flags == -1 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == -1) return SysError{errno, "fcntl", {}};
  return {};
}

Status SetNonBlocking(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  if (flags == -1 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) == -1) return SysError{errno, "fcntl", {}};
  return {};
}

}  // namespace quiesce
