#define _GNU_SOURCE
#include "CSpawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

static int start(
  pid_t *child, const char *path, char *const words[], char *const variables[], const char *folder, const int theirs[3]
) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int code = posix_spawn_file_actions_init(&actions);
  if (code != 0) return code;
  code = posix_spawnattr_init(&attributes);
  if (code != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return code;
  }
  for (int place = 0; place < 3 && code == 0; place++) {
    code = posix_spawn_file_actions_adddup2(&actions, theirs[place], place);
  }
  if (code == 0) code = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  if (code == 0) code = posix_spawn_file_actions_addchdir_np(&actions, folder);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  if (code == 0) code = posix_spawnattr_setsigmask(&attributes, &none);
  if (code == 0) code = posix_spawnattr_setsigdefault(&attributes, &all);
  if (code == 0) code = posix_spawnattr_setpgroup(&attributes, 0);
  if (code == 0) {
    code = posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  if (code == 0) code = posix_spawn(child, path, &actions, &attributes, words, variables);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

int bitpal_spawn(
  pid_t *child, const char *path, char *const words[], char *const variables[], const char *folder, int pipes[3]
) {
  int ends[3][2];
  for (int place = 0; place < 3; place++) {
    if (pipe2(ends[place], O_CLOEXEC) == 0) continue;
    int code = errno;
    while (place-- > 0) {
      close(ends[place][0]);
      close(ends[place][1]);
    }
    return code;
  }
  const int theirs[3] = {ends[0][0], ends[1][1], ends[2][1]};
  const int ours[3] = {ends[0][1], ends[1][0], ends[2][0]};
  int code = start(child, path, words, variables, folder, theirs);
  for (int place = 0; place < 3; place++) {
    close(theirs[place]);
    if (code != 0) close(ours[place]);
    else fcntl(ours[place], F_SETFL, O_NONBLOCK);
    pipes[place] = ours[place];
  }
  return code;
}

int bitpal_await_writers(const char *path, int milliseconds) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  int is_written = 0;
  for (int past = 0;; past++) {
    /* The kernel gives a lease for reading while the file has no writer, which is also the condition of execve. */
    is_written = fcntl(file, F_SETLEASE, F_RDLCK) != 0 && errno == EAGAIN;
    if (!is_written || past >= milliseconds) break;
    poll(NULL, 0, 1);
  }
  close(file);
  return is_written ? ETXTBSY : 0;
}
