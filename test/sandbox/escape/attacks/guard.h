// Keeps attacks out of the machine's own namespaces.
#pragma once

/** Null if every namespace that attacks could spoil is a disposable one, else which one is not. */
const char* WhyNotHere(void);
