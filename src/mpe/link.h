/* link.h -- what this rank knows of its ways to other hosts: what a byte on each of them costs, in
 * seconds, and whether it pays to code batches first.
 *
 * Measured is what drains: windows of 1 MiB, from when a batch is handed to a link that has nothing on
 * its way and without a pause, in time in which somebody looked. Between two looks that are further
 * apart a job ran or the core was somebody else's, and that is not the link's doing. The first window
 * goes into buffers of the system and says nothing. Who receives may have been away as well: a byte costs what it
 * cost in the best of the last four windows.
 *
 * Before the first window a byte costs what a probe has found when all ranks began: the lowest ranks of hosts
 * send each other a piece in a ring. A link of which nothing is known is not coded for.
 *
 *      coding pays where  cost > factor * (ratio * cost + coding + decoding)      a byte
 *
 * with a factor of 1.25 to begin and of 1 to go on, so that it does not come and go.
 *
 * All of it belongs to the management core. Several ranks of a host share its way out, and each
 * measures its share of it, which is what its bytes cost.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LINK_H
#define MW_LINK_H

#include "base/sizes.h"
#include "mpe/comm.h"

MW_BEGIN_DECLS

enum { MW_LINK_WINDOWS = 4 };
struct mw_link {
    uint32_t on_way;   /* messages */
    uint32_t n_passed; /* windows since there was nothing on its way */
    uint64_t left;     /* bytes in this one */
    double since;      /* attentive time when it began */
    double
        cost[MW_LINK_WINDOWS]; /* seconds a byte, the last one first; 0: there was none */
    bool pays;                 /* coding did when somebody asked last */
};

struct mw_links {
    uint32_t n_hosts;
    struct mw_link *to; /* [n_hosts]; this one's own is not used */
    double looked, attentive;
};

/* Of a byte before it is coded: how many it is then, and what coding and decoding takes,
 * seconds. */
struct mw_link_coding {
    double ratio, cost;
};

int mw_links_new(uint32_t n_hosts, struct mw_links **out) MW_NODISCARD;
void mw_links_free(struct mw_links *links);
/* What mw_links_new() takes. */
void mw_links_sizes(uint32_t n_hosts, struct mw_sizes *out);

/* Collective: what a byte costs between this host and its neighbours in a ring, as the
 * first word on all links. One host: nothing happens. */
int mw_links_probe(struct mw_links *links, struct mw_comm *comm) MW_NODISCARD;
/* What that takes meanwhile. */
void mw_links_probe_sizes(uint32_t n_ranks, struct mw_sizes *out);

/* A byte is said to cost so much on all links, until they say it themselves. */
void mw_links_expect(struct mw_links *links, double cost);

/* Somebody sees to what is on its way, at this time. */
void mw_links_look(struct mw_links *links, double now);
/* A message is on its way to a host; one has left. */
void mw_link_send(struct mw_links *links, uint32_t host);
void mw_link_sent(struct mw_links *links, uint32_t host, uint64_t bytes);

/* Seconds that a byte costs; 0: not known. */
double mw_link_cost(const struct mw_links *links, uint32_t host);
/* Does coding pay on the way to this host? */
bool mw_link_pays(struct mw_links *links, uint32_t host,
                  const struct mw_link_coding *coding);

MW_END_DECLS
#endif
