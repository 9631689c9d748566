/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/text/json-columns.h"

#include <stdlib.h>
#include <string.h>

#include "core/data/read/containers/text/base64.h"
#include "core/data/read/containers/text/json-text.h"
#include "core/data/text/grow.h"
#include "core/data/text/text.h"

enum { BLOCK = 1024 };

void
sl_json_keep (SlJsonColumns *j, const SlStatus *status)
{
  if (sl_ok (&j->status))
    j->status = *status;
}

bool
sl_json_fail (SlJsonColumns *j, SlMessage found, SlMessage expected)
{
  return sl_json_good (j, sl_status_new (SL_EFORMAT, j->arrays->path, found, expected));
}

bool
sl_json_no_memory (SlJsonColumns *j)
{
  return sl_json_good (j, sl_status_no_memory (j->arrays->path));
}

/* ---- members and levels ---- */

static unsigned
hash_path (const char *path, size_t n, unsigned level)
{
  unsigned hash = 2166136261u ^ level;

  for (size_t i = 0; i < n; i++)
    hash = (hash ^ (uint8_t) path[i]) * 16777619u;
  return hash ^ hash >> 15;
}

static unsigned *
place_of (SlJsonColumns *j, const char *path, size_t n, unsigned level)
{
  unsigned at = hash_path (path, n, level) & (j->places - 1);

  for (;; at = (at + 1) & (j->places - 1))
    {
      const SlJsonMember *m = j->place[at] > 0 ? &j->member[j->place[at] - 1] : NULL;

      if (m == NULL || (m->level == level && m->n == n && memcmp (m->path, path, n) == 0))
        return &j->place[at];
    }
}

/* Places for twice the members there are, or more. */
static bool
place_again (SlJsonColumns *j)
{
  unsigned  places = j->places > 0 ? 2 * j->places : 64;
  unsigned *place = calloc (places, sizeof *place);

  if (place == NULL)
    return false;
  free (j->place);
  j->place = place;
  j->places = places;
  for (unsigned i = 0; i < j->n; i++)
    *place_of (j, j->member[i].path, j->member[i].n, j->member[i].level) = i + 1;
  return true;
}

static bool
add_member (SlJsonColumns *j, unsigned level)
{
  if (j->n == SL_COLUMNS_MAX)
    return sl_json_fail (j, sl_message ("more than %d different members", SL_COLUMNS_MAX),
                         sl_message ("fewer"));
  if (!sl_grow (&j->member, &j->room, j->n + 1, sizeof *j->member)
      || (2 * (j->n + 1) > j->places && !place_again (j)))
    return sl_json_no_memory (j);
  j->member[j->n] = (SlJsonMember) { .n = j->path_n, .level = level, .column.rank = -1 };
  memcpy (j->member[j->n].path, j->path, j->path_n);
  *place_of (j, j->path, j->path_n, level) = j->n + 1;
  j->n++;
  return true;
}

/* Mostly it is the one behind the last. */
bool
sl_json_find_member (SlJsonColumns *j, unsigned level, unsigned *index)
{
  size_t    before = j->level[level].rows - 1;
  unsigned  guess = j->guess < j->n ? j->guess : 0;
  SlColumn *column;

  if (guess < j->n && j->member[guess].level == level && j->member[guess].n == j->path_n
      && memcmp (j->member[guess].path, j->path, j->path_n) == 0)
    *index = guess;
  else
    {
      unsigned place = j->n > 0 ? *place_of (j, j->path, j->path_n, level) : 0;

      if (place == 0 && !add_member (j, level))
        return false;
      *index = place > 0 ? place - 1 : j->n - 1;
    }
  j->guess = *index + 1;
  column = &j->member[*index].column;
  if (column->rows > before)
    {
      char quoted[64];

      return sl_json_fail (
        j, sl_message ("%s twice", sl_text_quote (j->path, j->path_n, quoted, sizeof quoted)),
        sl_message ("each member once"));
    }
  return sl_json_good (j, sl_column_fill (&j->columns, column, before));
}

bool
sl_json_find_level (SlJsonColumns *j, unsigned parent, unsigned *index)
{
  SlJsonLevel *level;

  for (*index = 0; *index < j->n_levels; (*index)++)
    if (j->level[*index].parent == (int) parent
        && strncmp (j->level[*index].path, j->path, sizeof j->path) == 0)
      return true;
  if (j->n_levels == SL_JSON_LEVELS_MAX)
    return sl_json_fail (j, sl_message ("more than %d lists of objects", SL_JSON_LEVELS_MAX),
                         sl_message ("fewer"));
  level = &j->level[j->n_levels++];
  *level = (SlJsonLevel) { .parent = (int) parent };
  memcpy (level->path, j->path, j->path_n);
  return true;
}

bool
sl_json_begin_row (SlJsonColumns *j, unsigned index)
{
  SlJsonLevel *level = &j->level[index];

  if (level->parent >= 0)
    {
      if (!sl_grow (&level->record, &level->room, level->rows + 1, sizeof *level->record))
        return sl_json_no_memory (j);
      level->record[level->rows] = (uint32_t) (j->level[level->parent].rows - 1);
    }
  level->rows++;
  return level->rows < UINT32_MAX || sl_json_no_memory (j);
}

/* ---- arrays within texts ---- */

/* The numbers of the axes from `axis` on, of which *at is the first. */
static bool
put_axis (SlJsonColumns *j, SlColumn *column, const SlArray *array, unsigned axis, uint64_t *at)
{
  size_t n = (size_t) array->shape[axis];

  for (size_t i = 0; i < n && axis + 1 < array->axes; i++)
    if (!put_axis (j, column, array, axis + 1, at))
      return false;
  for (size_t i = 0, part; i < n && axis + 1 == array->axes; i += part, *at += part)
    {
      int64_t whole[BLOCK];
      double  real[BLOCK];
      bool    reals = sl_array_real (array);

      part = n - i < BLOCK ? n - i : BLOCK;
      if (!sl_json_good (j, reals ? sl_array_reals (array, j->arrays->path, *at, part, real)
                                  : sl_array_integers (array, j->arrays->path, *at, part, whole)))
        return false;
      for (size_t k = 0; k < part; k++)
        if (!sl_json_good (j, reals ? sl_column_real (&j->columns, column, real[k])
                                    : sl_column_whole (&j->columns, column, whole[k])))
          return false;
    }
  return sl_json_good (j, sl_column_list (&j->columns, column, axis + 1, n));
}

/* An array without numbers is as sl_json_good as none. */
static bool
put_array (SlJsonColumns *j, unsigned level, const SlArray *array)
{
  unsigned  index;
  uint64_t  at = 0;
  SlColumn *column;
  bool      wanted;

  if (!sl_json_find_member (j, level, &index) || array->n == 0)
    return sl_ok (&j->status);
  column = &j->member[index].column;
  if (array->type >= SL_ARRAY_TEXTS || array->axes == 0)
    sl_column_give_up (&j->columns, column);
  if (!sl_json_good (j, sl_column_inside (&j->columns, column, array->axes, &wanted)))
    return false;
  if (wanted)
    return put_axis (j, column, array, 0, &at);
  column->rows++;
  return true;
}

/* The numbers of `size` bytes: of a .npy, or of the type and shape that `array` has. */
static bool
find_numbers (SlJsonColumns *j, uint8_t *bytes, size_t size, bool typed, SlArray *array)
{
  uint64_t want;
  SlStatus status;

  if (size == SIZE_MAX)
    return sl_json_fail (j, sl_message ("text that is not base 64"),
                         sl_message ("an array in base 64"));
  if (!typed)
    {
      status = sl_json_npy (bytes, size, j->arrays->path, array);
      status.place = SL_NOWHERE; /* in the text, but not in the file */
      if (sl_ok (&status) && array->strided)
        return sl_json_fail (j, sl_message ("an array with the first axis fastest"),
                             sl_message ("np.ascontiguousarray (a)"));
      return sl_json_good (j, status);
    }
  array->bytes = bytes;
  return (sl_array_extent (array, &want) && want == size)
         || sl_json_fail (j, sl_message ("data of another size than its shape and dtype"),
                          sl_message ("base 64 of all numbers"));
}

bool
sl_json_put_packed (SlJsonColumns *j, unsigned level, const SlJsonTensor *tensor)
{
  SlArray  array = tensor->array;
  uint8_t *bytes = malloc (tensor->n / 4 * 3 + 3);
  bool     done;

  if (bytes == NULL)
    return sl_json_no_memory (j);
  done = find_numbers (j, bytes, sl_base64_decode (tensor->data, tensor->n, bytes), tensor->typed,
                       &array)
         && put_array (j, level, &array);
  free (bytes);
  return done;
}

static bool
read_shape (SlScan *scan, SlJsonTensor *tensor)
{
  int64_t n;

  for (bool first = sl_scan_take (scan, '['); !sl_scan_take (scan, ']'); first = false)
    {
      if ((!first && !sl_scan_take (scan, ',')) || tensor->array.axes == SL_ARRAY_AXES
          || !sl_scan_whole (scan, &n) || n < 0)
        return false;
      tensor->array.shape[tensor->array.axes++] = (uint64_t) n;
    }
  tensor->shaped = tensor->array.axes > 0;
  return tensor->shaped;
}

static bool
is_key (const char *key, size_t n, const char *name)
{
  return n == strlen (name) && memcmp (key, name, n) == 0;
}

bool
sl_json_read_tensor (SlScan *scan, SlJsonTensor *tensor)
{
  bool        first = true, ended = false;
  const char *key, *name;
  size_t      n, length;

  *tensor = (SlJsonTensor) { .array.fd = -1 };
  if (!sl_scan_take (scan, '{'))
    return false;
  while (sl_scan_member (scan, &first, &ended, &key, &n))
    if (is_key (key, n, "data") ? !sl_scan_text (scan, &tensor->data, &tensor->n)
        : is_key (key, n, "shape")
          ? !read_shape (scan, tensor)
          : !sl_scan_text (scan, &name, &length)
              || (is_key (key, n, "dtype")
                  && !(tensor->typed = sl_json_dtype (name, length, &tensor->array))))
      return false;
  return ended && tensor->data != NULL && tensor->typed && tensor->shaped;
}
