/* recording.c -- the simulator's events as files for other programs: VCD for waveform
 * viewers, Chrome's trace format for timelines, CSV for everything else. Time is the cycle.
 *
 * A core may change several times within one cycle. The recorder writes what holds at the
 * end of the cycle, once the next one begins, and nothing for a core that is back where it
 * was. So a core's rows partition the run: its states last as long as the simulator counts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/mem.h"
#include "layouts/sim/sim.h"

#include <string.h>

struct face { /* what is to be seen of a core */
    uint8_t state;
    mw_core waits_for;
    uint32_t fill[MW_N_CLASSES], send_fill;
};

struct recorder_core {
    struct face now, written;
    uint64_t since; /* when it took on written.state */
    bool touched;
};

struct format;

struct mw_recorder {
    const struct mw_layout *l;
    const struct format *format;
    FILE *out;
    uint64_t n_messages;
    uint64_t cycle; /* the one whose changes are being collected */
    uint32_t n_touched;
    mw_core *touched;           /* owned; in the order of their first change */
    struct recorder_core *core; /* owned */
};

struct format { /* NULL: nothing to write then */
    void (*begin)(struct mw_recorder *r);
    void (*first)(struct mw_recorder *r); /* before the values of cycle 0, and after */
    void (*rest)(struct mw_recorder *r);
    void (*next)(struct mw_recorder *r); /* a later cycle has changes */
    void (*change)(struct mw_recorder *r, mw_core v);
    void (*end)(struct mw_recorder *r);
    void (*message)(struct mw_recorder *r, const struct mw_sim_message *m);
};

static bool same_state(const struct recorder_core *c)
{
    return c->now.state == c->written.state && c->now.waits_for == c->written.waits_for;
}

static bool same_fill(const struct recorder_core *c)
{
    return memcmp(c->now.fill, c->written.fill, sizeof c->now.fill) == 0 &&
           c->now.send_fill == c->written.send_fill;
}

/* ---- VCD ----------------------------------------------------------------------------------- */

enum { SIGNAL_STATE, SIGNAL_ROW, SIGNAL_COLUMN, SIGNAL_SEND, N_SIGNALS, CODE = 8 };

/* The short name of a core's signal: a number in printable characters. */
static const char *code_of(mw_core v, uint32_t signal, char out[CODE])
{
    uint32_t x = v * (uint32_t)N_SIGNALS + signal, n = 0;
    do
        out[n++] = (char)('!' + x % 94);
    while ((x /= 94) != 0);
    out[n] = '\0';
    return out;
}

static void vcd_core(struct mw_recorder *r, mw_core v)
{
    char code[CODE];
    const char role = r->l->role[v];
    fprintf(r->out, "$scope module core_%u_%u_%c $end\n", mw_core_row(r->l, v),
            mw_core_col(r->l, v), role == '.' ? 'x' : role);
    fprintf(r->out, "$var wire 3 %s state $end\n", code_of(v, SIGNAL_STATE, code));
    fprintf(r->out, "$var integer 32 %s row_fill $end\n", code_of(v, SIGNAL_ROW, code));
    fprintf(r->out, "$var integer 32 %s col_fill $end\n",
            code_of(v, SIGNAL_COLUMN, code));
    fprintf(r->out, "$var integer 32 %s send_fill $end\n", code_of(v, SIGNAL_SEND, code));
    fputs("$upscope $end\n", r->out);
}

static void vcd_begin(struct mw_recorder *r)
{
    fputs("$comment one time unit is one cycle; state:", r->out);
    for (int i = 0; i < MW_N_CORE_STATES; i++)
        fprintf(r->out, " %d %s", i, mw_core_state_names[i]);
    fputs(" $end\n$timescale 1 ns $end\n$scope module mesh $end\n", r->out);
    for (uint32_t row = 0; row < r->l->rows; row++) {
        fprintf(r->out, "$scope module row_%u $end\n", row);
        for (uint32_t col = 0; col < r->l->cols; col++)
            vcd_core(r, mw_core_at(r->l, row, col));
        fputs("$upscope $end\n", r->out);
    }
    fputs("$upscope $end\n$enddefinitions $end\n", r->out);
}

static void vcd_first(struct mw_recorder *r)
{
    fputs("#0\n$dumpvars\n", r->out);
}

static void vcd_rest(struct mw_recorder *r)
{
    fputs("$end\n", r->out);
}

static void vcd_next(struct mw_recorder *r)
{
    fprintf(r->out, "#%llu\n", (unsigned long long)r->cycle);
}

static void vcd_value(struct mw_recorder *r, mw_core v, uint32_t signal, uint32_t value)
{
    char code[CODE], bits[33];
    uint32_t n = mw_bits_for((uint64_t)value + 1);
    n = n == 0 ? 1 : n;
    bits[n] = '\0';
    for (uint32_t i = n; i-- != 0; value /= 2)
        bits[i] = (char)('0' + value % 2);
    fprintf(r->out, "b%s %s\n", bits, code_of(v, signal, code));
}

static void vcd_change(struct mw_recorder *r, mw_core v)
{
    const struct recorder_core *c = &r->core[v];
    const uint32_t now[N_SIGNALS] = {c->now.state, c->now.fill[MW_ROW],
                                     c->now.fill[MW_COLUMN], c->now.send_fill};
    const uint32_t written[N_SIGNALS] = {c->written.state, c->written.fill[MW_ROW],
                                         c->written.fill[MW_COLUMN],
                                         c->written.send_fill};
    for (uint32_t i = 0; i < N_SIGNALS; i++)
        if (now[i] != written[i] || r->cycle == 0)
            vcd_value(r, v, i, now[i]);
}

/* ---- Chrome's trace ---------------------------------------------------------------------------- */

static void chrome_begin(struct mw_recorder *r)
{
    char name[MW_NODE_NAME];
    fprintf(
        r->out,
        "{\"otherData\":{\"note\":\"ts and dur are cycles, shown as microseconds\"},\n"
        "\"traceEvents\":[\n"
        "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"tid\":0,"
        "\"args\":{\"name\":\"mesh %ux%u, 1 us is 1 cycle\"}}",
        r->l->rows, r->l->cols);
    for (uint32_t v = 0; v < mw_mesh_cores(r->l); v++)
        fprintf(r->out,
                ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":%u,"
                "\"args\":{\"name\":\"%s %c\"}}",
                v, mw_core_name(r->l, (mw_core)v, name), r->l->role[v]);
}

static void chrome_stretch(struct mw_recorder *r, mw_core v, uint64_t to)
{
    const struct recorder_core *c = &r->core[v];
    char name[MW_NODE_NAME];
    if (c->since == to)
        return;
    fprintf(
        r->out,
        ",\n{\"name\":\"%s\",\"ph\":\"X\",\"ts\":%llu,\"dur\":%llu,\"pid\":1,\"tid\":%u",
        mw_core_state_names[c->written.state], (unsigned long long)c->since,
        (unsigned long long)(to - c->since), v);
    if (c->written.waits_for != MW_NO_CORE)
        fprintf(r->out, ",\"args\":{\"waits_for\":\"%s\"}",
                mw_core_name(r->l, c->written.waits_for, name));
    fputs("}", r->out);
}

static void chrome_change(struct mw_recorder *r, mw_core v)
{
    struct recorder_core *c = &r->core[v];
    char name[MW_NODE_NAME];
    if (!same_state(c)) {
        chrome_stretch(r, v, r->cycle);
        c->since = r->cycle;
    }
    if (!same_fill(c))
        fprintf(r->out,
                ",\n{\"name\":\"%s fill\",\"ph\":\"C\",\"ts\":%llu,\"pid\":1,\"tid\":%u,"
                "\"args\":{\"row\":%u,\"col\":%u,\"send\":%u}}",
                mw_core_name(r->l, v, name), (unsigned long long)r->cycle, v,
                c->now.fill[MW_ROW], c->now.fill[MW_COLUMN], c->now.send_fill);
}

/* From its creation to its arrival, on a line of its own below the cores. */
static void chrome_message(struct mw_recorder *r, const struct mw_sim_message *m)
{
    char source[MW_NODE_NAME], sink[MW_NODE_NAME];
    const char *from = mw_core_name(r->l, m->source, source);
    const char *to = mw_core_name(r->l, m->sink, sink);
    const unsigned long long id = ++r->n_messages;
    fprintf(
        r->out,
        ",\n{\"name\":\"%s > "
        "%s\",\"cat\":\"message\",\"ph\":\"b\",\"id\":%llu,\"ts\":%llu,"
        "\"pid\":1,\"tid\":%u,\"args\":{\"latency\":%llu,\"from_injection\":%llu}},\n"
        "{\"name\":\"%s > %s\",\"cat\":\"message\",\"ph\":\"e\",\"id\":%llu,\"ts\":%llu,"
        "\"pid\":1,\"tid\":%u}",
        from, to, id, (unsigned long long)m->created, m->source,
        (unsigned long long)(m->arrived - m->created),
        (unsigned long long)(m->arrived - m->injected), from, to, id,
        (unsigned long long)m->arrived, m->source);
}

static void chrome_end(struct mw_recorder *r)
{
    for (uint32_t v = 0; v < mw_mesh_cores(r->l); v++)
        chrome_stretch(r, (mw_core)v, r->cycle);
    fputs("\n]}\n", r->out);
}

/* ---- CSV ------------------------------------------------------------------------------------------ */

static void csv_begin(struct mw_recorder *r)
{
    fputs("cycle,core,state,row_fill,col_fill,send_fill,waits_for\n", r->out);
}

/* A core's name holds a comma, hence the quotes. */
static void csv_change(struct mw_recorder *r, mw_core v)
{
    const struct face *f = &r->core[v].now;
    char name[MW_NODE_NAME];
    fprintf(r->out, "%llu,\"%s\",%s,%u,%u,%u,", (unsigned long long)r->cycle,
            mw_core_name(r->l, v, name), mw_core_state_names[f->state], f->fill[MW_ROW],
            f->fill[MW_COLUMN], f->send_fill);
    if (f->waits_for == MW_NO_CORE)
        fputs("\n", r->out);
    else
        fprintf(r->out, "\"%s\"\n", mw_core_name(r->l, f->waits_for, name));
}

/* Each core's last row again, at the end: so the last stretch has a length, too. */
static void csv_end(struct mw_recorder *r)
{
    for (uint32_t v = 0; v < mw_mesh_cores(r->l); v++)
        csv_change(r, (mw_core)v);
}

static void messages_begin(struct mw_recorder *r)
{
    fputs("created,injected,arrived,source,sink\n", r->out);
}

static void messages_message(struct mw_recorder *r, const struct mw_sim_message *m)
{
    char source[MW_NODE_NAME], sink[MW_NODE_NAME];
    fprintf(r->out, "%llu,%llu,%llu,\"%s\",\"%s\"\n", (unsigned long long)m->created,
            (unsigned long long)m->injected, (unsigned long long)m->arrived,
            mw_core_name(r->l, m->source, source), mw_core_name(r->l, m->sink, sink));
}

/* ---- the recorder ---------------------------------------------------------------------------------- */

static const struct format formats[] = {
    [MW_RECORD_VCD] = {.begin = vcd_begin,
                       .first = vcd_first,
                       .rest = vcd_rest,
                       .next = vcd_next,
                       .change = vcd_change,
                       .end = vcd_next},
    [MW_RECORD_CHROME] = {.begin = chrome_begin,
                          .change = chrome_change,
                          .end = chrome_end,
                          .message = chrome_message},
    [MW_RECORD_CSV] = {.begin = csv_begin, .change = csv_change, .end = csv_end},
    [MW_RECORD_MESSAGES] = {.begin = messages_begin, .message = messages_message}};

static void write_if(void (*one)(struct mw_recorder *r), struct mw_recorder *r)
{
    if (one != NULL)
        one(r);
}

static void touch(struct mw_recorder *r, mw_core v)
{
    if (r->core[v].touched)
        return;
    r->core[v].touched = true;
    r->touched[r->n_touched++] = v;
}

/* The cycle is over: writes what changed in it; in cycle 0 that is every core. */
static void flush(struct mw_recorder *r)
{
    bool any = false;
    if (r->cycle == 0)
        write_if(r->format->first, r);
    for (uint32_t i = 0; i < r->n_touched; i++) {
        const mw_core v = r->touched[i];
        struct recorder_core *c = &r->core[v];
        c->touched = false;
        if (r->cycle != 0 && same_state(c) && same_fill(c))
            continue;
        if (r->cycle != 0 && !any)
            write_if(r->format->next, r);
        any = true;
        if (r->format->change != NULL)
            r->format->change(r, v);
        c->written = c->now;
    }
    r->n_touched = 0;
    if (r->cycle == 0)
        write_if(r->format->rest, r);
}

static void recorder_free(struct mw_recorder *r)
{
    if (r == NULL)
        return;
    MW_FREE_ALL(r->touched, r->core, r);
}

int mw_recorder_new(const struct mw_layout *l, enum mw_recorder_format format, FILE *out,
                    struct mw_recorder **result)
{
    int rc = MW_OK;
    struct mw_recorder *r;
    *result = NULL;
    MW_NEW(rc, r, "recorder", 1);
    r->l = l;
    r->format = &formats[format];
    r->out = out;
    MW_NEW(rc, r->touched, "recorder", mw_mesh_cores(l));
    MW_NEW(rc, r->core, "recorder", mw_mesh_cores(l));
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++) {
        r->core[v].now.waits_for = r->core[v].written.waits_for = MW_NO_CORE;
        touch(r, (mw_core)v);
    }
    r->format->begin(r);
    *result = r;
    return MW_OK;
end:
    recorder_free(r);
    return rc;
}

void mw_recorder_observe(void *recorder, const struct mw_sim_event *e)
{
    struct mw_recorder *r = (struct mw_recorder *)recorder;
    if (e->cycle != r->cycle) {
        flush(r);
        r->cycle = e->cycle;
    }
    struct face *f = &r->core[e->core].now;
    touch(r, e->core);
    f->state = e->state;
    f->waits_for = e->waits_for;
    memcpy(f->fill, e->fill, sizeof f->fill);
    f->send_fill = e->send_fill;
}

void mw_recorder_message(void *recorder, const struct mw_sim_message *m)
{
    struct mw_recorder *r = (struct mw_recorder *)recorder;
    if (r->format->message != NULL)
        r->format->message(r, m);
}

int mw_recorder_end(struct mw_recorder *r, uint64_t cycle)
{
    flush(r);
    r->cycle = cycle;
    write_if(r->format->end, r);
    const bool written = fflush(r->out) == 0 && !ferror(r->out);
    recorder_free(r);
    return written ? MW_OK
                   : mw_fail(MW_ERR_IO, "the recording was not written completely");
}
