/* wrapped_transport.h -- a transport that stands before the real one, in a program that is linked with
 * -Wl,--wrap=mw_transport_new: what it passes on as it is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef WRAPPED_TRANSPORT_H
#define WRAPPED_TRANSPORT_H

#include "mpe/transport.h"

#include <stdlib.h>

int __real_mw_transport_new(const struct mw_transport_conf *conf,
                            struct mw_transport **out);
int __wrap_mw_transport_new(const struct mw_transport_conf *conf,
                            struct mw_transport **out);

/* What it begins with, from calloc(). */
struct wrapped {
    struct mw_transport base;
    struct mw_transport *real;
};

static inline int wrapped_poll(struct mw_transport *t, struct mw_batch **out)
{
    return mw_poll(((struct wrapped *)t)->real, out);
}

static inline uint64_t wrapped_in_flight(const struct mw_transport *t)
{
    return mw_in_flight(((const struct wrapped *)t)->real);
}

static inline void wrapped_close(struct mw_transport *t)
{
    mw_transport_close(((struct wrapped *)t)->real);
    free(t);
}

#endif
