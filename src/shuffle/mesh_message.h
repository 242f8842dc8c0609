/* mesh_message.h -- what crosses a mesh: records of one producer for one consumer.
 *
 * Three narrow ones or two wide ones, fewer at the end of a job:
 *
 *      word 0   consumer 8 | n 8 | tag 16 | tag 16 | tag 16         n 0: the marker
 *      narrow   word 1, 2, 3   child | value << 32
 *      wide     word 1, 2      value          word 3   child | child << 32
 *
 * The tag of a record says what its consumer needs beside it.
 *
 * C99 plus base.h: slave compilers see it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MESH_MESSAGE_H
#define MW_MESH_MESSAGE_H

#include "cpe/cpe_types.h"

MW_BEGIN_DECLS

enum { MW_RECORDS_NARROW = 3, MW_RECORDS_WIDE = 2 }; /* in a message */

MW_FN uint32_t mw_message_consumer(const struct mw_message *m)
{
    return (uint32_t)(m->word[0] & 0xFF);
}
MW_FN uint32_t mw_message_records(const struct mw_message *m)
{
    return (uint32_t)(m->word[0] >> 8 & 0xFF);
}
MW_FN uint32_t mw_message_tag(const struct mw_message *m, uint32_t i)
{
    return (uint32_t)(m->word[0] >> (16 + 16 * i) & 0xFFFF);
}
MW_FN uint32_t mw_message_child(const struct mw_message *m, uint32_t i, bool wide)
{
    return wide ? (uint32_t)(m->word[3] >> (32 * i)) : (uint32_t)m->word[1 + i];
}
MW_FN uint64_t mw_message_value(const struct mw_message *m, uint32_t i, bool wide)
{
    return wide ? m->word[1 + i] : m->word[1 + i] >> 32;
}

MW_END_DECLS
#endif
