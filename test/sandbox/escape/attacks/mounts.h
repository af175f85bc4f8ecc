// Steps that attacks take with the rights of a mount namespace, their own or the one that they are in.
#pragma once
#include <stdbool.h>

bool ClearReadOnly(int folder, const char* path, unsigned flags);
/** Mounts a folder and what is below it over another, writable as far as the kernel lets it. */
bool BindOver(const char* from, const char* over);

bool BindAndWrite(void);
bool PivotAndWrite(void);
bool ChrootAndWrite(void);
