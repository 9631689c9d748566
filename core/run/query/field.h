/* SPDX-License-Identifier: MIT
 *
 * The fields of a run, by name: facts (lab, status, step, …, note, tag), the outcome (error,
 * executed, expected, timed, parameters), settings by the ids of any lab's parameters, and its
 * figures (test.error, signs.recall.2) by theirs.  Where an id is two things, the earlier of these
 * counts; a setting is also reached as "set.ID".  Plain data, any thread.  */
#pragma once

#include "core/run/store/store.h"

G_BEGIN_DECLS

typedef enum {
  SL_FIELD_NOTHING, /* the run has nothing of this name */
  SL_FIELD_NUMBER,
  SL_FIELD_TEXT,
  SL_FIELD_TRUTH, /* a number 0 or 1 */
  SL_FIELD_DATE,  /* a number of seconds since 1970, UTC */
  SL_FIELD_TAGS,  /* a text: tags with commas between */
  SL_FIELD_ANY,   /* of a name, not of a value: another one in every lab */
} SlFieldKind;

/* The fact that is all settings in one: what runs have in common that differ in nothing but the seed. */
#define SL_FIELD_SETTING "setting"

enum { SL_FIELD_TEXT_SIZE = 160, SL_FIELD_LABS = 64 };

/* A name that was found. */
typedef struct
{
  SlFieldKind kind;
  const char *id;                   /* static or interned */
  int         fact;                 /* its number among the facts, or -1 */
  const char *figure;               /* interned, or NULL */
  signed char param[SL_FIELD_LABS]; /* its place in each lab of the registry, or -1 */
} SlField;

typedef struct
{
  SlFieldKind kind;
  double      number;
  const char *text;                     /* borrowed from the run, or `room` */
  char        room[SL_FIELD_TEXT_SIZE]; /* longer ones are cut */
} SlFieldValue;

/* FALSE when nothing has this name.  `runs` (of SlStoreRun, or NULL) are those whose figures count. */
gboolean sl_field_find (const char *name, const GPtrArray *runs, SlField *field);

void sl_field_read (const SlField *field, const SlStoreRun *run, SlFieldValue *value);

/* The value as the user reads and types it, "" for nothing; returns `text`. */
const char *sl_field_text (const SlFieldValue *value, char text[SL_FIELD_TEXT_SIZE]);

/* Rising; numbers before texts, and what a run has nothing of comes last. */
int sl_field_compare (const SlFieldValue *a, const SlFieldValue *b);

/* All names, facts first, then settings, then figures of `runs` (or NULL); an array of texts that are static
 * or interned.  Free with g_ptr_array_unref().  */
GPtrArray *sl_field_names (const GPtrArray *runs);

/* Texts that the field can be: ids of labs, statuses, choices, tags of `runs`.  Free as above. */
GPtrArray *sl_field_values (const SlField *field, const GPtrArray *runs);

/* Whether it is SL_FIELD_SETTING. */
gboolean sl_field_is_setting (const SlField *field);

/* The id of a parameter that the field is, and the first lab that has it; NULL: it is none. */
const SlParam *sl_field_param (const SlField *field);

G_END_DECLS
