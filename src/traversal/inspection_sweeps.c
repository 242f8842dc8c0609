/* inspection_sweeps.c -- the sweeps of an inspection: elements in patterns.
 *
 * Compiled once per kind of core: MW_SKELETON names the header, MW_KERNELS the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "traversal/inspection_elements.h"

MW_EACH(mw_answer_teller, mw_inspection, mw_my_places(&s->partition), mw_tell_place)
MW_EACH(mw_answer_gatherer, mw_inspection, mw_places_at(&s->partition, s->teller),
        mw_gather_place)
MW_BITS(mw_doubt_noter, mw_inspection, s->n_words, mw_all_vertices, mw_doubt_vertex,
        mw_put_doubts)
MW_WAITED(mw_doubter, mw_doubt_noter) /* another device looks at them now */
MW_SUM_WORDS(mw_settler, mw_inspection, 64 / MW_WORD_BITS * s->n_my_words, mw_settle_word,
             s->sum)
MW_SUM(mw_doubt_counter, mw_inspection, s->n, mw_doubt_vertex, s->sum)

MW_KERNEL_TABLE(mw_inspection_sweeps, mw_answer_teller, mw_answer_gatherer, mw_doubter,
                mw_settler, mw_doubt_counter)
