/* SPDX-License-Identifier: MIT
 *
 * Loads that a trainer logs, a column for each expert of a layer: a row for each step at which every layer has some.  */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/read/recording/loads.h"
#include "core/data/read/recording/steps.h"

/* A column of loads. */
typedef struct
{
  SlArray *array;
  unsigned layer; /* of the draft */
  uint64_t expert;
} Column;

typedef struct
{
  SlRecordingFile *file;
  SlRoutingDraft  *draft;
  SlArray         *steps;
  Column          *column; /* (n) layer by layer */
  size_t           n;
  double          *step;  /* (n_steps) the different ones, rising */
  size_t          *place; /* (rows of the steps) their places in it; SIZE_MAX: no number */
  size_t           n_steps;
  size_t          *row;   /* (n_steps) rows of loads; SIZE_MAX: left out */
  size_t          *seen;  /* (n_steps) loads there */
  double          *value; /* (n_steps) of one column, NaN where it has none */
  SlLoads          loads;
  size_t           left_out, missing;
  double           unfinished; /* the last step, where it is left out for that; or NaN */
} Reader;

static SlStatus
no_memory (const Reader *r)
{
  return sl_status_no_memory (r->file->arrays.path);
}

/* ---- columns and steps ---- */

static int
by_number (const void *a, const void *b)
{
  const SlMeant *x = *(SlMeant *const *) a, *y = *(SlMeant *const *) b;
  int            layers = (x->number[0] > y->number[0]) - (x->number[0] < y->number[0]);

  return layers != 0 ? layers : (x->number[1] > y->number[1]) - (x->number[1] < y->number[1]);
}

static SlStatus
add_column (Reader *r, SlMeant *meant)
{
  SlRoutingDraftLayer *layer;
  SlStatus status = sl_routing_draft_layer (r->draft, (int) meant->number[0], -1, &layer);

  if (sl_ok (&status) && meant->number[1] >= SL_ROUTING_EXPERTS)
    status = sl_status_new (
      SL_EFORMAT, r->file->arrays.path,
      sl_message ("%s: expert %llu", meant->array->name, (unsigned long long) meant->number[1]),
      sl_message ("at most %d", SL_ROUTING_EXPERTS - 1));
  if (sl_ok (&status))
    status = sl_array_load (&r->file->arrays, meant->array);
  if (sl_ok (&status))
    r->column[r->n++]
      = (Column) { meant->array, (unsigned) (layer - r->draft->layer), meant->number[1] };
  return status;
}

static SlStatus
find_columns (Reader *r)
{
  unsigned  n = 0, most = r->file->arrays.n;
  SlMeant **meant = calloc (most + 1, sizeof *meant);
  SlStatus  status = SL_SUCCESS;

  r->column = calloc (most + 1, sizeof *r->column);
  if (meant == NULL || r->column == NULL)
    status = no_memory (r);
  for (unsigned i = 0; i < most && sl_ok (&status); i++)
    if (r->file->meaning.of[i].role == SL_ROLE_TRAINED)
      meant[n++] = &r->file->meaning.of[i];
  if (n > 1)
    qsort (meant, n, sizeof *meant, by_number);
  for (unsigned i = 0; i < n && sl_ok (&status); i++)
    status = meant[i]->number[0] <= INT32_MAX
               ? add_column (r, meant[i])
               : sl_status_new (SL_EFORMAT, r->file->arrays.path,
                                sl_message ("%s", meant[i]->array->name), sl_message ("a layer"));
  free (meant);
  return status;
}

/* The different steps, and where each row of the column of steps is among them. */
static SlStatus
find_steps (Reader *r)
{
  size_t   rows = r->steps->n, n = 0;
  double  *all = malloc ((rows + 1) * sizeof *all);
  SlStatus status = all != NULL ? sl_array_load (&r->file->arrays, r->steps) : no_memory (r);

  r->step = malloc ((rows + 1) * sizeof *r->step);
  r->place = malloc ((rows + 1) * sizeof *r->place);
  r->row = calloc (rows + 1, sizeof *r->row);
  r->seen = calloc (rows + 1, sizeof *r->seen);
  r->value = malloc ((rows + 1) * sizeof *r->value);
  if (sl_ok (&status)
      && (r->step == NULL || r->place == NULL || r->row == NULL || r->seen == NULL
          || r->value == NULL))
    status = no_memory (r);
  if (sl_ok (&status))
    status = sl_array_reals (r->steps, r->file->arrays.path, 0, rows, all);
  for (size_t i = 0; i < rows && sl_ok (&status); i++)
    if (isfinite (all[i]))
      r->step[n++] = all[i];
  if (sl_ok (&status))
    r->n_steps = sl_steps_sort (n, r->step);
  for (size_t i = 0; i < rows && sl_ok (&status); i++)
    r->place[i] = sl_steps_find (r->n_steps, r->step, all[i]);
  for (size_t i = 0; i < r->n_steps; i++)
    r->value[i] = NAN;
  free (all);
  return status;
}

/* ---- values ---- */

/* The step of a column's number, or SIZE_MAX. */
static size_t
step_of (const Reader *r, const SlArray *array, size_t i)
{
  size_t row = array->pieces > 0 && r->steps->pieces == 0 ? array->record[i] : i;

  return row < r->steps->n ? r->place[row] : SIZE_MAX;
}

static double
number_of (const Reader *r, const SlArray *array, size_t i)
{
  double   value = NAN;
  SlStatus status = sl_array_reals (array, r->file->arrays.path, i, 1, &value);

  return sl_ok (&status) && isfinite (value) ? value : NAN;
}

/* Where a column has several numbers of a step the last one counts: hands each step's to `take`, once. */
static SlStatus
walk (Reader *r, const Column *column, SlStatus (*take) (Reader *, const Column *, size_t, double))
{
  const SlArray *array = column->array;
  SlStatus       status = SL_SUCCESS;

  for (size_t i = 0; i < array->n; i++)
    {
      size_t step = step_of (r, array, i);
      double value = step != SIZE_MAX ? number_of (r, array, i) : NAN;

      if (!isnan (value))
        r->value[step] = value;
    }
  for (size_t i = 0; i < array->n && sl_ok (&status); i++)
    {
      size_t step = step_of (r, array, i);

      if (step == SIZE_MAX || isnan (r->value[step]))
        continue;
      status = take (r, column, step, r->value[step]);
      r->value[step] = NAN;
    }
  return status;
}

/* First each step's loads are counted; `row` is how many layers have some there. */
static SlStatus
look (Reader *r, const Column *column, size_t step, double value)
{
  if (!sl_loads_look (&r->loads, value))
    return sl_status_new (
      SL_EFORMAT, r->file->arrays.path,
      sl_message ("%s: %.6g at step %.15g", column->array->name, value, r->step[step]),
      sl_message ("counts or shares from 0 on"));
  r->seen[step]++;
  /* Columns come layer by layer. */
  if (r->row[step] == column->layer)
    r->row[step]++;
  return SL_SUCCESS;
}

static SlStatus
put (Reader *r, const Column *column, size_t step, double value)
{
  if (r->row[step] != SIZE_MAX)
    sl_loads_put (&r->loads, column->layer, r->row[step], column->expert, value);
  return SL_SUCCESS;
}

/* A step counts where every layer has a load; the last one, which may still be written, not with fewer than the one
 * before.  */
static SlStatus
choose_steps (Reader *r)
{
  size_t last = SIZE_MAX, before = SIZE_MAX;

  for (size_t i = 0; i < r->n_steps; i++)
    if (r->seen[i] > 0)
      {
        before = last;
        last = i;
      }
  if (before != SIZE_MAX && r->seen[last] < r->seen[before])
    {
      r->unfinished = r->step[last];
      r->seen[last] = 0;
    }
  r->draft->rows = 0;
  for (size_t i = 0; i < r->n_steps; i++)
    {
      bool whole = r->seen[i] > 0 && r->row[i] == r->draft->n_layers;

      r->left_out += r->seen[i] > 0 && !whole;
      r->missing += whole ? r->n - r->seen[i] : 0;
      r->row[i] = whole ? r->draft->rows : SIZE_MAX;
      if (whole)
        r->step[r->draft->rows++] = r->step[i];
    }
  if (r->draft->rows > 0)
    return SL_SUCCESS;
  return sl_status_new (SL_EFORMAT, r->file->arrays.path,
                        sl_message ("no step with loads of all layers"),
                        sl_message ("loads of %u layers at the same steps", r->draft->n_layers));
}

static SlStatus
read_all (Reader *r, SlStatus (*take) (Reader *, const Column *, size_t, double))
{
  SlStatus status = SL_SUCCESS;

  for (size_t i = 0; i < r->n && sl_ok (&status); i++)
    status = walk (r, &r->column[i], take);
  return status;
}

static void
say (Reader *r)
{
  SlRoutingDraft *draft = r->draft;
  SlFileReading  *reading = &draft->reading;

  reading->said
    = sl_message ("loads of %u layers × %u experts at %zu steps, %.15g to %.15g", draft->n_layers,
                  draft->experts, draft->rows, r->step[0], r->step[draft->rows - 1]);
  if (!isnan (r->unfinished))
    sl_reading_note (reading,
                     sl_message ("step %.15g has fewer loads than the one before: left out until "
                                 "whole",
                                 r->unfinished));
  if (r->left_out > 0)
    sl_reading_note (reading,
                     sl_message ("left out: %zu steps without a load of every layer", r->left_out));
  if (r->missing > 0)
    sl_reading_note (reading, sl_message ("missing loads, which count as 0: %zu", r->missing));
  sl_loads_note (draft);
}

static SlStatus
read_training (Reader *r)
{
  unsigned experts = 0;
  SlStatus status = find_columns (r);

  for (size_t i = 0; i < r->n; i++)
    experts = r->column[i].expert >= experts ? (unsigned) r->column[i].expert + 1 : experts;
  if (sl_ok (&status))
    status = find_steps (r);
  if (sl_ok (&status))
    status = read_all (r, look);
  if (sl_ok (&status))
    status = choose_steps (r);
  if (sl_ok (&status))
    status = sl_recording_experts (r->draft, experts);
  if (sl_ok (&status))
    status = sl_loads_begin (&r->loads);
  if (sl_ok (&status))
    status = read_all (r, put);
  if (!sl_ok (&status))
    return status;
  say (r);
  r->draft->step = r->step;
  r->step = NULL;
  return status;
}

SlStatus
sl_recording_training (SlRecordingFile *file)
{
  Reader   r = { .file = file,
                 .draft = file->draft,
                 .steps = sl_meaning_find (&file->meaning, SL_ROLE_STEPS)->array,
                 .loads = { .draft = file->draft },
                 .unfinished = NAN };
  SlStatus status = read_training (&r);

  free (r.column);
  free (r.step);
  free (r.place);
  free (r.row);
  free (r.seen);
  free (r.value);
  return status;
}
