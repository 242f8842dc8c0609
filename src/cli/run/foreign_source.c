/* foreign_source.c -- see foreign_source.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/foreign_source.h"

#include "base/escape.h"
#include "cli/data_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A pipe that no other program gets. */
static bool own_pipe(int end[2])
{
    return pipe(end) == 0 && fcntl(end[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(end[1], F_SETFD, FD_CLOEXEC) == 0;
}

/* python3 -B -W ignore SCRIPT KIND PATH, with `out` and `err` for its output. */
static int spawn(struct mw_foreign_source *f, char *script, const char *kind,
                 const char *path, const int out[2], int err)
{
    extern char **environ;
    posix_spawn_file_actions_t to;
    char *const argv[] = {(char[]){"python3"},
                          (char[]){"-W"},
                          (char[]){"ignore"},
                          (char[]){"-B"},
                          script,
                          (char *)(uintptr_t)kind,
                          (char *)(uintptr_t)path,
                          NULL};
    int why = posix_spawn_file_actions_init(&to);
    if (why != 0)
        return why;
    why = posix_spawn_file_actions_adddup2(&to, out[1], STDOUT_FILENO);
    if (why == 0)
        why = posix_spawn_file_actions_adddup2(&to, err, STDERR_FILENO);
    if (why == 0)
        why =
            posix_spawn_file_actions_addopen(&to, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (why == 0)
        why = posix_spawnp(&f->pid, argv[0], &to, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&to);
    return why;
}

int mw_foreign_start(struct mw_foreign_source *f, const char *kind, const char *path,
                     int *text)
{
    int out[2] = {-1, -1}, why = 0;
    char *folder = mw_data_folder("tools", "tools");
    char *script = folder != NULL ? mw_text_join(folder, "/", "meshway_read.py") : NULL;
    f->pid = 0;
    f->messages = tmpfile(); /* and no pipe, which somebody would have to read */
    if (script == NULL || access(script, R_OK) != 0)
        why = ENOENT;
    else if (f->messages == NULL || !own_pipe(out))
        why = errno;
    else
        why = spawn(f, script, kind, path, out, fileno(f->messages));
    free(folder);
    free(script);
    if (out[1] >= 0)
        close(out[1]);
    if (why == 0) {
        *text = out[0];
        return MW_OK;
    }
    if (out[0] >= 0)
        close(out[0]);
    if (f->messages != NULL)
        fclose(f->messages);
    f->pid = 0;
    return mw_fail(MW_ERR_UNAVAILABLE,
                   "%s: read by Python, but python3 or share/meshway/tools of the "
                   "installation is missing (%s)",
                   path, strerror(why));
}

static int wait_for(struct mw_foreign_source *f)
{
    int status = 0;
    while (waitpid(f->pid, &status, 0) < 0 && errno == EINTR)
        ;
    f->pid = 0;
    return status;
}

/* The last line of `text`, which has n bytes. */
static char *last_line(char *text, size_t n)
{
    while (n > 0 && text[n - 1] == '\n')
        n--;
    text[n] = '\0';
    char *const end = strrchr(text, '\n');
    return end != NULL ? end + 1 : text;
}

int mw_foreign_end(struct mw_foreign_source *f, const char *path)
{
    enum { ROOM = 4096 };
    static const char note[] = "note: ";
    char said[ROOM], file[MW_SHOWN_ROOM], text[MW_SHOWN_ROOM];
    const int status = wait_for(f);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    const int fd = fileno(f->messages);
    const off_t bytes = lseek(fd, 0, SEEK_END);
    const ssize_t got =
        pread(fd, said, ROOM - 1, bytes > ROOM - 1 ? bytes - (ROOM - 1) : 0);
    const char *const line = last_line(said, got > 0 ? (size_t)got : 0);
    fclose(f->messages);
    if (code == 0 && strncmp(line, note, strlen(note)) == 0)
        fprintf(stderr, "meshway: note: %s: %s\n", mw_shown(path, file),
                mw_shown(line + strlen(note), text));
    if (code == 0)
        return MW_OK;
    return mw_fail(code == 69 ? MW_ERR_UNAVAILABLE : MW_ERR_DATA, "%s: %s", path,
                   *line != '\0' ? line : "the Python that reads it has ended early");
}

void mw_foreign_stop(struct mw_foreign_source *f)
{
    if (f->pid <= 0)
        return;
    kill(f->pid, SIGTERM);
    wait_for(f);
    fclose(f->messages);
}
