/* link.c -- see link.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/link.h"

#include "base/mem.h"

#include <string.h>

enum { WINDOW = 1 << 20 }; /* bytes */

#define LOOK_MOST_S   1e-3 /* looks that are further apart are two */
#define PAYS_TO_BEGIN 1.25
#define PAYS_TO_GO_ON 1.0

void mw_links_sizes(uint32_t n_hosts, struct mw_sizes *out)
{
    mw_sizes_add(out, MW_ALWAYS, "links", 1, sizeof(struct mw_links));
    mw_sizes_add(out, MW_ALWAYS, "links to hosts", n_hosts, sizeof(struct mw_link));
}

int mw_links_new(uint32_t n_hosts, struct mw_links **out)
{
    int rc = MW_OK;
    struct mw_links *links;
    struct mw_sizes sizes = {0};
    mw_links_sizes(n_hosts, &sizes);
    MW_TAKE(rc, links, &sizes, "links");
    links->n_hosts = n_hosts;
    MW_TAKE(rc, links->to, &sizes, "links to hosts");
    *out = links;
    return MW_OK;
end:
    mw_links_free(links);
    return rc;
}

void mw_links_free(struct mw_links *links)
{
    if (links == NULL)
        return;
    MW_FREE_ALL(links->to, links);
}

void mw_links_look(struct mw_links *links, double now)
{
    const double passed = now - links->looked;
    if (passed < LOOK_MOST_S)
        links->attentive += passed;
    links->looked = now;
}

void mw_link_send(struct mw_links *links, uint32_t host)
{
    struct mw_link *l = &links->to[host];
    if (l->on_way++ > 0)
        return;
    l->n_passed = 0;
    l->left = 0;
    l->since = links->attentive;
}

void mw_link_sent(struct mw_links *links, uint32_t host, uint64_t bytes)
{
    struct mw_link *l = &links->to[host];
    l->on_way--;
    l->left += bytes;
    if (l->left < WINDOW)
        return;
    /* Without a time of its own it passed while nobody looked. */
    if (l->n_passed++ > 0 && links->attentive > l->since) {
        memmove(l->cost + 1, l->cost, sizeof l->cost - sizeof *l->cost);
        l->cost[0] = (links->attentive - l->since) / (double)l->left;
    }
    l->left = 0;
    l->since = links->attentive;
}

void mw_links_expect(struct mw_links *links, double cost)
{
    for (uint32_t h = 0; h < links->n_hosts; h++)
        links->to[h].cost[0] = cost;
}

double mw_link_cost(const struct mw_links *links, uint32_t host)
{
    const double *cost = links->to[host].cost;
    double best = cost[0];
    for (int i = 1; i < MW_LINK_WINDOWS && cost[i] > 0; i++)
        best = cost[i] < best ? cost[i] : best;
    return best;
}

bool mw_link_pays(struct mw_links *links, uint32_t host,
                  const struct mw_link_coding *coding)
{
    struct mw_link *l = &links->to[host];
    const double factor = l->pays ? PAYS_TO_GO_ON : PAYS_TO_BEGIN;
    const double cost = mw_link_cost(links, host);
    l->pays = cost > factor * (coding->ratio * cost + coding->cost);
    return l->pays;
}
