/* pace.c -- see pace.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/pace.h"

#include <float.h>

/* Edges of one core alone; and of a phase of it, which has a beginning and an end, too. */
static const double REMEMBERED = 131072, TELLING = 32768;
enum { LEAST = 64 };
/* A phase takes at most so many times what is usual. */
static const double MOST_TIMES = 2, LEAST_MEETING_NS = 500;
static const double NEW = 1.0 / 8;      /* weight of the last meeting */
static const double FORGET = 1.0 / 256; /* of a meeting's time, by a phase of one core */
/* Up to these count: what calls before have won; what a call has lost, which then ends; and that for a rest. */
static const double MOST_WON_NS = 32e6, MOST_LOST_NS = 3e6, MOST_RUED_NS = 10e6;
static const double HARDLY_NS = 1e4; /* of a call of one core, which is none */
static const double FIRST_REST = 4, MOST_REST = 64; /* times what was lost */

/* What a phase takes longer than one core alone would, where a core was away; and who has never gone on alone. */
static const double AWAY_NS = 3e5, EDGE_NS = 20;
static const double LEAST_LEFT_OUT_S = 0.05, MOST_LEFT_OUT_S = 1;

static double at_most(double x, double most)
{
    return x < most ? x : most;
}

static double edge_ns(const struct mw_pace *p)
{
    return p->alone_edges > 0 ? p->alone_ns / p->alone_edges : 0;
}

uint32_t mw_pace_cores(const struct mw_pace *p, uint64_t n_edges, uint64_t worth,
                       double now)
{
    const uint32_t most = p->n_cores - p->n_left_out,
                   n = p->trial == 0 && worth < most ? (uint32_t)worth : most;
    const double alone_ns = edge_ns(p) * (double)n_edges;
    const bool is_faster = p->trial > 0 || p->meet_ns + alone_ns / n < alone_ns;
    return n > 1 && is_faster && !mw_pace_rests(p, now) ? n : 1;
}

/* ---- What is learnt ----------------------------------------------------------------------------- */

void mw_pace_learn_alone(struct mw_pace *p, uint64_t n_edges, double ns)
{
    const double edges = (double)n_edges, kept = 1 - at_most(1, edges / REMEMBERED);
    if (p->trial > 0)
        p->rests_until = 0;
    if (n_edges < LEAST)
        return;
    if (p->alone_edges >= TELLING)
        ns = at_most(ns, MOST_TIMES * edge_ns(p) * edges);
    p->alone_ns = kept * p->alone_ns + ns;
    p->alone_edges = kept * p->alone_edges + edges;
}

/* A first meeting wakes those who slept, and a phase of few edges looks for others. */
static void learn(struct mw_pace *p, const struct mw_pace_phase *phase)
{
    if (phase->n == 1) {
        mw_pace_learn_alone(p, phase->n_looked, phase->ns);
        p->meet_ns -= p->meet_ns * FORGET;
    } else if (phase->n_before > 1 && phase->n_looked >= LEAST) {
        const double over_ns =
                         phase->ns - edge_ns(p) * (double)phase->n_looked / phase->n,
                     meet_ns = at_most(over_ns > 0 ? over_ns : 0,
                                       MOST_TIMES * p->meet_ns + LEAST_MEETING_NS);
        p->meet_ns += (meet_ns - p->meet_ns) * NEW;
    }
}

/* Again soon after it has come back: for twice as long. */
uint32_t mw_pace_leave_out(struct mw_pace *p, uint64_t n_edges, double ns, double now)
{
    const double alone_ns = (p->alone_edges > 0 ? edge_ns(p) : EDGE_NS) * (double)n_edges;
    if (p->trial > 0) {
        if (p->trial > 1 && ++p->n_tried[1] % p->trial == 0)
            p->n_left_out = p->n_left_out > 0 ? 0 : p->n_cores / 3;
        return p->n_cores - p->n_left_out;
    }
    if (now > p->left_out_until)
        p->n_left_out = 0;
    if (ns > alone_ns + AWAY_NS && p->n_left_out < p->n_cores / 4) {
        p->left_out_s = now < p->left_out_until + p->left_out_s
                            ? at_most(2 * p->left_out_s, MOST_LEFT_OUT_S)
                            : LEAST_LEFT_OUT_S;
        p->left_out_until = now + p->left_out_s;
        p->n_left_out++;
    }
    return p->n_cores - p->n_left_out;
}

/* ---- Calls and rests ---------------------------------------------------------------------------- */

void mw_pace_begin(struct mw_pace *p, double now)
{
    const double won_ns = at_most(-p->lost_ns, MOST_WON_NS);
    p->call_since = now;
    p->call_edges = 0;
    p->lost_ns = won_ns > 0 ? -won_ns : 0;
}

/* A phase of one core loses nothing, and wins nothing. */
static bool loses(struct mw_pace *p, const struct mw_pace_phase *phase)
{
    if (p->trial > 0)
        return p->trial > 1 && phase->n > 1 && ++p->n_tried[0] % p->trial == 0;
    if (phase->n == 1) {
        p->call_since += 1e-9 * phase->ns;
        return false;
    }
    p->call_edges += (double)phase->n_edges;
    p->lost_ns += phase->ns - edge_ns(p) * (double)phase->n_edges;
    return p->lost_ns > MOST_LOST_NS;
}

/* Nobody is left out for the time that it takes others to come. */
bool mw_pace_note(struct mw_pace *p, const struct mw_pace_phase *phase, double now)
{
    learn(p, phase);
    if (phase->n > 1 && phase->n == phase->n_before)
        (void)mw_pace_leave_out(p, phase->n_edges, phase->ns, now);
    return loses(p, phase);
}

/* A call that loses may have won before, as a whole. One that did not may have lost around its phases. */
static double lost_by_call(const struct mw_pace *p, double now)
{
    const double whole_ns = 1e9 * (now - p->call_since) - edge_ns(p) * p->call_edges;
    return p->trial > 0                                         ? 0
           : p->lost_ns > MOST_LOST_NS && p->lost_ns > whole_ns ? p->lost_ns
                                                                : whole_ns;
}

void mw_pace_end(struct mw_pace *p, double now)
{
    const double lost_ns = lost_by_call(p, now),
                 times = at_most(p->rest_times > 0 ? 2 * p->rest_times : FIRST_REST,
                                 MOST_REST);
    if (p->call_edges <= 0 && lost_ns < HARDLY_NS && p->trial == 0)
        return;
    p->rest_times = lost_ns > 0 ? times : 0;
    if (lost_ns > 0)
        p->rests_until = now + 1e-9 * times * at_most(lost_ns, MOST_RUED_NS);
    if (p->trial > 1)
        p->rests_until = DBL_MAX;
}

bool mw_pace_rests(const struct mw_pace *p, double now)
{
    return now < p->rests_until || (p->trial == 0 && p->alone_edges < TELLING);
}

bool mw_pace_is_slow(const struct mw_pace *p)
{
    return p->lost_ns > MOST_LOST_NS || p->alone_edges < TELLING;
}
