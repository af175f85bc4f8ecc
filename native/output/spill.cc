#include "output/spill.h"

#include <cerrno>

#include "os/sys.h"

namespace quiesce {

void Spill::Append(std::vector<uint8_t> bytes) {
  {
    const std::lock_guard lock(mutex_);
    pending_ += bytes.size();
    ++jobs_;
  }
  thread_->Submit([self = shared_from_this(), bytes = std::move(bytes)] {
    self->Write(bytes);
    self->Done(bytes.size());
  });
}

void Spill::Finish() {
  {
    const std::lock_guard lock(mutex_);
    ++jobs_;
  }
  thread_->Submit([self = shared_from_this()] {
    self->Close();
    self->Done(0);
  });
}

void Spill::Discard() {
  {
    const std::lock_guard lock(mutex_);
    withdrawn_ = true;
    path_.clear();
    ++jobs_;
  }
  thread_->Submit([self = shared_from_this()] {
    self->gave_up_ = true;
    self->file_.Reset();
    if (!self->file_path_.empty()) self->folder_->Remove(self->file_path_);
    self->Done(0);
  });
}

bool Spill::congested() const {
  const std::lock_guard lock(mutex_);
  return pending_ > kMaxPending;
}

bool Spill::idle() const {
  const std::lock_guard lock(mutex_);
  return jobs_ == 0;
}

std::string Spill::path() const {
  const std::lock_guard lock(mutex_);
  return path_;
}

std::optional<SysError> Spill::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

void Spill::Write(const std::vector<uint8_t>& bytes) {
  if (gave_up_) return;
  if (file_path_.empty()) {
    auto created = folder_->Create(stream_name_);
    if (!created.ok()) return GiveUp(created.error());
    file_ = std::move(created.value().fd);
    file_path_ = std::move(created.value().path);
    const std::lock_guard lock(mutex_);
    if (!withdrawn_) path_ = file_path_;
  }
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t written = sys::Write(file_.get(), bytes.data() + at, bytes.size() - at);
    if (written == -1) return GiveUp(SysError{errno, "write", file_path_});
    at += static_cast<size_t>(written);
  }
}

void Spill::Close() {
  if (gave_up_ || file_path_.empty()) return;
  // Some file systems tell only now that a write has failed.
  if (::close(file_.Release()) == -1 && errno != EINTR) GiveUp(SysError{errno, "close", file_path_});
}

void Spill::GiveUp(SysError error) {
  gave_up_ = true;
  file_.Reset();
  if (!file_path_.empty()) folder_->Remove(file_path_);
  const std::lock_guard lock(mutex_);
  path_.clear();
  if (!withdrawn_) error_ = std::move(error);
}

void Spill::Done(size_t size) {
  bool drained = false;
  {
    const std::lock_guard lock(mutex_);
    const bool was_large = pending_ > kMaxPending / 2;
    pending_ -= size;
    --jobs_;
    drained = jobs_ == 0 || (was_large && pending_ <= kMaxPending / 2);
  }
  if (drained) drained_();
}

}  // namespace quiesce
