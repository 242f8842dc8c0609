/* records_kokkos.cpp -- see records.hpp.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/records.hpp"

#include "kokkos/trading.hpp"

namespace mwk
{

drafts drafts_of(turn &t, const mw_job *job, uint64_t first, uint64_t last)
{
    const mw_address *const a = job->at;
    drafts d = {nullptr, first, *a};
    if (a->n_ranks == 1)
        return d;
    d.at = t.room<draft>(DRAFTS, last - first);
    if (a->width > 1) {
        std::vector<uint32_t> tables(a->bucket, a->bucket + a->n_ranks);
        tables.insert(tables.end(), a->above, a->above + a->n_ranks);
        d.to.bucket = t.sent(TABLES, tables.data(), tables.size());
        d.to.above = d.to.bucket + a->n_ranks;
    }
    fill("no drafts", d.at, last - first, draft{UINT32_MAX, 0, 0});
    return d;
}

/* Writes drafts where their buckets begin, as records of the pipeline's width. */
void sort_drafts(const draft *from, uint64_t n, uint64_t *next, bool wide, void *to)
{
    Kokkos::parallel_for(
        "sort records", indices(0, n), KOKKOS_LAMBDA(uint64_t i) {
            const draft d = from[i];
            if (d.bucket == UINT32_MAX)
                return;
            const uint64_t at = Kokkos::atomic_fetch_add(&next[d.bucket], UINT64_C(1));
            if (wide)
                static_cast<mw_wide_record *>(to)[at] =
                    mw_wide_record{d.value, d.child, 0};
            else
                static_cast<mw_record *>(to)[at] =
                    mw_record{d.child, static_cast<uint32_t>(d.value)};
        });
}

uint64_t drafts_send(turn &t, const mw_cpe *self, const mw_job *job, const drafts &d,
                     uint64_t n)
{
    if (d.at == nullptr || n == 0)
        return 0;
    mw_buckets *const out = job->out;
    const uint32_t n_buckets = out != nullptr ? out->n_buckets : job->at->n_ranks;
    const uint64_t record_bytes = job->wide ? sizeof(mw_wide_record) : sizeof(mw_record);
    const draft *const at = d.at;
    std::vector<uint64_t> start(n_buckets + 1, 0);
    uint64_t *const next = t.sent(STARTS, start.data(), n_buckets);
    Kokkos::parallel_for(
        "count records", indices(0, n), KOKKOS_LAMBDA(uint64_t i) {
            if (at[i].bucket != UINT32_MAX)
                Kokkos::atomic_add(&next[at[i].bucket], UINT64_C(1));
        });
    get(start.data() + 1, next, n_buckets * sizeof *next);
    for (uint32_t k = 0; k < n_buckets; k++)
        start[k + 1] += start[k];
    const uint64_t n_records = start[n_buckets];
    if (n_records == 0)
        return 0;
    put(next, start.data(), n_buckets * sizeof *next);
    char *const sorted = t.room<char>(SORTED, n_records * record_bytes);
    sort_drafts(at, n, next, job->wide, sorted);
    if (job->trade != nullptr) { /* they stay there */
        for (uint32_t k = 0; k < n_buckets; k++)
            job->trade->n_out[k] = start[k + 1] - start[k];
        trade_makes(job->trade, sorted);
        return n_records;
    }
    mw_lane *const lane = &out->lane[self->lane];
    std::vector<char> records(n_records * record_bytes);
    get(records.data(), sorted, records.size());
    mw_lane_begin(out, lane, mw_job_sender(job));
    for (uint32_t k = 0; k < n_buckets; k++)
        if (start[k + 1] > start[k])
            mw_lane_append(out, lane, k, records.data() + start[k] * record_bytes,
                           static_cast<uint32_t>(start[k + 1] - start[k]));
    mw_lane_end(out, lane);
    return n_records;
}

/* Of what lies in the order of senders, on the device: who has sent it. Children are looked at
 * before anybody uses them, as in batches (shuffle/stretch.h): none are left where one is wrong. */
static const mw_visit *visits_of_trade(turn &t, const mw_job *job, uint64_t *n)
{
    const uint32_t n_ranks = job->trade->n_ranks;
    std::vector<uint64_t> end(job->trade->n_in, job->trade->n_in + n_ranks);
    for (uint32_t r = 1; r < n_ranks; r++)
        end[r] += end[r - 1];
    *n = job->trade->n_here;
    mw_visit *const out = t.room<mw_visit>(VISITS, *n);
    const uint64_t *const last = t.sent(STARTS, end.data(), n_ranks);
    const void *const record = trade_has(job->trade);
    const bool wide = job->wide;
    uint64_t largest = 0; /* child; below it, who has sent it */
    if (*n == 0)
        return out;
    Kokkos::parallel_reduce(
        "visits", indices(0, *n),
        KOKKOS_LAMBDA(uint64_t i, uint64_t & most) {
            const uint32_t sender = static_cast<uint32_t>(mw_item_of(last, n_ranks, i));
            const mw_record *const narrow = static_cast<const mw_record *>(record);
            const mw_wide_record *const w = static_cast<const mw_wide_record *>(record);
            out[i] = wide ? mw_visit{w[i].value, w[i].child, sender, 0}
                          : mw_visit{narrow[i].value, narrow[i].child, sender, 0};
            const uint64_t named = (static_cast<uint64_t>(out[i].child) << 32) + sender;
            most = named > most ? named : most;
        },
        Kokkos::Max<uint64_t>(largest));
    if (largest >> 32 >= job->limit) {
        mw_job_blame(job, static_cast<uint32_t>(largest),
                     static_cast<uint32_t>(largest >> 32));
        *n = 0;
    }
    return out;
}

const mw_visit *visits_of(turn &t, const mw_job *job, uint64_t *n)
{
    if (job->trade != nullptr)
        return visits_of_trade(t, job, n);
    const mw_cpe alone = {0, 1, 0};
    std::vector<mw_visit> visits;
    for (mw_stretch s = mw_stretch_begin(&alone, job);
         mw_stretch_next(&s, job, job->wide);)
        for (uint32_t i = s.i; i < s.end; i++)
            visits.push_back(mw_visit_at(s.record, i, s.sender, job->wide));
    *n = visits.size();
    return t.sent(VISITS, visits.data(), visits.size());
}

} // namespace mwk
