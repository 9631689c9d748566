/* SPDX-License-Identifier: MIT
 *
 * Loads that a trainer logs, a name for each expert.  */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/data/read/meaning/meaning.h"

enum { WORD = 24, FAMILIES = 16 };

int
sl_steps_rank (const char *name)
{
  static const char *const known[]
    = { "step",        "global_step", "_step", "trainer/global_step", "train/global_step",
        "update",      "iteration",   "iter",  "num_steps",           "steps",
        "global step", "iterations",  "epoch" };

  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (strcasecmp (name, known[k]) == 0)
      return (int) k;
  return -1;
}

/* ---- words of a name ---- */

static const char *const layers[] = { "layer", "layers", "block", "blocks", "blk", "l", NULL };
static const char *const experts[] = { "expert", "experts", "e", NULL };
static const char *const numbered[] = { "id", "idx", "index", "no", "num", "number", NULL };

/* One of these makes a load of what names an expert, … */
static const char *const loads[]
  = { "load",     "loads",      "token",       "tokens",      "count",      "counts",
      "usage",    "util",       "utilization", "utilisation", "fraction",   "frac",
      "share",    "shares",     "freq",        "frequency",   "routed",     "hits",
      "selected", "selections", "assigned",    "assignments", "dispatched", "percent",
      "pct",      "ratio",      "proportion",  "popularity",  NULL };

/* … one of these makes something else of it, … */
static const char *const others[]
  = { "loss",    "aux",        "z",        "grad",     "grads",     "gradient",  "gradients",
      "norm",    "bias",       "weight",   "weights",  "lr",        "std",       "var",
      "entropy", "time",       "latency",  "ms",       "memory",    "bytes",     "drop",
      "dropped", "overflow",   "capacity", "balance",  "balancing", "imbalance", "violation",
      "target",  "similarity", "error",    "accuracy", NULL };

/* … and without either all words have to be of these, or come before the layer and the expert. */
static const char *const plain[]
  = { "moe",      "mlp",   "ffn",     "model",  "decoder", "transformer", "train",
      "training", "stats", "metrics", "router", "routing", NULL };

static bool
is_of (const char *word, const char *const *list)
{
  while (*list != NULL && strcasecmp (word, *list) != 0)
    list++;
  return *list != NULL;
}

/* What comes next in a name: a word of letters, or a number.  False at the end. */
static bool
take_word (const char **at, char word[WORD], uint64_t *number)
{
  const char *begin;
  size_t      n;

  while (**at != '\0' && !isalnum ((unsigned char) **at))
    ++*at;
  begin = *at;
  *number = 0;
  for (; isdigit ((unsigned char) **at); ++*at)
    *number = *number < UINT32_MAX ? 10 * *number + (uint64_t) (**at - '0') : *number;
  if (*at == begin)
    while (isalpha ((unsigned char) **at))
      ++*at;
  n = (size_t) (*at - begin) < WORD ? (size_t) (*at - begin) : WORD - 1;
  memcpy (word, begin, n);
  word[n] = '\0';
  return n > 0;
}

/* A name as it is read. */
typedef struct
{
  const char *layer, *expert, *layer_end, *expert_end; /* where their numbers are, or NULL */
  bool        single;                                  /* "e" is the word for an expert */
  bool        load, other, strange;
} Reading;

static void
take_number (Reading *reading, SlTrainedName *to, const char *before, const char *begin,
             const char *end, uint64_t number)
{
  if (is_of (before, layers))
    {
      reading->layer = begin;
      reading->layer_end = end;
      to->layer = number;
      to->layered = true;
    }
  else if (is_of (before, experts))
    {
      reading->expert = begin;
      reading->expert_end = end;
      reading->single = before[1] == '\0';
      to->expert = number;
    }
}

static void
read_words (const char *name, Reading *reading, SlTrainedName *to)
{
  char     word[WORD], before[WORD] = "";
  uint64_t number;

  for (const char *at = name, *begin = name; take_word (&at, word, &number); begin = at)
    if (isdigit ((unsigned char) word[0]))
      {
        take_number (reading, to, before, begin + strcspn (begin, "0123456789"), at, number);
        before[0] = '\0';
      }
    else if (before[0] == '\0' || !is_of (word, numbered))
      {
        reading->load = reading->load || is_of (word, loads);
        reading->other = reading->other || is_of (word, others);
        reading->strange
          = reading->strange
            || (!is_of (word, layers) && !is_of (word, experts) && !is_of (word, plain)
                && (reading->layer != NULL || reading->expert != NULL));
        strcpy (before, word);
      }
}

/* A hash of all of a name but the two numbers. */
static uint64_t
family_of (const char *name, const Reading *reading)
{
  uint64_t hash = 14695981039346656037u;

  for (const char *at = name; *at != '\0'; at++)
    {
      bool layer = reading->layer != NULL && at >= reading->layer && at < reading->layer_end;

      if (!layer && !(at >= reading->expert && at < reading->expert_end))
        hash = (hash ^ (uint8_t) *at) * 1099511628211u;
      else if (at == reading->layer || at == reading->expert)
        hash = (hash ^ '#') * 1099511628211u;
    }
  return hash;
}

bool
sl_trained_name (const char *name, SlTrainedName *to)
{
  Reading     reading = { NULL };
  const char *run = strstr (name, " - "); /* Weights & Biases puts the name of the run before it */

  *to = (SlTrainedName) { .layered = false };
  if (strpbrk (name, "0123456789") == NULL)
    return false;
  read_words (run != NULL ? run + 3 : name, &reading, to);
  if (reading.expert == NULL || (reading.single && !to->layered) || reading.other
      || (!reading.load && reading.strange))
    return false;
  to->family = family_of (name, &reading);
  return true;
}

/* ---- columns ---- */

static bool
is_curve (const SlArray *array)
{
  return array->axes == 1 && (sl_array_whole (array) || sl_array_real (array));
}

/* Whether each number of a column belongs to one of the steps. */
static bool
goes_with (const SlArray *array, const SlArray *steps)
{
  if (array->pieces == 0 || steps->pieces > 0)
    return array->n == steps->n && array->pieces == steps->pieces;
  return true;
}

/* The column with the best name of steps: all of it, or what is behind the last dot. */
static SlMeant *
find_steps (SlMeaning *meaning)
{
  SlMeant *best = NULL;
  int      best_rank = -1;

  for (unsigned i = 0; i < meaning->arrays->n; i++)
    {
      SlMeant    *meant = &meaning->of[i];
      const char *dot = strrchr (meant->array->name, '.');
      int         rank = sl_steps_rank (dot != NULL ? dot + 1 : meant->array->name);

      /* The longer column is the one whose rows have the loads, where there are others around them. */
      if (rank >= 0 && is_curve (meant->array)
          && (best == NULL || meant->array->n > best->array->n
              || (meant->array->n == best->array->n && rank < best_rank)))
        {
          best = meant;
          best_rank = rank;
        }
    }
  return best;
}

typedef struct
{
  uint64_t family;
  unsigned n;
} Family;

/* The family with most columns among the first few that there are. */
static uint64_t
choose_family (const SlMeaning *meaning, const SlTrainedName *name, const bool *is)
{
  Family   family[FAMILIES] = { { 0, 0 } };
  unsigned n = 0, best = 0;

  for (unsigned i = 0; i < meaning->arrays->n; i++)
    {
      unsigned f = 0;

      if (!is[i])
        continue;
      while (f < n && family[f].family != name[i].family)
        f++;
      if (f < FAMILIES)
        family[f].family = name[i].family;
      if (f == n && n < FAMILIES)
        n++;
      if (f < n)
        family[f].n++;
    }
  for (unsigned f = 1; f < n; f++)
    if (family[f].n > family[best].n)
      best = f;
  return family[best].family;
}

/* Gives the columns of a family their roles; whatever else is in the table is left out. */
static void
give_roles (SlMeaning *meaning, SlMeant *steps, const SlTrainedName *name, const bool *is)
{
  uint64_t family = choose_family (meaning, name, is);

  for (unsigned i = 0; i < meaning->arrays->n; i++)
    {
      SlMeant *meant = &meaning->of[i];
      bool     chosen = is[i] && name[i].family == family;

      meant->role = chosen ? SL_ROLE_TRAINED : SL_ROLE_NONE;
      meant->rule = NULL;
      meant->number[0] = name[i].layer;
      meant->number[1] = name[i].expert;
      meant->numbers = chosen ? 2 : 0;
    }
  steps->role = SL_ROLE_STEPS;
}

SlStatus
sl_meaning_train (SlMeaning *meaning)
{
  SlMeant       *steps = find_steps (meaning);
  unsigned       n = meaning->arrays->n;
  SlTrainedName *name;
  bool          *is;

  if (steps == NULL || sl_meaning_find (meaning, SL_ROLE_LAYER) != NULL
      || sl_meaning_find (meaning, SL_ROLE_EXPERT) != NULL
      || sl_meaning_find (meaning, SL_ROLE_IDS) != NULL)
    return SL_SUCCESS;
  name = calloc (n, sizeof *name);
  is = calloc (n, sizeof *is);
  for (unsigned i = 0; name != NULL && is != NULL && i < n; i++)
    {
      const SlArray *array = &meaning->arrays->array[i];

      if (array == steps->array || !is_curve (array) || !goes_with (array, steps->array))
        continue;
      is[i] = sl_trained_name (array->name, &name[i]);
      meaning->curves++;
      meaning->loads += is[i];
    }
  if (meaning->loads < 2)
    meaning->curves = meaning->loads = 0;
  else
    give_roles (meaning, steps, name, is);
  free (name);
  free (is);
  return name != NULL && is != NULL ? SL_SUCCESS : sl_status_no_memory (meaning->arrays->path);
}
