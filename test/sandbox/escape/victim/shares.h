// What a process outside shares with others by names: sockets, memory, a queue, a terminal, a key.
#pragma once

/** Makes all of it; ends the program where that fails. */
void MakeShares(void);
/** Where it is, as fields of a JSON object. */
void PrintShares(void);
/** What was done to it, likewise. */
void PrintStateOfShares(void);
