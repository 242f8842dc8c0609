/* words.h -- lines and words of the layout language, for the parser and the
 * formatter: white space and commas separate, '#' ends a line, and a comma with a digit
 * directly on both sides belongs to a core (0,1).
 *
 * All is borrowed from the text, which needs no zero at its end and may hold any bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_WORDS_H
#define MW_LAYOUT_WORDS_H

#include "base/base.h"

MW_BEGIN_DECLS

struct mw_text {
    const char *at, *end;
    uint32_t line; /* of the line taken last, from 1 */
};

struct mw_line {
    const char *begin, *at, *end; /* without the newline */
};

struct mw_word {
    const char *text;
    size_t bytes;    /* 0: the line has no more words */
    uint32_t column; /* from 1, in bytes */
    bool comma;      /* stands between this word and what comes before */
};

/* A byte order mark is skipped. */
void mw_text_init(struct mw_text *t, const char *text, size_t bytes);
bool mw_text_line(struct mw_text *t, struct mw_line *line);

/* At the end of the statement w->column is the one behind the last word taken, and
 * line->at is the line's end or the '#' of its comment. */
bool mw_line_word(struct mw_line *line, struct mw_word *w);

bool mw_word_is(const struct mw_word *w, const char *text);

/* The whole word as INT, SIZE, RATE or CORE of the language. What is too large for the type
 * becomes its largest value. */
bool mw_word_integer(const struct mw_word *w, uint64_t *out);
bool mw_word_size(const struct mw_word *w, uint64_t *out);
bool mw_word_rate(const struct mw_word *w, double *out);
bool mw_word_core(const struct mw_word *w, uint32_t *row, uint32_t *col);

/* The bytes of a character at `text`, of `bytes` > 0 left: 1 to 4 of one that can be shown, 0 at
 * a control character (C0, DEL, C1) or at what is not UTF-8. */
size_t mw_text_character(const char *text, size_t bytes);
/* A text as a message shows it: cut, and a question mark for each byte that cannot be shown. */
enum { MW_WORD_SHOWN = 48 };
const char *mw_text_show(const char *text, size_t bytes, char out[MW_WORD_SHOWN]);
const char *mw_word_show(const struct mw_word *w, char out[MW_WORD_SHOWN]);

MW_END_DECLS
#endif
