/* link.c -- see link.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/link.h"

#include "base/mem.h"

enum {
    WINDOW = 2 << 20
}; /* bytes: more than what buffers of the system take at once, mostly */

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
    mw_free(links->to);
    mw_free(links);
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
    const double cost = (links->attentive - l->since) / (double)l->left;
    l->cost = l->cost > 0 ? (l->cost + cost) / 2 : cost;
    l->left = 0;
    l->since = links->attentive;
}

bool mw_link_pays(struct mw_links *links, uint32_t host,
                  const struct mw_link_coding *coding)
{
    struct mw_link *l = &links->to[host];
    const double factor = l->pays ? PAYS_TO_GO_ON : PAYS_TO_BEGIN;
    l->pays = l->cost > factor * (coding->ratio * l->cost + coding->cost);
    return l->pays;
}
