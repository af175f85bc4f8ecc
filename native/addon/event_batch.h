// Events in the flat form in which they cross the border to JavaScript (src/native/binding.ts): one array of numbers
// for all that happened since the last time.
#pragma once

#include <napi.h>

#include <vector>

#include "addon/outbox.h"

namespace quiesce {

enum EventField : size_t {
  kProcessIdField,
  kKindField,
  kFirstFactField,
  kEventFields = 14,
};

enum class EventKind : int {
  kFailed = 0,
  kSettled = 1,
  kQuiescent = 2,
  kUnobservable = 3,
  kUnguarded = 4,
  kStarted = 5,
  kReadable = 6,
  kWritten = 7
};

Napi::Float64Array ToBatch(Napi::Env env, const std::vector<Event>& events);

Napi::Object ToObject(Napi::Env env, const SysError& error);

}  // namespace quiesce
