// Native facts as JavaScript values, in the shapes that src/native/binding.ts declares.
#pragma once

#include <napi.h>

#include "addon/outbox.h"

namespace quiesce {

Napi::Object ToObject(Napi::Env env, const Event& event);
Napi::Object ToObject(Napi::Env env, const SysError& error);

}  // namespace quiesce
