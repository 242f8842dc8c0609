/* escape.h -- any bytes as text inside JSON, XML and DOT. What comes out is ASCII, and
 * is safe inside a <script> element too; what is no UTF-8 becomes U+FFFD,
 * in JSON what base/escape.h says.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_ESCAPE_H
#define MW_LAYOUT_ESCAPE_H

#include "base/base.h"

#include <stdio.h>

MW_BEGIN_DECLS

void mw_escape_json(const char *text, FILE *out); /* without the quotes */
void mw_escape_xml(const char *text, FILE *out);  /* content or attribute; HTML as well */
void mw_escape_dot(const char *text, FILE *out);  /* inside double quotes */

MW_END_DECLS
#endif
