#ifndef BITPAL_CSPAWN_H
#define BITPAL_CSPAWN_H

#include <sys/types.h>

/// Starts a program in a process group of its own, with the default action for every signal, none blocked, and no open
/// files except three. It needs extensions of glibc that Swift cannot call.
///
/// @param child Receives the process id.
/// @param path The absolute path of the program.
/// @param words The arguments, beginning with the program's name and ended by NULL.
/// @param variables The environment, ended by NULL.
/// @param folder The working folder.
/// @param pipes Receives the caller's ends of three pipes: standard input for writing, standard output and standard
///   error for reading. All are closed by exec and are non-blocking. They are valid only when 0 is returned.
/// @return The error number; 0 on success.
int bitpal_spawn(
  pid_t *child, const char *path, char *const words[], char *const variables[], const char *folder, int pipes[3]);

#endif
