// Loaded before all other libraries into the processes of a program (LD_PRELOAD), such as make and the shell:
// a compiler that is called by its whole path, as /usr/local/cuda/bin/nvcc, is replaced by our wrapper, which
// WARPLENS_FRONT names. Processes that the wrapper starts have an empty WARPLENS_FRONT.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int (*Exec)(const char*, char* const[]);
typedef int (*ExecWithEnvironment)(const char*, char* const[], char* const[]);
typedef int (*Spawn)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const[],
                     char* const[]);

static Exec real_execv, real_execvp;
static ExecWithEnvironment real_execve, real_execvpe;
static Spawn real_spawn, real_spawnp;

// Once and early: a child of vfork shares its memory with the parent.
__attribute__((constructor)) static void look_up(void) {
  real_execv = (Exec)dlsym(RTLD_NEXT, "execv");
  real_execvp = (Exec)dlsym(RTLD_NEXT, "execvp");
  real_execve = (ExecWithEnvironment)dlsym(RTLD_NEXT, "execve");
  real_execvpe = (ExecWithEnvironment)dlsym(RTLD_NEXT, "execvpe");
  real_spawn = (Spawn)dlsym(RTLD_NEXT, "posix_spawn");
  real_spawnp = (Spawn)dlsym(RTLD_NEXT, "posix_spawnp");
}

static const char* chosen(const char* path) {
  const char* front = getenv("WARPLENS_FRONT");
  const char* name = path == NULL ? NULL : strrchr(path, '/');
  if (front == NULL || front[0] == 0 || name == NULL || strcmp(name, "/nvcc") != 0) return path;
  return front;
}

int execv(const char* path, char* const words[]) { return real_execv(chosen(path), words); }
int execvp(const char* path, char* const words[]) { return real_execvp(chosen(path), words); }
int execve(const char* path, char* const words[], char* const variables[]) {
  return real_execve(chosen(path), words, variables);
}
int execvpe(const char* path, char* const words[], char* const variables[]) {
  return real_execvpe(chosen(path), words, variables);
}
int posix_spawn(pid_t* made, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const words[], char* const variables[]) {
  return real_spawn(made, chosen(path), actions, attributes, words, variables);
}
int posix_spawnp(pid_t* made, const char* path, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const words[], char* const variables[]) {
  return real_spawnp(made, chosen(path), actions, attributes, words, variables);
}
