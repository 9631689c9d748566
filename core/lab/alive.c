/* SPDX-License-Identifier: MIT */
#include "core/lab/alive.h"

#include <math.h>

#include "core/base/message.h"

/* The matrix that is being taken apart. */
typedef struct
{
  const double *row;
  size_t        left, at;
} Reader;

static bool
is_row (const Reader *r, SlAliveRow what)
{
  return r->left > 0 && r->row[0] == what;
}

/* True for a whole number from 0 to below `end`. */
static bool
is_index (double value, double end)
{
  return value >= 0.0 && value < end && floor (value) == value;
}

static bool
is_share (double value)
{
  return value >= 0.0 && value <= 1.0;
}

static void
next (Reader *r)
{
  r->row += SL_ALIVE_COLUMNS;
  r->left--;
  r->at++;
}

/* What the rows behind that of an input are, and whether one is right. */
static SlAliveRow
part_of (SlAliveInput input)
{
  return input == SL_ALIVE_PLANE  ? SL_ALIVE_ROW_POINT
         : input == SL_ALIVE_LINE ? SL_ALIVE_ROW_TOKEN
                                  : SL_ALIVE_ROW_PIXEL;
}

static bool
is_part (SlAliveRow what, const double *row)
{
  if (what == SL_ALIVE_ROW_TOKEN)
    return is_index (row[1], 1e9) && is_index (row[2], 2.0) && is_index (fabs (row[3]), 1e9)
           && is_share (row[4]);
  return is_share (row[1]) && is_share (row[2]) && is_share (row[3]);
}

static bool
has_parts (const SlAlive *alive, unsigned n)
{
  return alive->input == SL_ALIVE_PLANE  ? n <= SL_ALIVE_POINTS
         : alive->input == SL_ALIVE_LINE ? n > 0 && n <= SL_ALIVE_TOKENS
                                         : n == alive->width * alive->height;
}

static bool
read_input (Reader *r, SlAlive *alive)
{
  const double *head = r->row;
  unsigned      n = 0;
  bool          good = is_row (r, SL_ALIVE_ROW_INPUT) && is_index (head[1], SL_N_ALIVE_INPUTS)
              && is_index (head[2], SL_ALIVE_PIXELS + 1.0)
              && is_index (head[3], SL_ALIVE_PIXELS + 1.0) && head[2] * head[3] <= SL_ALIVE_PIXELS
              && is_index (head[4], 1U << SL_N_ALIVE_STATES);

  if (!good)
    return false;
  alive->input = (SlAliveInput) head[1];
  alive->width = (unsigned) head[2];
  alive->height = (unsigned) head[3];
  alive->states = (unsigned) head[4];
  next (r);
  alive->pixel = r->row;
  for (; is_row (r, part_of (alive->input)); next (r), n++)
    if (!is_part (part_of (alive->input), r->row))
      return false;
  alive->n_points = n;
  return has_parts (alive, n);
}

static bool
is_cell (const double *row)
{
  return is_index (row[1], SL_N_ALIVE_STATES) && is_share (row[2]) && is_share (row[3])
         && is_index (row[4], 1e9);
}

unsigned
sl_alive_levels (unsigned n)
{
  unsigned levels = 0;

  while (((n + 1) >> levels) > 1)
    levels++;
  return n + 1 == 1U << levels ? levels : 0;
}

/* Places lie in the room of the group; widths and heights may be 0. */
static bool
read_places (Reader *r, SlAlive *alive, SlAliveGroup *group)
{
  const double slack = 1.0 + 1e-9;
  unsigned     n = 0;

  if (!sl_alive_has_places (group->form))
    return true;
  group->place = r->row;
  group->first_name = 1 + alive->n_places;
  for (; n < group->n && is_row (r, SL_ALIVE_ROW_PLACE); next (r), n++)
    if (!is_share (r->row[1]) || !is_share (r->row[2]) || !is_share (r->row[3])
        || !is_share (r->row[4]) || r->row[1] + r->row[3] > slack || r->row[2] + r->row[4] > slack)
      return false;
  alive->n_places += n;
  return n == group->n && alive->n_places <= SL_ALIVE_PLACES;
}

static bool
read_links (Reader *r, SlAlive *alive, SlAliveGroup *group)
{
  group->link = r->row;
  for (; is_row (r, SL_ALIVE_ROW_LINK); next (r), group->n_links++)
    if (group->place == NULL || !is_index (r->row[1], group->n) || !is_index (r->row[2], group->n)
        || !is_index (r->row[3], 2.0) || !is_index (r->row[4], 2.0))
      return false;
  alive->n_links += group->n_links;
  return alive->n_links <= SL_ALIVE_LINKS;
}

/* Behind the only cell of a picture. */
static bool
read_picture (Reader *r, SlAliveGroup *group)
{
  const unsigned most = SL_ALIVE_PICTURE_SIDE * SL_ALIVE_PICTURE_SIDE;
  unsigned       n = 0;

  if (group->form != SL_ALIVE_PICTURE)
    return true;
  group->pixel = r->row;
  for (; n < group->units && is_row (r, SL_ALIVE_ROW_PIXEL); next (r), n++)
    if (!is_share (r->row[1]) || !is_share (r->row[2]) || !is_share (r->row[3])
        || !is_share (r->row[4]))
      return false;
  return group->n == 1 && n > 0 && n == group->units && n <= most && group->across > 0
         && n % group->across == 0;
}

static bool
has_rows (const SlAliveGroup *group)
{
  return group->form == SL_ALIVE_FIELD || group->form == SL_ALIVE_BARS
         || group->form == SL_ALIVE_WAY || group->form == SL_ALIVE_LIGHT;
}

static bool
read_group (Reader *r, SlAlive *alive)
{
  SlAliveGroup *group = &alive->group[alive->n_groups];

  if (alive->n_groups == SL_ALIVE_GROUPS || !is_index (r->row[1], SL_N_ALIVE_FORMS)
      || !is_index (r->row[2], 1e9) || !is_index (r->row[3], 1e3)
      || !is_index (r->row[4], SL_ALIVE_CELLS + 1.0))
    return false;
  *group = (SlAliveGroup) { .form = (SlAliveForm) r->row[1],
                            .units = (unsigned) r->row[2],
                            .slot = (unsigned) r->row[3],
                            .across = (unsigned) r->row[4] };
  alive->n_groups++;
  next (r);
  group->cell = r->row;
  group->first = (unsigned) r->at;
  for (; is_row (r, SL_ALIVE_ROW_CELL); next (r))
    {
      if (!is_cell (r->row) || group->n == SL_ALIVE_CELLS)
        return false;
      group->n++;
    }
  if (group->form == SL_ALIVE_TREE && sl_alive_levels (group->n) == 0)
    return false;
  if (has_rows (group) && (group->across == 0 || group->n % group->across != 0))
    return false;
  return group->n > 0 && read_picture (r, group) && read_places (r, alive, group)
         && read_links (r, alive, group);
}

static bool
is_edge (const SlAlive *alive, const double *row)
{
  return is_index (row[1], alive->n_groups)
         && (row[2] == -1.0 || is_index (row[2], alive->group[(unsigned) row[1]].n))
         && is_share (row[3]);
}

static bool
is_class (const double *row)
{
  return is_share (row[1]) && is_index (row[2], 2.0) && is_index (row[3], 2.0)
         && is_index (row[4], 1e9);
}

bool
sl_alive_read (SlAlive *alive, const double *matrix, size_t rows, size_t columns)
{
  Reader r = { matrix, rows, 0 };

  *alive = (SlAlive) { 0 };
  if (matrix == NULL || columns != SL_ALIVE_COLUMNS || !read_input (&r, alive))
    return false;
  while (is_row (&r, SL_ALIVE_ROW_GROUP))
    if (!read_group (&r, alive))
      return false;
  for (alive->edge = r.row; is_row (&r, SL_ALIVE_ROW_EDGE); next (&r), alive->n_edges++)
    if (!is_edge (alive, r.row))
      return false;
  for (alive->class = r.row; is_row (&r, SL_ALIVE_ROW_CLASS); next (&r), alive->n_classes++)
    if (!is_class (r.row))
      return false;
  return r.left == 0 && alive->n_groups > 0 && alive->n_edges <= SL_ALIVE_EDGES
         && alive->n_classes <= SL_ALIVE_CLASSES;
}

int
sl_alive_field (const SlAlive *alive, unsigned group)
{
  int field = -1;

  for (unsigned g = 0; g <= group && g < alive->n_groups; g++)
    {
      SlAliveForm form = alive->group[g].form;
      bool closes = form == SL_ALIVE_MOSAIC || form == SL_ALIVE_BOXES || form == SL_ALIVE_TREE
                    || form == SL_ALIVE_GRAPH;

      field += closes;
      if (g == group)
        return closes ? field : -1;
    }
  return -1;
}

const char *
sl_alive_word (SlAliveState state)
{
  static const char *const words[SL_N_ALIVE_STATES] = {
    [SL_ALIVE_USED] = SL_MARK ("used"),       [SL_ALIVE_IN_VAIN] = SL_MARK ("in vain"),
    [SL_ALIVE_SKIPPED] = SL_MARK ("skipped"), [SL_ALIVE_MISSED] = SL_MARK ("missed"),
    [SL_ALIVE_DEAD] = SL_MARK ("never used"), [SL_ALIVE_CLOSED] = SL_MARK ("switched off"),
  };

  return words[state];
}
