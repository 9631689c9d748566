/* SPDX-License-Identifier: MIT
 *
 * Labels as text of LaTeX: what is special there escaped, Greek letters, raised and lowered signs
 * and symbols as the mathematics that every LaTeX has, so that a file of them compiles with
 * pdfLaTeX as it comes.  */
#pragma once

#include <glib.h>

/* Appends one line of text in UTF-8.  Bytes that are none become "?", control characters spaces;
 * letters that nothing is known of stay as they are.  Ends outside mathematics, with all braces
 * closed.  */
void sl_tex_append (GString *out, const char *text);
