/* SPDX-License-Identifier: MIT
 *
 * Rows of loads: how often an expert of a layer was chosen, or all of them.  */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/read/recording/rows.h"

static const double COUNT_MAX = (double) ((int64_t) 1 << 48);

/* What a walk over the rows has found before it fills anything in. */
typedef struct
{
  SlRows  *rows;
  double  *step; /* (n_steps) values of the column of steps, rising; a row of loads for each */
  size_t   n_steps;
  size_t   have[SL_ROUTING_LAYERS]; /* rows of loads that each layer has had so far */
  unsigned experts;                 /* the largest number + 1, or how many a row has */
  bool     whole;
  double   most, scale;
} Loads;

static SlStatus
check_count (Loads *l, uint64_t row, const SlArray *column, uint64_t place)
{
  double value = sl_rows_number (l->rows, column, place);

  if (isnan (value))
    return SL_SUCCESS;
  if (value < 0 || value > COUNT_MAX)
    return sl_rows_refuse (l->rows, row, column, sl_message ("counts from 0 on"));
  l->whole = l->whole && value == floor (value);
  l->most = fmax (l->most, value);
  return SL_SUCCESS;
}

static uint64_t
scaled (const Loads *l, const SlArray *column, uint64_t place)
{
  double value = sl_rows_number (l->rows, column, place);

  return isnan (value) ? 0 : (uint64_t) llround (value * l->scale);
}

static int
by_value (const void *a, const void *b)
{
  const double *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

/* Loads of several steps are rows of their own. */
static SlStatus
find_steps (Loads *l)
{
  SlRows *rows = l->rows;
  size_t  n = 0;

  if (rows->token == NULL)
    return SL_SUCCESS;
  l->step = malloc (rows->n * sizeof *l->step + 1);
  if (l->step == NULL)
    return sl_status_no_memory (rows->file->arrays.path);
  for (uint64_t row = 0; row < rows->n; row++)
    if (!isnan (sl_rows_number (rows, rows->token, row)))
      l->step[n++] = sl_rows_number (rows, rows->token, row);
  qsort (l->step, n, sizeof *l->step, by_value);
  for (size_t i = 0; i < n; i++)
    if (i == 0 || l->step[i] != l->step[l->n_steps - 1])
      l->step[l->n_steps++] = l->step[i];
  return SL_SUCCESS;
}

static size_t
step_of (const Loads *l, uint64_t row)
{
  double  value = l->n_steps > 0 ? sl_rows_number (l->rows, l->rows->token, row) : 0;
  double *found
    = l->n_steps > 0 ? bsearch (&value, l->step, l->n_steps, sizeof *l->step, by_value) : NULL;

  return found != NULL ? (size_t) (found - l->step) : 0;
}

/* Settles how many experts there are, and makes room. */
static SlStatus
make_room (Loads *l, size_t n_rows)
{
  SlRoutingDraft *draft = l->rows->draft;
  unsigned        said = draft->options.experts;

  draft->kind = SL_ROUTING_COUNTS;
  draft->rows = n_rows;
  draft->experts_from = said > 0             ? SL_ROUTING_SAID
                        : draft->experts > 0 ? SL_ROUTING_FILE
                                             : SL_ROUTING_LARGEST;
  draft->experts = said > 0 ? said : draft->experts > 0 ? draft->experts : l->experts;
  if (l->experts > draft->experts || draft->experts > SL_ROUTING_EXPERTS)
    return sl_status_new (SL_EFORMAT, draft->path, sl_message ("expert %u", l->experts - 1),
                          sl_message ("one of 0 to %u", draft->experts - 1));
  l->scale = sl_recording_scale (draft, l->whole, l->most);
  return sl_routing_draft_counts (draft);
}

static void
say (const Loads *l, const char *column)
{
  SlRoutingDraft *draft = l->rows->draft;

  draft->reading.said
    = sl_message ("loads of %u layers × %u experts", draft->n_layers, draft->experts);
  if (draft->rows > 1)
    sl_message_add (&draft->reading.said, ", %zu rows", draft->rows);
  if (column != NULL)
    sl_message_add (&draft->reading.said, ", counts from “%s”", column);
  if (draft->shares)
    sl_reading_note (&draft->reading,
                     sl_message ("fractions: tokens are not known, so nothing is said of chance"));
}

/* ------------------------------------------------------------------------ layer, expert, count */

static SlStatus
look_at_pair (Loads *l, uint64_t row)
{
  SlRows  *rows = l->rows;
  double   expert = sl_rows_number (rows, rows->expert, row);
  unsigned index;
  bool     found;
  SlStatus status = sl_rows_layer (rows, row, &index, &found);

  if (!sl_ok (&status) || !found)
    return status;
  if (!(expert >= 0 && expert < SL_ROUTING_EXPERTS && expert == floor (expert)))
    return sl_rows_refuse (rows, row, rows->expert, sl_message ("an expert"));
  l->experts = expert >= l->experts ? (unsigned) expert + 1 : l->experts;
  return check_count (l, row, rows->count, row);
}

static SlStatus
put_pairs (Loads *l)
{
  SlRows *rows = l->rows;
  size_t  given = 0;

  for (uint64_t row = 0; row < rows->n; row++)
    {
      unsigned index;
      bool     found;
      SlStatus status = sl_rows_layer (rows, row, &index, &found);

      if (sl_ok (&status) && found)
        {
          rows->draft->layer[index].counts[step_of (l, row) * rows->draft->experts
                                           + (size_t) sl_rows_number (rows, rows->expert, row)]
            += scaled (l, rows->count, row);
          given++;
        }
    }
  if (given < (size_t) rows->draft->n_layers * rows->draft->experts * rows->draft->rows)
    sl_reading_note (&rows->draft->reading,
                     sl_message ("missing pairs of layer and expert count as 0"));
  return SL_SUCCESS;
}

SlStatus
sl_rows_load_table (SlRows *rows)
{
  Loads   *l = calloc (1, sizeof *l);
  SlMeant *meant;
  SlStatus status;

  if (l == NULL)
    return sl_status_no_memory (rows->file->arrays.path);
  l->rows = rows;
  l->whole = true;
  status = find_steps (l);
  for (uint64_t row = 0; row < rows->n && sl_ok (&status); row++)
    status = look_at_pair (l, row);
  if (sl_ok (&status) && l->experts == 0)
    status = sl_status_new (SL_EFORMAT, rows->file->arrays.path, sl_message ("no rows of loads"),
                            sl_message ("a layer, an expert and a count"));
  if (sl_ok (&status))
    status = make_room (l, l->n_steps > 0 ? l->n_steps : 1);
  if (sl_ok (&status))
    status = put_pairs (l);
  if (sl_ok (&status))
    say (l, rows->count->name);
  /* The column is read, whatever its name. */
  meant = &rows->file->meaning.of[rows->count - rows->file->arrays.array];
  meant->role = SL_ROLE_COUNT;
  free (l->step);
  free (l);
  return status;
}

/* ------------------------------------------------------------------- all experts of a layer */

static uint64_t
width_of (const SlRows *rows)
{
  return rows->loads != NULL ? rows->loads->shape[1] : rows->n_wide;
}

static const SlArray *
cell_of (const SlRows *rows, uint64_t row, uint64_t i, uint64_t *place)
{
  *place = rows->loads != NULL ? row * rows->loads->shape[1] + i : row;
  return rows->loads != NULL ? rows->loads : rows->wide[i];
}

static SlStatus
look_at_list (Loads *l, uint64_t row, size_t *n_rows)
{
  unsigned index;
  bool     found;
  SlStatus status = sl_rows_layer (l->rows, row, &index, &found);

  if (!sl_ok (&status) || !found)
    return status;
  for (uint64_t i = 0, place; i < l->experts && sl_ok (&status); i++)
    {
      const SlArray *column = cell_of (l->rows, row, i, &place);

      status = check_count (l, row, column, place);
    }
  if (++l->have[index] > *n_rows)
    *n_rows = l->have[index];
  return status;
}

static void
put_lists (Loads *l)
{
  SlRows *rows = l->rows;

  memset (l->have, 0, sizeof l->have);
  for (uint64_t row = 0; row < rows->n; row++)
    {
      unsigned  index;
      bool      found;
      SlStatus  status = sl_rows_layer (rows, row, &index, &found);
      uint64_t *to;

      if (!sl_ok (&status) || !found)
        continue;
      to = rows->draft->layer[index].counts + l->have[index]++ * rows->draft->experts;
      for (uint64_t i = 0, place; i < l->experts; i++)
        {
          const SlArray *column = cell_of (rows, row, i, &place);

          to[i] = scaled (l, column, place);
        }
    }
}

SlStatus
sl_rows_load_lists (SlRows *rows)
{
  Loads   *l = calloc (1, sizeof *l);
  size_t   n_rows = 0;
  SlStatus status = SL_SUCCESS;

  if (l == NULL)
    return sl_status_no_memory (rows->file->arrays.path);
  l->rows = rows;
  l->whole = true;
  if (width_of (rows) == 0 || width_of (rows) > SL_ROUTING_EXPERTS)
    status
      = sl_status_new (SL_EFORMAT, rows->file->arrays.path,
                       sl_message ("counts of %llu experts", (unsigned long long) width_of (rows)),
                       sl_message ("1 to %d", SL_ROUTING_EXPERTS));
  else
    l->experts = (unsigned) width_of (rows);
  for (uint64_t row = 0; row < rows->n && sl_ok (&status); row++)
    status = look_at_list (l, row, &n_rows);
  if (sl_ok (&status) && n_rows == 0)
    status = sl_status_new (SL_EFORMAT, rows->file->arrays.path, sl_message ("no rows of loads"),
                            sl_message ("a layer and its counts"));
  if (sl_ok (&status))
    status = make_room (l, n_rows);
  if (sl_ok (&status))
    {
      put_lists (l);
      say (l, rows->loads != NULL ? rows->loads->name : NULL);
    }
  free (l);
  return status;
}
