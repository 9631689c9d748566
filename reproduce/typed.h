/* SPDX-License-Identifier: MIT
 *
 * What was typed after sluice-reproduce, and the data that tables need.  */
#pragma once

#include "reproduce/reproduce.h"

typedef struct
{
  char    *data[SL_N_TABLE_NEEDS]; /* as typed, or NULL */
  char    *figure, *store, *report;
  char    *seeds; /* "5", "6-10"; NULL: as many as the table usually has */
  gboolean list, all, quick, quiet, markdown, json, version;
  SlLooks  looks;
} SlTyped;

void sl_typed_clear (SlTyped *typed);

/* Before anything is trained: options that go together, places where files can be made, and data that some table
 * (found: of SlPaperTable) needs.  Complains.  */
SlExit sl_typed_check (const SlTyped *typed, const GPtrArray *found);

/* What `seeds` says, which leaves both as they are where it is NULL; false when it cannot be read. */
bool sl_typed_seeds (const SlTyped *typed, uint64_t *first, unsigned *seeds);

/* "; needs MNIST" for the list, or "".  Static. */
const char *sl_needs_listed (SlTableNeeds needs);

/* The question for data that are nowhere, marked for translators.  Static. */
const char *sl_needs_missing (SlTableNeeds needs);

/* The data of a table, as typed or where they are shared; NULL when that is nowhere.  Free with g_free(). */
char *sl_needs_data (const SlTyped *typed, SlTableNeeds needs);

/* Before a table is made: whether the data have the shape of those that it is about, and in its `title` whether they
 * are the same.  Complains.  */
SlExit sl_needs_check (SlReproduction *r);
