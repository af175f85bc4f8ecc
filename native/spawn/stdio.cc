#include "spawn/stdio.h"

#include <fcntl.h>

#include <cerrno>

#include "os/file.h"
#include "os/sys.h"

namespace quiesce {

Status Stdio::Add(UniqueFd owned, int target) {
  // Low numbers are free only in a host that closed its own standard streams.
  if (owned.get() < kFirstFreeDescriptor) {
    owned.Reset(fcntl(owned.get(), F_DUPFD_CLOEXEC, kFirstFreeDescriptor));
    if (!owned.valid()) return SysError{errno, "fcntl", {}};
  }
  const int fd = owned.get();
  sources_.push_back({std::move(owned), fd, target});
  return {};
}

Status Stdio::OpenInput(InputRequest* request, int null_device) {
  if (request->mode == StreamMode::kDescriptor) return Add(std::move(request->descriptor), STDIN_FILENO);
  if (request->mode != StreamMode::kData) {
    AddBorrowed(null_device, STDIN_FILENO);
    return {};
  }
  auto made = MakePipe();
  if (!made.ok()) return made.error();
  UniqueFd writer = std::move(made.value().writer);
  if (Status set = SetNonBlocking(writer.get()); !set.ok()) return set;
  // What fits into the pipe needs nobody who waits for the command to read.
  const ssize_t written = sys::Write(writer.get(), request->data.data(), request->data.size());
  if (written == -1 && errno != EAGAIN) return SysError{errno, "write", {}};
  if (written < static_cast<ssize_t>(request->data.size())) {
    host_.remaining_data = request->data.substr(written > 0 ? static_cast<size_t>(written) : 0);
    host_.input = std::move(writer);
  }
  return Add(std::move(made.value().reader), STDIN_FILENO);
}

Status Stdio::OpenOutput(OutputRequest* request, int null_device, int target, UniqueFd* reader) {
  switch (request->mode) {
    case StreamMode::kDescriptor:
      return Add(std::move(request->descriptor), target);
    case StreamMode::kInherit: {
      UniqueFd copy(fcntl(target, F_DUPFD_CLOEXEC, kFirstFreeDescriptor));
      if (!copy.valid()) return SysError{errno, "fcntl", {}};
      // Node makes its own standard streams non-blocking where they are pipes, and the flag belongs to the open file,
      // not to the descriptor: a command would see EAGAIN, which hardly any program expects.
      if (Status set = SetBlocking(copy.get()); !set.ok()) return set;
      return Add(std::move(copy), target);
    }
    case StreamMode::kCollect: {
      auto made = MakePipe();
      if (!made.ok()) return made.error();
      if (Status set = SetNonBlocking(made.value().reader.get()); !set.ok()) return set;
      *reader = std::move(made.value().reader);
      return Add(std::move(made.value().writer), target);
    }
    default:
      AddBorrowed(null_device, target);
      return {};
  }
}

Status Stdio::OpenStreams(SpawnRequest* request, int null_device) {
  if (Status made = OpenInput(&request->input, null_device); !made.ok()) return made;
  Status made = OpenOutput(&request->output, null_device, STDOUT_FILENO, &host_.output);
  if (!made.ok()) return made;
  return OpenOutput(&request->error, null_device, STDERR_FILENO, &host_.error);
}

Status Stdio::OpenTerminal(UniqueFd terminal) {
  if (Status made = Add(std::move(terminal), STDIN_FILENO); !made.ok()) return made;
  const int fd = sources_.back().fd;
  AddBorrowed(fd, STDOUT_FILENO);
  AddBorrowed(fd, STDERR_FILENO);
  terminal_ = true;
  return {};
}

Result<Stdio> Stdio::Open(SpawnRequest* request, int null_device) {
  Stdio stdio;
  Status made = request->terminal.valid() ? stdio.OpenTerminal(std::move(request->terminal))
                                          : stdio.OpenStreams(request, null_device);
  if (!made.ok()) return made.error();
  if (request->control.valid()) {
    made = stdio.Add(std::move(request->control), kControlDescriptor);
    if (!made.ok()) return made.error();
  }
  if (request->attachment.has_value()) {
    auto file = MakeSealedFile(*request->attachment);
    if (!file.ok()) return file.error();
    made = stdio.Add(std::move(file.value()), kAttachmentDescriptor);
    if (!made.ok()) return made.error();
  }
  return stdio;
}

void Stdio::FillPlan(ChildPlan* plan) const {
  plan->controlling_terminal = terminal_;
  unsigned next = STDERR_FILENO + 1;
  for (const Source& source : sources_) {  // in ascending order of their targets
    plan->descriptors[plan->descriptor_count++] = {source.fd, source.target};
    const auto target = static_cast<unsigned>(source.target);
    if (target < next) continue;
    if (target > next) plan->closings[plan->closing_count++] = {next, target - 1};
    next = target + 1;
  }
  plan->closings[plan->closing_count++] = {next, ~0U};
}

}  // namespace quiesce
