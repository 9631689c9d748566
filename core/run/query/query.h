/* SPDX-License-Identifier: MIT
 *
 * A line that chooses runs: `lab = experts and k <= 4 and error < 12`.
 *
 *   line   := any { "or" any }          any := each { "and" each }
 *   each   := "not" each | "(" line ")" | test
 *   test   := NAME SIGN VALUE | NAME
 *   SIGN   := = | != | < | <= | > | >= | contains
 *
 * Names are those of field.h: facts of the run, its settings, its scores.  A value is a word, a
 * number, a date (2026-11-24, with a time 2026-11-24T18:30, today, yesterday; all UTC) or a text in
 * quotes; capitals are as small letters.  A name alone holds where the run has something of it that
 * is not 0, no or empty.  A run that has nothing of this name (another lab, a score that was never
 * measured) passes no sign but = "", which is true of just those; "not" turns that round.  A single
 * day means all of it after =, and its beginning after the others (its end after <= and >).
 *
 * A line without any sign, bracket, quote or word of the grammar is searched for literally, in the
 * texts of a run that the user sees.
 *
 * At most SL_QUERY_BYTES long, SL_QUERY_DEPTH deep, SL_QUERY_TESTS tests.  A mistake is said with
 * its place: the number of the character, from 1.  Plain data, any thread.  */
#pragma once

#include "core/run/store/store.h"

G_BEGIN_DECLS

enum {
  SL_QUERY_BYTES = 1000,
  SL_QUERY_DEPTH = 16,
  SL_QUERY_TESTS = 64,
};

typedef struct SlQuery SlQuery;

/* Reads a line; an empty one lets every run pass.  `runs` (of SlStoreRun, or NULL) are those whose scores
 * can be named.  NULL with a sentence.  */
SlQuery *sl_query_new (const char *line, const GPtrArray *runs, GError **error);
void     sl_query_free (SlQuery *query);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SlQuery, sl_query_free)

/* Whether a run passes. */
gboolean sl_query_passes (const SlQuery *query, const SlStoreRun *run);

/* The words that are found literally, in small letters; NULL where the line has conditions, or
 * nothing.  */
const char *sl_query_words (const SlQuery *query);

/* Takes out of `runs` (of SlStoreRun) those that do not pass.  NULL lets all pass.  FALSE with a sentence
 * for a line that cannot be read: `runs` is as before.  */
gboolean sl_query_filter (const char *line, GPtrArray *runs, GError **error);

/* What could replace the word that ends at byte `at` of the line: names where a name is expected,
 * values where one of a known name is, else the words of the grammar.  *from is where that word
 * begins.  An array of texts, best first, at most `most`; free with g_ptr_array_unref().  */
GPtrArray *sl_query_complete (const char *line, size_t at, const GPtrArray *runs, guint most,
                              size_t *from);

G_END_DECLS
