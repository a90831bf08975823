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

/// Waits until no process has a file open for writing, so that it can be started.
///
/// A process that is being started inherits the files that another thread has open, and closes them only when its program
/// begins. As long as one of them is open for writing, execve fails with ETXTBSY ("Text file busy").
///
/// @param path The file.
/// @param milliseconds The longest time to wait.
/// @return 0 without a writer, or if the file system does not report one; ETXTBSY after the time.
int bitpal_await_writers(const char *path, int milliseconds);

#endif
