/* SPDX-License-Identifier: MIT
 *
 * Rows of loads: how often an expert of a layer was chosen, or all of them.  Two walks over the rows: one looks at the
 * numbers, the other puts them into the draft.  */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/read/meaning/meaning.h"
#include "core/data/read/recording/loads.h"
#include "core/data/read/recording/rows.h"
#include "core/data/read/recording/steps.h"

typedef struct
{
  SlRows  *rows;
  SlLoads  loads;
  double  *step; /* (n_steps) values of the column of steps, rising; a row of loads for each */
  size_t   n_steps, n_rows;
  size_t   have[SL_ROUTING_LAYERS]; /* rows of loads that each layer has had in this walk */
  unsigned experts;                 /* the largest number + 1, or how many a row has */
  bool     putting;
  size_t   given; /* pairs of layer and expert */
  size_t   again; /* of these the ones that had a count before */
  bool     first; /* a pair has expert 0 */
} Reader;

/* Loads of several steps are rows of their own. */
static SlStatus
find_steps (Reader *r)
{
  SlRows *rows = r->rows;
  size_t  n = 0;

  if (rows->token == NULL)
    return SL_SUCCESS;
  r->step = malloc (rows->n * sizeof *r->step + 1);
  if (r->step == NULL)
    return sl_status_no_memory (rows->file->arrays.path);
  for (uint64_t row = 0; row < rows->n; row++)
    if (!isnan (sl_rows_number (rows, rows->token, row)))
      r->step[n++] = sl_rows_number (rows, rows->token, row);
  r->n_steps = sl_steps_sort (n, r->step);
  return SL_SUCCESS;
}

static size_t
step_of (const Reader *r, uint64_t row)
{
  size_t found = r->n_steps > 0 ? sl_steps_find (r->n_steps, r->step,
                                                 sl_rows_number (r->rows, r->rows->token, row))
                                : SIZE_MAX;

  return found != SIZE_MAX ? found : 0;
}

/* What the column has at `place` about an expert; `to` is the row of loads. */
static SlStatus
take_number (Reader *r, uint64_t row, const SlArray *column, uint64_t place, unsigned layer,
             size_t to, uint64_t expert)
{
  double value = sl_rows_number (r->rows, column, place);

  if (isnan (value))
    return SL_SUCCESS;
  if (r->putting)
    r->again += sl_loads_put (&r->loads, layer, to, expert, value);
  else if (!sl_loads_look (&r->loads, value))
    return sl_rows_refuse (r->rows, row, column, sl_message ("counts from 0 on"));
  return SL_SUCCESS;
}

/* A row of one layer, expert and count. */
static SlStatus
take_pair (Reader *r, uint64_t row, unsigned layer)
{
  const SlRows *rows = r->rows;
  double        expert = sl_rows_number (rows, rows->expert, row);

  if (!(expert >= 0 && expert < SL_ROUTING_EXPERTS && expert == floor (expert)))
    return sl_rows_refuse (rows, row, rows->expert, sl_message ("the number of an expert"));
  r->experts = expert >= r->experts ? (unsigned) expert + 1 : r->experts;
  r->n_rows = r->n_steps > 0 ? r->n_steps : 1;
  r->given += r->putting;
  r->first = r->first || expert < 1;
  return take_number (r, row, rows->count, row, layer, step_of (r, row), (uint64_t) expert);
}

/* A row of all experts of a layer, in a list or in a column each. */
static SlStatus
take_list (Reader *r, uint64_t row, unsigned layer)
{
  const SlRows *rows = r->rows;
  size_t        to = r->have[layer]++;
  SlStatus      status = SL_SUCCESS;

  r->n_rows = to >= r->n_rows ? to + 1 : r->n_rows;
  for (uint64_t i = 0; i < r->experts && sl_ok (&status); i++)
    status = rows->loads != NULL
               ? take_number (r, row, rows->loads, row * r->experts + i, layer, to, i)
               : take_number (r, row, rows->wide[i], row, layer, to, i);
  return status;
}

static SlStatus
walk (Reader *r)
{
  SlStatus status = SL_SUCCESS;

  for (uint64_t row = 0; row < r->rows->n && sl_ok (&status); row++)
    {
      unsigned layer;
      bool     found;

      status = sl_rows_layer (r->rows, row, &layer, &found);
      if (sl_ok (&status) && found)
        status = r->rows->expert != NULL ? take_pair (r, row, layer) : take_list (r, row, layer);
    }
  return status;
}

static void
say (const Reader *r)
{
  SlRoutingDraft *draft = r->rows->draft;
  const SlArray  *column = r->rows->expert != NULL ? r->rows->count : r->rows->loads;

  draft->reading.said
    = sl_message ("loads of %u layers × %u experts", draft->n_layers, draft->experts);
  if (draft->step != NULL)
    sl_message_add (&draft->reading.said, " at %zu steps, %.15g to %.15g", draft->rows,
                    draft->step[0], draft->step[draft->rows - 1]);
  else if (draft->rows > 1)
    sl_message_add (&draft->reading.said, ", %zu rows", draft->rows);
  if (column != NULL)
    sl_message_add (&draft->reading.said, ", counts from “%s”", column->name);
  if (r->again > 0)
    sl_reading_note (&draft->reading, sl_message ("pairs that come more than once are added"));
  if (r->rows->expert != NULL && !r->first)
    sl_reading_note (&draft->reading,
                     sl_message ("no row has expert 0, which counts as dead: numbered from 1?"));
  if (r->rows->expert != NULL
      && r->given - r->again < (size_t) draft->n_layers * draft->experts * draft->rows)
    sl_reading_note (&draft->reading, sl_message ("missing pairs of layer and expert count as 0"));
  sl_loads_note (draft);
}

/* What tells the rows of loads apart stays where it counts training steps. */
static void
keep_steps (Reader *r)
{
  if (r->n_steps == 0 || sl_steps_rank (r->rows->token->name) < 0)
    return;
  r->rows->draft->step = r->step;
  r->step = NULL;
}

/* How many experts a row has, where it has them all. */
static SlStatus
find_width (Reader *r)
{
  const SlRows *rows = r->rows;
  uint64_t      width = rows->loads != NULL ? rows->loads->shape[1] : rows->n_wide;

  if (width == 0 || width > SL_ROUTING_EXPERTS)
    return sl_status_new (SL_EFORMAT, rows->file->arrays.path,
                          sl_message ("counts of %llu experts", (unsigned long long) width),
                          sl_message ("1 to %d", SL_ROUTING_EXPERTS));
  r->experts = (unsigned) width;
  return SL_SUCCESS;
}

static SlStatus
read_loads (Reader *r)
{
  SlRoutingDraft *draft = r->rows->draft;
  SlStatus        status = r->rows->expert != NULL ? find_steps (r) : find_width (r);

  if (sl_ok (&status))
    status = walk (r);
  if (sl_ok (&status) && r->n_rows == 0)
    status = sl_status_new (SL_EFORMAT, draft->path, sl_message ("no rows of loads"),
                            sl_message ("a layer and its counts in each"));
  if (!sl_ok (&status))
    return status;
  draft->rows = r->n_rows;
  status = sl_recording_experts (draft, r->experts);
  if (sl_ok (&status))
    status = sl_loads_begin (&r->loads);
  memset (r->have, 0, sizeof r->have);
  r->putting = true;
  if (sl_ok (&status))
    status = walk (r);
  if (!sl_ok (&status))
    return status;
  keep_steps (r);
  say (r);
  return status;
}

SlStatus
sl_rows_loads (SlRows *rows)
{
  Reader  *r = calloc (1, sizeof *r);
  SlStatus status;

  if (r == NULL)
    return sl_status_no_memory (rows->file->arrays.path);
  r->rows = rows;
  r->loads.draft = rows->draft;
  /* The column is read, whatever its name. */
  if (rows->expert != NULL)
    rows->file->meaning.of[rows->count - rows->file->arrays.array].role = SL_ROLE_COUNT;
  status = read_loads (r);
  free (r->step);
  free (r);
  return status;
}
