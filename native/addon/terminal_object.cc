#include "addon/terminal_object.h"

#include "addon/event_batch.h"
#include "terminal/foreground.h"

namespace quiesce {

Napi::Function TerminalObject::Define(Napi::Env env) {
  return DefineClass(env, "Terminal",
                     {
                         InstanceAccessor<&TerminalObject::GetId>("id"),
                         InstanceAccessor<&TerminalObject::GetPid>("pid"),
                         InstanceMethod<&TerminalObject::Terminate>("terminate"),
                         InstanceMethod<&TerminalObject::Kill>("kill"),
                         InstanceMethod<&TerminalObject::GetTrouble>("trouble"),
                         InstanceMethod<&TerminalObject::Take>("take"),
                         InstanceMethod<&TerminalObject::Write>("write"),
                         InstanceMethod<&TerminalObject::Resize>("resize"),
                         InstanceMethod<&TerminalObject::GetForeground>("foreground"),
                         InstanceMethod<&TerminalObject::IsInputWanted>("inputWanted"),
                     });
}

Napi::Value TerminalObject::Make(const Napi::FunctionReference& constructor, std::shared_ptr<Runtime> runtime,
                                 Runtime::InTerminal spawned) {
  // Empty when the environment is being terminated, as in ProcessObject::Make.
  const Napi::Object object = constructor.New({});
  TerminalObject* self = object.IsEmpty() ? nullptr : Unwrap(object);
  if (self == nullptr) return {};
  self->runtime_ = std::move(runtime);
  self->process_ = std::move(spawned.process);
  self->terminal_ = std::move(spawned.terminal);
  return object;
}

Napi::Value TerminalObject::GetId(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(process_->id()));
}

Napi::Value TerminalObject::GetPid(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), process_->pid());
}

void TerminalObject::Terminate(const Napi::CallbackInfo& /*info*/) { runtime_->Terminate(process_); }

void TerminalObject::Kill(const Napi::CallbackInfo& /*info*/) { runtime_->Kill(process_); }

Napi::Value TerminalObject::GetTrouble(const Napi::CallbackInfo& info) {
  return ToObject(info.Env(), process_->trouble());
}

Napi::Value TerminalObject::Take(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const TerminalOutput taken = terminal_->Take(info[0].As<Napi::Number>().Uint32Value());
  if (taken.bytes.empty()) return Napi::Boolean::New(env, taken.ended);
  return Napi::Buffer<uint8_t>::Copy(env, taken.bytes.data(), taken.bytes.size());
}

Napi::Value TerminalObject::Write(const Napi::CallbackInfo& info) {
  const auto bytes = info[0].As<Napi::Uint8Array>();
  const WriteAnswer answer = terminal_->Write({reinterpret_cast<const char*>(bytes.Data()), bytes.ByteLength()});
  return Napi::Number::New(info.Env(), static_cast<int>(answer));
}

void TerminalObject::Resize(const Napi::CallbackInfo& info) {
  terminal_->Resize({static_cast<uint16_t>(info[0].As<Napi::Number>().Uint32Value()),
                     static_cast<uint16_t>(info[1].As<Napi::Number>().Uint32Value())});
}

Napi::Value TerminalObject::GetForeground(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), terminal_->foreground());
}

Napi::Value TerminalObject::IsInputWanted(const Napi::CallbackInfo& info) {
  const pid_t group = info[0].As<Napi::Number>().Int32Value();
  return Napi::Boolean::New(info.Env(), WaitsForInput(group, terminal_->device()));
}

}  // namespace quiesce
