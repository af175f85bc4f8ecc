#include "range/cgroup_range.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/epoll.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <thread>

#include "os/file.h"
#include "os/sys.h"
#include "range/cgroup_control.h"

namespace quiesce {

namespace {

constexpr size_t kMaxIdle = 64;
// A folder is busy for a moment after its last process died: the kernel takes the process apart later.
constexpr int kRemoveAttempts = 50;
constexpr std::chrono::milliseconds kRemovePause{2};

// Tells the folders of several runtimes in one process apart.
std::atomic<unsigned> source_count{0};

bool RemoveWithPatience(const CgroupFolder& folder) {
  for (int attempt = 0; attempt < kRemoveAttempts; ++attempt) {
    if (folder.Remove().ok()) return true;
    std::this_thread::sleep_for(kRemovePause);
  }
  return false;
}

// The calls work with names below an open folder; whoever reads the error needs the whole path.
SysError Below(const std::string& folder, const SysError& error) {
  if (folder.empty()) return error;
  return {error.number, error.syscall, folder + (folder.ends_with('/') ? "" : "/") + error.path};
}

// A host that has run out of descriptors or memory says nothing of what it could enforce.
bool IsExhaustion(int error) { return error == EMFILE || error == ENFILE || error == ENOMEM; }

SpawnFailure FailureAt(const std::string& folder, const LimitRefusal& refusal) {
  const SysError error = Below(folder, refusal.error);
  if (IsExhaustion(error.number)) return {SpawnStage::kRange, error.number, error.path};
  return {SpawnStage::kLimits, error.number, error.path, NameOf(refusal.limit)};
}

}  // namespace

Result<ClonedChild> CgroupRange::Start(ChildPlan* plan, const ChildStack& stack) {
  return Launch(plan, folder_->fd(), stack);
}

void CgroupRange::Started(pid_t /*pid*/, int pidfd) { pidfd_ = pidfd; }

Result<bool> CgroupRange::IsEmpty() {
  auto events = folder_->ReadEvents();
  if (!events.ok()) {
    // ENODEV: somebody removed the folder, which the kernel allows only for an empty one.
    if (events.error().number == ENODEV) return true;
    return events.error();
  }
  return !events.value().populated;
}

TreeUsage CgroupRange::ReadUsage() {
  counted_ = true;
  return folder_->TakeUsage();
}

// What nobody asked for must not be counted to the next command.
std::unique_ptr<CgroupFolder> CgroupRange::TakeFolder() {
  if (!counted_) (void)folder_->TakeUsage();
  return std::move(folder_);
}

RangeWatch CgroupRange::watch() const { return {folder_->events_fd(), EPOLLPRI}; }

CgroupRangeSource::CgroupRangeSource(CgroupFolder lent, std::string name)
    : lent_(true), host_crash_(HostCrash::kEnd), own_name_(std::move(name)), own_(std::move(lent)) {
  own_freeze_.Reset(sys::OpenAt(own_->fd(), "cgroup.freeze", O_RDWR));
}

Status CgroupRangeSource::Open() {
  parent_.Reset(sys::OpenAt(AT_FDCWD, parent_path_.c_str(), O_RDONLY | O_DIRECTORY));
  if (!parent_.valid()) return SysError{errno, "open", parent_path_};
  // Elsewhere a folder could be made too, and only the files that it lacks would tell.
  struct statfs file_system {};
  if (fstatfs(parent_.get(), &file_system) == -1) return SysError{errno, "fstatfs", parent_path_};
  if (file_system.f_type != CGROUP2_SUPER_MAGIC) return SysError{ENOTSUP, "fstatfs", parent_path_};
  auto own = MakeOwnFolder(
      parent_.get(), [] { return source_count.fetch_add(1); }, host_crash_);
  if (!own.ok()) return Below(parent_path_, own.error());
  own_.emplace(std::move(own.value()));
  own_name_ = own_->name();
  // compat(kernel < 5.2): no such file, and nobody can freeze the folder.
  own_freeze_.Reset(sys::OpenAt(own_->fd(), "cgroup.freeze", O_RDWR));
  own_count_.fetch_add(1);
  return {};
}

// A command that may write here can freeze the folder above its own: the next one would stop between its clone and its
// execve, and the thread that clones with it.
void CgroupRangeSource::ThawOwn() {
  if (!own_freeze_.valid()) return;
  auto state = ReadAgain(own_freeze_.get());
  if (state.ok() && state.value().starts_with('1')) (void)sys::Write(own_freeze_.get(), "0", 1);
}

Result<CgroupFolder> CgroupRangeSource::CreateForCommand() {
  return CgroupFolder::Create(own_->fd(), "command-" + std::to_string(made_count_++));
}

Result<std::unique_ptr<Range>> CgroupRangeSource::Acquire() {
  const std::lock_guard lock(mutex_);
  if (!own_.has_value()) {
    if (lent_) return SysError{ENOENT, "open", own_name_};
    if (Status opened = Open(); !opened.ok()) return opened.error();
  }
  ThawOwn();
  while (!idle_.empty()) {
    std::unique_ptr<CgroupFolder> folder = std::move(idle_.back());
    idle_.pop_back();
    // Somebody else may have touched it meanwhile.
    if (folder->IsPristine()) return MakeRange(std::move(folder));
    Discard(std::move(folder));
  }
  auto made = CreateBelowOwn();
  if (!made.ok()) return made.error();
  return MakeRange(std::move(made.value()));
}

Result<std::unique_ptr<CgroupFolder>> CgroupRangeSource::CreateBelowOwn() {
  auto made = CreateForCommand();
  if (!made.ok() && made.error().number == ENOENT && !lent_) {
    // The folder above was removed, which anybody with the right to may do while no command runs in it.
    lost_.push_back(std::move(*own_));
    own_.reset();
    if (Status opened = Open(); !opened.ok()) return opened.error();
    made = CreateForCommand();
  }
  if (!made.ok()) return Below(parent_path_, Below(own_name_, made.error()));
  return std::make_unique<CgroupFolder>(std::move(made.value()));
}

// A new folder for each: limits and counters of a former command would stay in it.
RangeSource::Limited CgroupRangeSource::AcquireLimited(const RangeLimits& limits) {
  const auto failed = [](const SysError& error) { return SpawnFailure{SpawnStage::kRange, error.number, error.path}; };
  const std::lock_guard lock(mutex_);
  if (!own_.has_value()) {
    if (Status opened = Open(); !opened.ok()) return failed(opened.error());
  }
  ThawOwn();
  auto made = CreateBelowOwn();
  if (!made.ok()) return failed(made.error());
  auto folder = std::move(made.value());
  if (auto failure = Hold(folder.get(), limits); failure.has_value()) {
    Discard(std::move(folder));
    return std::move(*failure);
  }
  return MakeRange(std::move(folder));
}

// Controllers come down from folder to folder: where the one above the own one has none, or holds processes, there are
// none to be had.
std::optional<SpawnFailure> CgroupRangeSource::Hold(CgroupFolder* folder, const RangeLimits& limits) {
  const std::string own_path = Below(parent_path_, {0, "", own_name_}).path;
  folder->MarkLimited();
  const UniqueFd above(sys::OpenAt(own_->fd(), "..", O_RDONLY | O_DIRECTORY));
  if (!above.valid()) return SpawnFailure{SpawnStage::kRange, errno, own_path + "/.."};
  if (auto refusal = CgroupControl(above.get()).HandDown(limits)) return FailureAt(parent_path_, *refusal);
  if (auto refusal = CgroupControl(own_->fd()).HandDown(limits)) return FailureAt(own_path, *refusal);
  if (auto refusal = CgroupControl(folder->fd()).Hold(limits)) {
    return FailureAt(Below(own_path, {0, "", folder->name()}).path, *refusal);
  }
  return std::nullopt;
}

void CgroupRangeSource::Release(std::unique_ptr<Range> range) {
  const std::lock_guard lock(mutex_);
  auto folder = static_cast<CgroupRange&>(*range).TakeFolder();
  // It was just seen to be empty; Acquire looks again before it is used.
  if (removes_ && idle_.size() < kMaxIdle && !folder->killed() && !folder->limited() && !folder->HasNested()) {
    idle_.push_back(std::move(folder));
  } else {
    Discard(std::move(folder));
  }
}

void CgroupRangeSource::Discard(std::unique_ptr<CgroupFolder> folder) {
  if (!removes_) return;
  busy_.push_back(std::move(folder));
  std::erase_if(busy_, [](const auto& busy) { return busy->Remove().ok(); });
}

void CgroupRangeSource::StopRemoving() {
  const std::lock_guard lock(mutex_);
  removes_ = false;
  idle_.clear();
  busy_.clear();
}

// An idle folder holds three descriptors.
void CgroupRangeSource::Spare() {
  const std::lock_guard lock(mutex_);
  for (auto& folder : idle_) Discard(std::move(folder));
  idle_.clear();
}

void CgroupRangeSource::KillAll() {
  const std::lock_guard lock(mutex_);
  if (own_.has_value()) own_->KillMembers();
}

std::optional<HeldFolder> CgroupRangeSource::Held() {
  const std::lock_guard lock(mutex_);
  if (!own_.has_value() || lent_ || host_crash_ == HostCrash::kLeave) return std::nullopt;
  const auto duplicate = [](int fd) { return UniqueFd(fcntl(fd, F_DUPFD_CLOEXEC, 0)); };
  HeldFolder held{duplicate(parent_.get()), duplicate(own_->fd()), own_->name()};
  if (!held.parent.valid() || !held.folder.valid()) return std::nullopt;
  return held;
}

void CgroupRangeSource::Sweep() {
  if (lent_) return;
  const UniqueFd parent(sys::OpenAt(AT_FDCWD, parent_path_.c_str(), O_RDONLY | O_DIRECTORY));
  struct statfs file_system {};
  if (!parent.valid() || fstatfs(parent.get(), &file_system) == -1) return;
  if (file_system.f_type == CGROUP2_SUPER_MAGIC) SweepOwnFolders(parent.get());
}

void CgroupRangeSource::Close() {
  const std::lock_guard lock(mutex_);
  for (const auto& folder : idle_) (void)RemoveWithPatience(*folder);  // the removal of the parent tells
  for (const auto& folder : busy_) (void)RemoveWithPatience(*folder);
  idle_.clear();
  busy_.clear();
  if (own_.has_value() && !lent_)
    (void)RemoveWithPatience(*own_);  // a stranger's folder inside keeps it: nothing to be done
  own_.reset();
  lost_.clear();
  own_freeze_.Reset();
  parent_.Reset();
}

}  // namespace quiesce
