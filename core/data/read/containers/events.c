/* SPDX-License-Identifier: MIT
 *
 * Event files of TensorBoard as columns; see container.h.  */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/data/read/containers/container.h"
#include "core/data/read/containers/event-files.h"
#include "core/data/read/containers/event.h"
#include "core/data/text/grow.h"

typedef struct
{
  char     *name; /* (length) as in the file */
  size_t    length;
  double   *value; /* (n) */
  uint32_t *at;    /* (n) of the steps; rising, as their values do */
  size_t    n, value_room, at_room;
} Tag;

typedef struct
{
  SlArrays *arrays;
  Tag      *tag; /* (n) */
  size_t    n, room;
  uint32_t *place; /* (places) a power of two: of a tag, plus 1, at its hash or behind */
  size_t    places;
  size_t    next; /* the tag that came behind the last one before */
  double   *step; /* (n_steps) as they came */
  size_t    n_steps, steps_room;
  size_t    bytes;
  bool      rewound;
} Events;

/* ---- tags by name ---- */

static size_t
find_place (const Events *e, const char *name, size_t length)
{
  uint64_t hash = 14695981039346656037u;
  size_t   at;

  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (uint8_t) name[i]) * 1099511628211u;
  for (at = (hash ^ hash >> 32) & (e->places - 1); e->place[at] > 0;
       at = (at + 1) & (e->places - 1))
    {
      const Tag *tag = &e->tag[e->place[at] - 1];

      if (tag->length == length && memcmp (tag->name, name, length) == 0)
        break;
    }
  return at;
}

/* Half of the places stay empty. */
static bool
make_places (Events *e)
{
  if (2 * (e->n + 1) <= e->places)
    return true;
  free (e->place);
  e->places = e->places > 0 ? 2 * e->places : 256;
  e->place = calloc (e->places, sizeof *e->place);
  for (size_t i = 0; e->place != NULL && i < e->n; i++)
    e->place[find_place (e, e->tag[i].name, e->tag[i].length)] = (uint32_t) i + 1;
  return e->place != NULL;
}

static bool
is_named (const Tag *tag, const SlEventScalar *scalar)
{
  return tag->length == scalar->length && memcmp (tag->name, scalar->tag, tag->length) == 0;
}

/* The tag of a scalar, made if need be; most come in the same order step by step.  NULL: no memory, or too many. */
static Tag *
find_tag (Events *e, const SlEventScalar *scalar)
{
  size_t at;
  Tag   *tag;

  if (e->next < e->n && is_named (&e->tag[e->next], scalar))
    return &e->tag[e->next++];
  if (!make_places (e))
    return NULL;
  at = find_place (e, scalar->tag, scalar->length);
  if (e->place[at] > 0)
    {
      e->next = e->place[at];
      return &e->tag[e->next - 1];
    }
  if (e->n + 1 >= SL_COLUMNS_MAX || !sl_grow (&e->tag, &e->room, e->n + 1, sizeof *e->tag))
    return NULL;
  tag = &e->tag[e->n];
  *tag = (Tag) { .name = malloc (scalar->length), .length = scalar->length };
  if (tag->name == NULL)
    return NULL;
  memcpy (tag->name, scalar->tag, scalar->length);
  e->place[at] = (uint32_t) ++e->n;
  e->next = e->n;
  e->bytes += sizeof *tag + sizeof (SlArray) + scalar->length;
  return tag;
}

/* ---- what they have ---- */

static bool
find_step (Events *e, double step)
{
  if (e->n_steps > 0 && e->step[e->n_steps - 1] == step)
    return true;
  if (e->n_steps == UINT32_MAX
      || !sl_grow (&e->step, &e->steps_room, e->n_steps + 1, sizeof *e->step))
    return false;
  e->step[e->n_steps++] = step;
  e->bytes += sizeof *e->step;
  return true;
}

/* Where steps go back, what was recorded from there on is recorded again. */
static void
go_back (Events *e, Tag *tag, double step)
{
  while (tag->n > 0 && e->step[tag->at[tag->n - 1]] >= step)
    {
      e->rewound = e->rewound || e->step[tag->at[tag->n - 1]] > step;
      tag->n--;
    }
}

static bool
take (void *events, const SlEventScalar *scalar)
{
  enum { OF_A_VALUE = sizeof (double) + 2 * sizeof (uint32_t) };

  Events *e = events;
  Tag    *tag = find_tag (e, scalar);

  if (tag == NULL || !scalar->number)
    return tag != NULL;
  go_back (e, tag, scalar->step);
  if (e->bytes > e->arrays->budget - e->arrays->used || !find_step (e, scalar->step)
      || !sl_grow (&tag->value, &tag->value_room, tag->n + 1, sizeof *tag->value)
      || !sl_grow (&tag->at, &tag->at_room, tag->n + 1, sizeof *tag->at))
    return false;
  tag->value[tag->n] = scalar->value;
  tag->at[tag->n++] = (uint32_t) (e->n_steps - 1);
  e->bytes += OF_A_VALUE;
  return true;
}

/* ---- arrays of them ---- */

static int
by_step (const void *a, const void *b, void *events)
{
  const double *step = ((const Events *) events)->step;
  double        x = step[*(const uint32_t *) a], y = step[*(const uint32_t *) b];

  return (x > y) - (x < y);
}

/* Brings the steps that are in use into rising order, each once; `row` gets the place of each of the old ones. */
static bool
sort_steps (Events *e, uint32_t *row)
{
  uint32_t *order = malloc ((e->n_steps + 1) * sizeof *order);
  double   *step = malloc ((e->n_steps + 1) * sizeof *step);
  size_t    used = 0, n = 0;

  if (order == NULL || step == NULL)
    {
      free (order);
      free (step);
      return false;
    }
  for (size_t t = 0; t < e->n; t++)
    for (size_t i = 0; i < e->tag[t].n; i++)
      row[e->tag[t].at[i]] = 1;
  for (size_t i = 0; i < e->n_steps; i++)
    if (row[i])
      order[used++] = (uint32_t) i;
  if (used > 0)
    qsort_r (order, used, sizeof *order, by_step, e);
  for (size_t i = 0; i < used; i++)
    {
      if (i == 0 || e->step[order[i]] != step[n - 1])
        step[n++] = e->step[order[i]];
      row[order[i]] = (uint32_t) (n - 1);
    }
  free (order);
  free (e->step);
  e->step = step;
  e->n_steps = n;
  return true;
}

static void
own (SlArrays *arrays, SlArray *array, double *value, size_t n)
{
  array->type = SL_ARRAY_REALS;
  array->size = sizeof *value;
  array->axes = 1;
  array->shape[0] = array->n = n;
  array->bytes = (uint8_t *) value;
  array->owned = true;
  arrays->used += n * sizeof *value;
}

/* Hands a tag over as a column whose rows lie in those of the steps. */
static SlStatus
add_tag (Events *e, Tag *tag, const uint32_t *row)
{
  SlArrays *arrays = e->arrays;
  SlArray  *array;
  SlStatus  status = sl_arrays_add (arrays, tag->name, tag->length, &array);

  if (!sl_ok (&status))
    return status;
  array->type = SL_ARRAY_OTHER;
  if (tag->n == 0)
    return status;
  array->piece = malloc (tag->n * sizeof *array->piece);
  if (array->piece == NULL)
    return sl_status_no_memory (arrays->path);
  for (size_t i = 0; i < tag->n; i++)
    {
      array->piece[i] = 1;
      tag->at[i] = row[tag->at[i]];
    }
  array->record = tag->at;
  array->pieces = tag->n;
  own (arrays, array, tag->value, tag->n);
  tag->at = NULL;
  tag->value = NULL;
  return status;
}

static SlStatus
finish (Events *e)
{
  SlArrays *arrays = e->arrays;
  uint32_t *row = calloc (e->n_steps + 1, sizeof *row);
  SlArray  *steps;
  SlStatus  status
    = row != NULL && sort_steps (e, row) ? SL_SUCCESS : sl_status_no_memory (arrays->path);

  arrays->columns = arrays->headed = true;
  if (sl_ok (&status))
    status = sl_arrays_add (arrays, "step", strlen ("step"), &steps);
  if (sl_ok (&status))
    {
      own (arrays, steps, e->step, e->n_steps);
      arrays->rows = e->n_steps;
      e->step = NULL;
    }
  for (size_t t = 0; t < e->n && sl_ok (&status); t++)
    status = add_tag (e, &e->tag[t], row);
  if (sl_ok (&status) && e->rewound)
    sl_arrays_note (arrays, sl_message ("steps go back: later records replace earlier ones"));
  free (row);
  return status;
}

static SlStatus
read_file (Events *e, const char *path, size_t most)
{
  uint64_t cut;
  SlStatus status = sl_events_read (path, most, take, e, &cut);

  if (status.code == SL_ENOMEM)
    status.expected = sl_message ("at most %u tags and %zu MiB of numbers", SL_COLUMNS_MAX - 2,
                                  e->arrays->budget >> 20);
  if (sl_ok (&status) && cut != UINT64_MAX && most == 0)
    sl_arrays_note (e->arrays,
                    sl_message ("the last record, at byte %llu, is incomplete and left out",
                                (unsigned long long) cut));
  return status;
}

static SlStatus
read_folder (Events *e, const char *path, size_t most)
{
  char        *folder;
  SlEventFiles files = { NULL, 0, 0 };
  SlStatus     status = sl_event_folder (path, &folder);

  if (sl_ok (&status))
    status = sl_event_files_in (folder, &files);
  for (size_t i = 0; i < files.n && sl_ok (&status); i++)
    status = read_file (e, files.file[i].path, most);
  if (sl_ok (&status) && files.n > 1)
    sl_arrays_note (e->arrays, sl_message ("%zu event files are one run", files.n));
  sl_event_files_clear (&files);
  free (folder);
  return status;
}

static void
clear (Events *e)
{
  for (size_t t = 0; t < e->n; t++)
    {
      free (e->tag[t].name);
      free (e->tag[t].value);
      free (e->tag[t].at);
    }
  free (e->tag);
  free (e->place);
  free (e->step);
}

SlStatus
sl_events_arrays_open (SlArrays *arrays, const char *path, size_t most)
{
  Events      e = { .arrays = arrays };
  struct stat about;
  SlStatus    status = stat (path, &about) == 0 && S_ISDIR (about.st_mode)
                         ? read_folder (&e, path, most)
                         : read_file (&e, path, most);

  if (sl_ok (&status))
    status = finish (&e);
  clear (&e);
  return status;
}
