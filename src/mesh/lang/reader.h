/* reader.h -- takes the words of a statement one by one, and says what it expected
 * where there is another.
 *
 * Functions that return bool return false after a message (unless they say otherwise), so
 * that a statement is a chain of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_READER_H
#define MW_LAYOUT_READER_H

#include "mesh/lang/layout.h"
#include "mesh/lang/words.h"

MW_BEGIN_DECLS

struct mw_reader {
    struct mw_diagnostics *d;
    bool quiet;          /* no messages */
    uint32_t line;       /* its number */
    struct mw_line rest; /* of the line */
    struct mw_word word; /* taken last; bytes 0: there was none */
};

/* Both return false. */
bool mw_reader_complain(struct mw_reader *r, uint32_t column, const char *fmt, ...)
    MW_PRINTF(3, 4);
/* "expected THIS, got 'word'" */
bool mw_reader_expected(struct mw_reader *r, const char *fmt, ...) MW_PRINTF(2, 3);
/* "expected THIS, got 'word'ADVICE" */
bool mw_reader_expected_then(struct mw_reader *r, const char *what, const char *advice);
/* "THIS 'word'" */
bool mw_reader_blame(struct mw_reader *r, const char *what);
/* "THIS 'word'; did you mean 'words[i]'?"; the list ends in NULL */
bool mw_reader_unknown(struct mw_reader *r, const char *what, const char *const *words);

/* false, without a message: the line has no more. */
bool mw_reader_next(struct mw_reader *r);
/* Takes the next word if it is this one; without a message. */
bool mw_reader_accept(struct mw_reader *r, const char *text);

/* The number of the word in hand in a list that ends in NULL; -1: it is not there. */
int mw_reader_find(const struct mw_reader *r, const char *const *words);
/* The same with a message, also when bit i of *seen is set already. */
int mw_reader_option(struct mw_reader *r, const char *const *words, const char *text,
                     uint32_t *seen);

/* The next word, within the bounds. */
bool mw_reader_integer(struct mw_reader *r, uint32_t least, uint32_t most, uint32_t *out);
bool mw_reader_size(struct mw_reader *r, uint32_t least, uint32_t most, uint32_t *out);
bool mw_reader_rate(struct mw_reader *r, double *out);

/* The next word: a class of the layout. */
bool mw_reader_channel(struct mw_reader *r, const struct mw_layout *l, mw_channel *out);

MW_FN bool mw_is_role(char c)
{
    return c >= 'A' && c <= 'Z';
}

MW_END_DECLS
#endif
