#ifndef BITPAL_CSPAWN_H
#define BITPAL_CSPAWN_H

#include <sys/types.h>

/// Starts a program in a process group of its own, with every signal as it is by default and none blocked, and with no
/// open files but three. Swift cannot call what this takes of glibc's extensions.
///
/// @param path The program, absolute.
/// @param words Its arguments, the first its name, and NULL.
/// @param variables Its environment, and NULL.
/// @param folder Where it runs.
/// @param pipes The ends of three pipes that are left to the caller: standard input to write to, standard output and
///   standard error to read from. All are closed by exec, and none blocks.
/// @return The error number; 0 for none.
int bitpal_spawn(
  pid_t *child, const char *path, char *const words[], char *const variables[], const char *folder, int pipes[3]);

#endif
