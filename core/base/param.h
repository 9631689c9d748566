/* SPDX-License-Identifier: MIT
 *
 * Knobs and their values.  A parameter describes itself completely, so that a
 * form, a command line, a recipe and a help page can be made from it without
 * knowing the lab.  Data sources (core/data/source/source.h) describe their options
 * with the same type.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/base/status.h"

enum {
  SL_LIST_MAX = 16,   /* elements of a list parameter */
  SL_PARAMS_MAX = 56, /* parameters of a lab or source */
};

typedef enum {
  SL_REAL,
  SL_INTEGER,
  SL_CHOICE,  /* the value is an index into `choices` */
  SL_BOOLEAN, /* 0 or 1 */
  SL_LIST,    /* whole numbers, written "1000-600-400"; where `step` is no whole number they are any
               * numbers, and those or numbers below 0 are written "-0.5/0/0.25" */
} SlKind;

typedef enum {
  SL_LIVE,    /* applies at the next step; the rule */
  SL_RESTART, /* needs new weights; the form says so */
} SlEffect;

/* The three knobs that many systems have under names and ranges of their own; the start page and
 * the presentation show a lab's parameters of these roles first.  */
typedef enum {
  SL_HEADLINE_NONE,
  SL_HEADLINE_SPARSITY, /* s: the share of units that should be on, 0..1 */
  SL_HEADLINE_RANK,     /* rank of an estimate */
  SL_HEADLINE_ACTIVE,   /* k: how many of those that could work on an input do: experts, bits,
                     * positions read */
  SL_N_HEADLINES,
} SlHeadline;

typedef struct
{
  const char *id;    /* as typed after --set */
  const char *title; /* as read in a drop-down */
  bool
    programs; /* only a program can choose it, which brings what it needs: settings can have it, and nothing
                      * offers it.  Such choices come last */
} SlChoice;

typedef struct
{
  const char     *id;     /* lower-case-with-dashes; stable, used in files */
  const char     *title;  /* to be shown, sentence case */
  const char     *unit;   /* NULL when it has none */
  const char     *group;  /* heading of the form, the same text for the rows of one group */
  const char     *help;   /* two sentences: what it is, what moving it does */
  const char     *source; /* "Davis 2016, §3.1.2", or NULL when it is ours */
  SlKind          kind;
  double          lo, hi; /* inclusive; of each element for a list */
  double          step;   /* of an arrow key */
  double          fallback;
  bool            logarithmic;
  SlEffect        effect;
  const SlChoice *choices; /* CHOICE: ended by an id of NULL */
  const char     *list;    /* LIST: the default as text */
  const char     *each;    /* LIST: has as many elements as this other list; a single given
                              * value is repeated.  NULL: free length, at least one */
  const char     *needs;   /* what must hold for this to matter: "gate=noisy", "gate!=none",
                              * "groups>1" or several with spaces between, of which all must hold;
                              * of "gate=switch|gate=bias|groups>1" one is enough; NULL: nothing */
  const char     *most;    /* INTEGER: another integer parameter of the lab, beyond which this one
                              * has no further effect ("experts" for k), or how many the data
                              * have ("data.layers"), counted from `lo`; or NULL */
  const char     *one;     /* what traces call one of those that it lists or counts: "layer" */
  SlHeadline      headline;
  bool            view; /* says how often something is measured or which part is looked at, not what
                     * is trained: no sweep, preset or comparison has it.  These come last */
  const char *formula;  /* what it is in signs, plain Unicode, with "(reading)", "(convention)" or
                              * "(ours)" where the paper does not say so itself; NULL: none */
} SlParam;

/* The choices of a parameter, written where the parameter is. */
/* clang-format off */
#define SL_CHOICES(...) .choices = (const SlChoice[]) { __VA_ARGS__, { 0 } }
/* clang-format on */

/* A text of a descriptor that may be missing, to be printed. */
static inline const char *
sl_given (const char *text)
{
  return text != NULL ? text : "";
}

/* The value of one parameter: n = 1 but for lists. */
typedef struct
{
  unsigned n;
  double   v[SL_LIST_MAX];
} SlValue;

typedef struct
{
  SlValue value[SL_PARAMS_MAX]; /* in the order of the descriptor's parameters */
} SlSettings;

/* Fills in every default. */
void sl_settings_default (SlSettings *settings, const SlParam *params, unsigned n_params);

/* How many choices of a CHOICE can be offered: all but those that only a program can choose. */
unsigned sl_param_offers (const SlParam *param);

/* Index of the parameter `id`, or -1. */
int sl_param_find (const SlParam *params, unsigned n_params, const char *id);

/* Reads a value from text, always in the C locale: numbers, choice ids, yes/no/1/0,
 * lists with '-' between the elements, or with '/' or ',' where they may be fractions or below 0
 * ('/' alone works inside a list of values).  SL_EINVAL with what was found and expected
 * when it is malformed, not finite or out of range.  */
SlStatus sl_param_parse (const SlParam *param, const char *text, SlValue *value);

/* Writes a value as sl_param_parse() reads it; exact to the last bit.  Returns `text`.  */
const char *sl_param_format (const SlParam *param, const SlValue *value, char *text, size_t size);

/* Whether two values have the same elements, bit for bit. */
bool sl_value_same (const SlValue *a, const SlValue *b);

/* Whether all values of two settings are the same. */
bool sl_settings_same (const SlSettings *a, const SlSettings *b, unsigned n_params);

/* Whether the value, or each element of a list, can only be a whole number. */
bool sl_param_is_whole (const SlParam *param);

/* The sign between the elements of a list: "-", or "/" where they may be fractions or below 0. */
const char *sl_param_separator (const SlParam *param);

/* Checks a value against its range and rounds integers.  SL_EINVAL. */
SlStatus sl_param_check (const SlParam *param, const SlValue *value);

/* A number from a pointer, rounded as the user would type it: to a whole number, to a step of the
 * parameter, or to three digits on a logarithmic scale; within its range.  */
double sl_param_tidy (const SlParam *param, double value);

/* Sets one parameter by id and text, "k", "4".  Lists that follow another one
 * (`each`) are stretched or cut to its length: a missing element repeats the last.
 * SL_EINVAL, also for an unknown id (the sentence names the nearest one).  */
SlStatus sl_settings_set (SlSettings *settings, const SlParam *params, unsigned n_params,
                          const char *id, const char *text);

/* Sets several from "id=value id=value" in their order; NULL sets none.  SL_EINVAL as
 * sl_settings_set(), and for a word without a value; SL_ENOMEM.  */
SlStatus sl_settings_set_words (SlSettings *settings, const SlParam *params, unsigned n_params,
                                const char *words);

/* Brings every list with `each` to the length of the list it follows. */
void sl_settings_settle (SlSettings *settings, const SlParam *params, unsigned n_params);

/* The largest value of a single number that has a further effect under these settings. */
double sl_param_reach (const SlSettings *settings, const SlParam *params, unsigned n_params,
                       unsigned param);

/* Whether no number that matters is beyond its reach, where it would say more than what is done: SL_EINVAL names the
 * first.  One at its fallback may be, as k of a single expert.  */
SlStatus sl_settings_check_reach (const SlSettings *settings, const SlParam *params,
                                  unsigned n_params);

/* True when all conditions of a `needs` hold under these settings, and those of the parameters it
 * names.  NULL holds.  So does a condition on the data ("data.gates"), which is the only one of its
 * `needs`.  */
bool sl_needs_hold (const SlSettings *settings, const SlParam *params, unsigned n_params,
                    const char *needs);

/* False when the parameter's `needs` does not hold under these settings. */
bool sl_param_matters (const SlSettings *settings, const SlParam *params, unsigned n_params,
                       unsigned param);
