/* SPDX-License-Identifier: MIT
 *
 * The help, as pages of parts that a window or a file can show.  The pages of labs and of the data
 * are made from their descriptors; a lab that is added has its page without another line.  */
#pragma once

#include <glib.h>

#include "core/data/source/source.h"
#include "core/lab/lab.h"

G_BEGIN_DECLS

typedef enum {
  SL_MANUAL_TITLE,   /* of the page */
  SL_MANUAL_HEADING, /* of a chapter or group */
  SL_MANUAL_ITEM,    /* of a parameter or panel */
  SL_MANUAL_FACTS,   /* range, default and what else can be said in a line */
  SL_MANUAL_TEXT,
  SL_MANUAL_POINT, /* one of a list; `term` leads it */
  SL_MANUAL_FORMULA,
  SL_MANUAL_SOURCE,
} SlManualKind;

typedef struct
{
  SlManualKind kind;
  char        *text; /* UTF-8, no markup */
  char        *term; /* of a POINT: what it is about; of what has a descriptor: the id; or NULL */
  gconstpointer
    about; /* the descriptor (SlLab, SlParam, SlPanel, SlSource, SlFileOption) it tells of;
                        * or NULL */
} SlManualPart;

/* Ids of all pages, topics first and then the labs in their order, ended by NULL; the strings are
 * static.  Free the list with g_free().  */
const char **sl_manual_pages (void);

/* Title of a page in the user's language, or NULL where there is no such page; static. */
const char *sl_manual_title (const char *page);

/* The parts of a page (SlManualPart), in the user's language or as they were written; NULL where
 * there is no such page.  Free with g_ptr_array_unref().  */
GPtrArray *sl_manual_parts (const char *page, gboolean translated);

/* The page with a part about this descriptor, or NULL; static. */
const char *sl_manual_page_about (gconstpointer descriptor);

/* A page as Markdown, untranslated, as files are; or NULL.  Free with g_free(). */
char *sl_manual_markdown (const char *page);

G_END_DECLS
