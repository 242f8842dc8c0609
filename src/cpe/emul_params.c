/* emul_params.c -- the table of emul_params.h, its presets and its check.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul_params.h"

#include "cpe/emul_core.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t CYCLES_MOST = UINT64_C(1) << 32; /* about three seconds */

#define ROW(name, value, origin, what)                                                   \
    {#name, (value), (origin), (what), offsetof(struct mw_emul_params, name)},
const struct mw_emul_param mw_emul_param_table[] = {
    MW_EMUL_PARAMS(ROW){NULL, 0, NULL, NULL, 0},
};

static uint64_t *field(struct mw_emul_params *p, const struct mw_emul_param *row)
{
    return (uint64_t *)(void *)((char *)p + row->offset);
}

void mw_emul_params_sw26010(struct mw_emul_params *p)
{
    for (const struct mw_emul_param *r = mw_emul_param_table; r->name != NULL; r++)
        *field(p, r) = r->value;
}

void mw_emul_params_pro(struct mw_emul_params *p)
{
    mw_emul_params_sw26010(p);
    p->clock_hz = 2250000000;     /* published */
    p->ldm_bytes = 262144;        /* published */
    p->dma_bytes_s = 51200000000; /* published: the memory's, not a measured DMA */
    p->reply_at_least = 1;
}

static int set(struct mw_emul_params *p, const char *name, size_t length,
               const char *text, const char **rest)
{
    char *end;
    for (const struct mw_emul_param *r = mw_emul_param_table; r->name != NULL; r++) {
        if (strlen(r->name) != length || memcmp(r->name, name, length) != 0)
            continue;
        errno = 0;
        *field(p, r) = strtoull(text, &end, 10);
        *rest = end;
        if (errno != 0 || *text < '0' || *text > '9' || (*end != '\0' && *end != ','))
            return mw_fail(MW_ERR_USAGE, "'%s' wants a number, not '%s'", r->name, text);
        return MW_OK;
    }
    return mw_fail(MW_ERR_USAGE, "no parameter '%.*s'", (int)length, name);
}

int mw_emul_params_read(const char *text, struct mw_emul_params *p)
{
    struct mw_emul_params read = *p;
    while (*text != '\0') {
        const size_t length = strcspn(text, "=,");
        if (text[length] != '=')
            return mw_fail(MW_ERR_USAGE, "'%s' is not name=number", text);
        MW_NEED(set(&read, text, length, text + length + 1, &text));
        text += *text == ',';
    }
    MW_NEED(mw_emul_params_check(&read));
    *p = read;
    return MW_OK;
}

/* By the unit, with which its name ends: so much that no sum or product of them wraps, and a
 * run ends. */
static uint64_t most_of(const struct mw_emul_param *row)
{
    static const struct {
        const char *unit;
        uint64_t most;
    } unit[] = {{"_cycles", CYCLES_MOST}, {"_factor", 1 << 16}};
    const size_t n = strlen(row->name);
    for (size_t i = 0; i < sizeof unit / sizeof unit[0]; i++) {
        const size_t length = strlen(unit[i].unit);
        if (n > length && strcmp(row->name + n - length, unit[i].unit) == 0)
            return unit[i].most;
    }
    return UINT64_C(1) << 50;
}

static int check_units(const struct mw_emul_params *p)
{
    for (const struct mw_emul_param *r = mw_emul_param_table; r->name != NULL; r++) {
        uint64_t value;
        memcpy(&value, (const char *)p + r->offset, sizeof value);
        if (value > most_of(r))
            return mw_fail(MW_ERR_USAGE, "parameter %s is %llu, not in 0..%llu", r->name,
                           (unsigned long long)value, (unsigned long long)most_of(r));
    }
    return MW_OK;
}

int mw_emul_params_check(const struct mw_emul_params *p)
{
    const struct {
        const char *name;
        uint64_t value, least, most;
    } limit[] = {
        {"clock_hz", p->clock_hz, 1, UINT64_C(1) << 40},
        {"ldm_bytes", p->ldm_bytes, 16384, 1 << 20},
        {"stack_bytes", p->stack_bytes, 1024, p->ldm_bytes - 1024},
        {"recv_depth", p->recv_depth, 0, EMUL_DEPTH_MAX},
        {"send_depth", p->send_depth, 0, EMUL_DEPTH_MAX},
        {"dma_bytes_s", p->dma_bytes_s, 1000000, UINT64_C(1) << 50},
        {"dma_misaligned_bytes_s", p->dma_misaligned_bytes_s, 1000000, UINT64_C(1) << 50},
        {"mpe_bytes_s", p->mpe_bytes_s, 1000000, UINT64_C(1) << 50},
        {"net_bytes_s", p->net_bytes_s, 1000000, UINT64_C(1) << 50},
        {"net_over", p->net_over, 1, 1024},
        {"net_super_node", p->net_super_node, 0, 1 << 20},
        {"dma_outstanding", p->dma_outstanding, 1, EMUL_DMA_MAX},
        {"dma_line_bytes", p->dma_line_bytes, 4, 65536},
        {"dma_req_cycles", p->dma_req_cycles, 0, p->dma_lat_cycles},
        {"poll_cycles", p->poll_cycles, 1, CYCLES_MOST},
        {"reply_at_least", p->reply_at_least, 0, 1},
        {"single_writer", p->single_writer, 0, 1},
        {"atomics", p->atomics, 0, 1},
        {"stale_reads", p->stale_reads, 0, 1},
    };
    const int rc = check_units(p);
    if (rc < MW_OK)
        return rc;
    for (size_t i = 0; i < sizeof limit / sizeof limit[0]; i++)
        if (limit[i].value < limit[i].least || limit[i].value > limit[i].most)
            return mw_fail(MW_ERR_USAGE, "parameter %s is %llu, not in %llu..%llu",
                           limit[i].name, (unsigned long long)limit[i].value,
                           (unsigned long long)limit[i].least,
                           (unsigned long long)limit[i].most);
    if ((p->ldm_bytes & (p->ldm_bytes - 1)) != 0 ||
        (p->dma_line_bytes & (p->dma_line_bytes - 1)) != 0)
        return mw_fail(MW_ERR_USAGE,
                       "parameters ldm_bytes and dma_line_bytes are powers of two");
    if (p->dma_put_misaligned_factor * p->dma_req_cycles > CYCLES_MOST)
        return mw_fail(
            MW_ERR_USAGE,
            "parameters dma_put_misaligned_factor x dma_req_cycles are %llu "
            "cycles, at most %llu",
            (unsigned long long)(p->dma_put_misaligned_factor * p->dma_req_cycles),
            (unsigned long long)CYCLES_MOST);
    return MW_OK;
}
