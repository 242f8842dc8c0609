/* timeline.c -- see timeline.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/timeline.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void mw_timeline_sizes(uint64_t room, struct mw_sizes *out)
{
    const struct mw_timeline *t = NULL;
    mw_sizes_add(out, MW_ALWAYS, "timeline", 1, sizeof *t);
    mw_sizes_add(out, MW_ALWAYS, "timeline events", room, sizeof *t->event);
}

int mw_timeline_new(uint64_t room, struct mw_timeline **out)
{
    int rc = MW_OK;
    struct mw_sizes sizes = {0};
    struct mw_timeline *t;
    mw_timeline_sizes(room, &sizes);
    MW_TAKE(rc, t, &sizes, "timeline");
    MW_TAKE(rc, t->event, &sizes, "timeline events");
    t->room = room;
    *out = t;
    return MW_OK;
end:
    mw_timeline_free(t);
    return rc;
}

void mw_timeline_free(struct mw_timeline *t)
{
    if (t == NULL)
        return;
    MW_FREE_ALL(t->event, t);
}

void mw_timeline_add(struct mw_timeline *t, const struct mw_timeline_event *e)
{
    if (t == NULL)
        return;
    if (t->n == t->room) {
        t->n_lost++;
        return;
    }
    t->event[t->n++] = *e;
}

/* ---- writing --------------------------------------------------------------------------- */

static void name_tracks(uint32_t rank, uint32_t n_clusters, uint64_t n_lost, FILE *out)
{
    static const char *const fixed[] = {"M0 send", "M1 receive, schedule"};
    fprintf(out,
            "{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\",\"args\":{\"name\":"
            "\"rank %u\","
            "\"events_lost\":%" PRIu64 "}},\n",
            rank, rank, n_lost);
    for (uint32_t track = 0; track < MW_TRACK_CLUSTER + n_clusters; track++) {
        char name[32];
        snprintf(name, sizeof name, "C%u", track - MW_TRACK_CLUSTER);
        fprintf(out,
                "{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\",\"args\":{"
                "\"name\":\"%s\"}},\n",
                rank, track, track < MW_TRACK_CLUSTER ? fixed[track] : name);
    }
}

static void write_events(const struct mw_timeline *t, uint32_t rank, FILE *out)
{
    const double zero = t->n > 0 ? t->event[0].start : 0;
    for (uint64_t i = 0; i < t->n; i++) {
        const struct mw_timeline_event *e = &t->event[i];
        fprintf(out,
                "{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%.3f,\"dur\":%.3f,\"name\":"
                "\"%s\","
                "\"args\":{\"level\":%u,\"n\":%" PRIu64 "}},\n",
                rank, e->track, (e->start - zero) * 1e6, (e->end - e->start) * 1e6,
                e->name, e->level, e->n);
    }
}

/* This rank's lines, each with a comma behind it. */
static int my_lines(const struct mw_timeline *t, uint32_t n_clusters, uint32_t rank,
                    char **text, size_t *bytes)
{
    FILE *f = open_memstream(text, bytes);
    if (f == NULL)
        return mw_fail(MW_ERR_NOMEM, "timeline: text");
    name_tracks(rank, n_clusters, t->n_lost, f);
    write_events(t, rank, f);
    if (fclose(f) != 0)
        return mw_fail(MW_ERR_NOMEM, "timeline: text");
    return MW_OK;
}

int mw_timeline_write(const struct mw_timeline *t, uint32_t n_clusters,
                      struct mw_comm *comm, FILE *out)
{
    char *text = NULL;
    void *all = NULL;
    size_t bytes = 0;
    uint64_t *sent = NULL, *received = NULL, total = 0;
    int rc = MW_OK;
    MW_NEW(rc, sent, "timeline sizes", comm->size);
    MW_NEW(rc, received, "timeline sizes", comm->size);
    rc = my_lines(t, n_clusters, comm->rank, &text, &bytes);
end:
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK) {
        sent[0] = bytes;
        rc = mw_comm_exchange(comm, text, sent, &all, received);
    }
    if (rc == MW_OK && out != NULL) {
        for (uint32_t r = 0; r < comm->size; r++)
            total += received[r];
        fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", out);
        fwrite(all, 1, total - 2, out); /* without the last comma */
        fputs("\n]}\n", out);
        if (ferror(out))
            rc = mw_fail(MW_ERR_IO, "timeline: not written completely");
    }
    MW_FREE_ALL(all, sent, received);
    free(text);
    return mw_comm_agree(comm, rc);
}
