/* escape.h -- text that others wrote (files, arguments), made fit for a terminal and for JSON.
 *
 * For people: what a terminal might obey, what turns the direction of the line and what is no
 * UTF-8 stands as \n, \t, \r or \xNN; all else as it is. Escaping twice changes nothing.
 *
 * For JSON: text that is UTF-8 stays as it is. Otherwise each byte that is not stands as \xNN
 * and each backslash as \\, so that nothing is lost: a string with \x and two hexadecimal
 * digits in it is in this form, any other is not (text that happens to have them is escaped
 * too).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ESCAPE_H
#define MW_ESCAPE_H

#include "base/base.h"

MW_BEGIN_DECLS

#define MW_NO_CHARACTER UINT32_MAX

/* The character at *text, which moves behind it: shortest form only, no surrogates.
 * MW_NO_CHARACTER: one byte that is no UTF-8. */
uint32_t mw_utf8_take(const char **text);

/* For people; cut to `room`, but not within a character. Returns `to`. */
const char *mw_escape(char *to, size_t room, const char *from);

/* The same for a name in a line. */
enum { MW_SHOWN_ROOM = 512 };
MW_FN const char *mw_shown(const char *from, char to[MW_SHOWN_ROOM])
{
    return mw_escape(to, MW_SHOWN_ROOM, from);
}

/* Does the text need the form for JSON? */
bool mw_is_bytes(const char *text);
/* In that form if it needs it; from malloc(), NULL: no memory. */
char *mw_escape_bytes(const char *text);

MW_END_DECLS
#endif
