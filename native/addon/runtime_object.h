// JavaScript's handle on one subprocess runtime. Methods and shapes: src/native/binding.ts.
#pragma once

#include <napi.h>

#include <memory>

#include "reactor/runtime.h"

namespace quiesce {

class RuntimeObject : public Napi::ObjectWrap<RuntimeObject> {
 public:
  static Napi::Function Define(Napi::Env env);

  explicit RuntimeObject(const Napi::CallbackInfo& info);

 private:
  Napi::Value Id(const Napi::CallbackInfo& info);
  Napi::Value Spawn(const Napi::CallbackInfo& info);
  Napi::Value SpawnTerminal(const Napi::CallbackInfo& info);
  Napi::Value ClaimSpill(const Napi::CallbackInfo& info);
  Napi::Value Close(const Napi::CallbackInfo& info);

  [[nodiscard]] std::shared_ptr<Engine> GetEngine(Napi::Env env) const;

  std::shared_ptr<Runtime> runtime_;
};

}  // namespace quiesce
