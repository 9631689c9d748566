/* SPDX-License-Identifier: MIT
 *
 * Texts of any origin on their way into a document.  Names of curves, classes and files come from files of
 * others, and documents refuse letters that such names can have.  */
#pragma once

#include <glib.h>

/* A copy that every document takes: bytes that are no UTF-8 become U+FFFD; control characters but tab and
 * newline, and non-characters such as U+FFFE, are left out.  Free with g_free().  */
char *sl_text_holdable (const char *text);

/* Appends a text to a document of XML, as the value of an attribute in double quotes or between two tags: what
 * sl_text_holdable() leaves, with the signs of XML as entities.  */
void sl_xml_append (GString *out, const char *text);
