/* SPDX-License-Identifier: MIT
 *
 * A gating map over a plane of inputs; see plane.h.  */
#include "plot/figure/plane.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "plot/base/scale.h"
#include "plot/figure/figure.h"

static const struct
{
  const char *title, *key;
  SlMapPlane  plane;
} modes[SL_PLANE_MODES] = {
  [SL_PLANE_PATTERN] = { N_ ("Pattern"), "", SL_MAP_PATTERN },
  [SL_PLANE_TOP] = { N_ ("Strongest"), "", SL_MAP_TOP },
  [SL_PLANE_ACTIVE] = { N_ ("Number on"), N_ ("on"), SL_MAP_ACTIVE },
  [SL_PLANE_COST] = { N_ ("Cost"), N_ ("multiplications"), SL_MAP_COST },
  [SL_PLANE_CONFIDENCE] = { N_ ("Confidence"), N_ ("confidence"), SL_MAP_CONFIDENCE },
  [SL_PLANE_MISJUDGED] = { N_ ("Wrong gates"), N_ ("wrong gates"), SL_MAP_MISJUDGED },
  [SL_PLANE_DECISION] = { N_ ("Decision"), "", SL_MAP_LABEL },
};

const char *
sl_plane_mode_title (SlPlaneMode mode)
{
  return modes[mode].title;
}

const char *
sl_plane_mode_key (SlPlaneMode mode)
{
  return modes[mode].key;
}

SlMapPlane
sl_plane_mode_plane (SlPlaneMode mode)
{
  return modes[mode].plane;
}

/* Line `i` of names, cut to the buffer; "" when there is none. */
static void
copy_line (const char *names, unsigned i, char *text, size_t size)
{
  size_t      length = 0;
  const char *line = sl_figure_line (names, i, &length);

  g_strlcpy (text, line != NULL ? line : "", MIN (size, length + 1));
}

/* A pattern, "#14"; files of earlier versions have "3, 5" or "none" instead, and may have less. */
static bool
read_set (const char *line, uint64_t *set)
{
  *set = 0;
  if (line[0] == '#')
    {
      *set = g_ascii_strtoull (line + 1, NULL, 16);
      return true;
    }
  if (strcmp (line, "none") == 0)
    return true;
  for (char *end;; line = end + strlen (", "))
    {
      guint64 number = g_ascii_strtoull (line, &end, 10);

      if (number < 1 || number > SL_CELL_HASH)
        return false;
      *set |= (uint64_t) 1 << (number - 1);
      if (!g_str_has_prefix (end, ", "))
        return *end == '\0';
    }
}

static void
read_names (SlPlane *plane)
{
  unsigned lines = 0;

  for (const char *at = plane->names; *at != '\0'; at++)
    lines += *at == '\n';
  plane->classes = lines > SL_MAP_COLOURS ? lines - SL_MAP_COLOURS : 0;
  for (unsigned c = 0; c < SL_MAP_COLOURS; c++)
    {
      char line[32];

      copy_line (plane->names, c, line, sizeof line);
      plane->known[c] = read_set (line, &plane->set[c]);
    }
}

bool
sl_plane_of (SlPlane *plane, const SlSnapshot *snapshot)
{
  size_t n = (size_t) snapshot->rows * snapshot->columns;

  *plane = (SlPlane) { 0 };
  if (snapshot->tiles != SL_MAP_PLANES || snapshot->rows != snapshot->columns || n == 0
      || snapshot->n_data < SL_MAP_PLANES * n)
    return false;
  plane->side = snapshot->rows;
  for (unsigned p = 0; p < SL_MAP_PLANES; p++)
    plane->plane[p] = snapshot->data + p * n;
  plane->left = snapshot->left;
  plane->right = snapshot->right;
  plane->bottom = snapshot->bottom;
  plane->top = snapshot->top;
  plane->names = snapshot->names;
  read_names (plane);
  plane->note = snapshot->note.packed;
  for (unsigned i = 0; i < 2; i++)
    {
      copy_line (snapshot->row_names, i, plane->axis[i], sizeof plane->axis[i]);
      if (!g_utf8_validate (plane->axis[i], -1, NULL)) /* one that was cut */
        plane->axis[i][0] = '\0';
    }
  if (snapshot->n_curves > 0 && snapshot->curve[0].has_spread)
    {
      plane->n = snapshot->curve[0].n;
      plane->x = snapshot->data + snapshot->curve[0].offset;
      plane->y = plane->x + plane->n;
      plane->label = plane->y + plane->n;
    }
  return true;
}

bool
sl_plane_range (const SlPlane *plane, SlPlaneMode mode, double *lo, double *hi)
{
  const double *value = plane->plane[modes[mode].plane];
  double        least = HUGE_VAL, most = -HUGE_VAL;

  if (modes[mode].key[0] == '\0')
    return false;
  *lo = 0.0;
  *hi = 1.0;
  if (mode == SL_PLANE_CONFIDENCE)
    return true;
  for (size_t i = 0; i < (size_t) plane->side * plane->side; i++)
    {
      least = fmin (least, value[i]);
      most = fmax (most, value[i]);
    }
  if (mode == SL_PLANE_COST && least < most)
    *lo = least;
  if (most > *lo)
    *hi = most;
  return true;
}

bool
sl_plane_at (const SlPlane *plane, double x, double y, size_t *cell)
{
  double across = (x - plane->left) / (plane->right - plane->left);
  double down = (plane->top - y) / (plane->top - plane->bottom);

  if (!(across >= 0.0 && across < 1.0 && down >= 0.0 && down < 1.0))
    return false;
  *cell = (size_t) (down * plane->side) * plane->side + (size_t) (across * plane->side);
  return true;
}

SlRegion
sl_plane_region (const SlPlane *plane, unsigned colour)
{
  size_t   cells = (size_t) plane->side * plane->side, inside = 0, examples = 0, right = 0;
  SlRegion region = { .right = NAN };

  for (size_t i = 0; i < cells; i++)
    if (plane->plane[SL_MAP_PATTERN][i] == colour)
      {
        inside++;
        region.cost += plane->plane[SL_MAP_COST][i];
      }
  for (size_t i = 0; i < plane->n; i++)
    {
      size_t cell;

      if (!sl_plane_at (plane, plane->x[i], plane->y[i], &cell)
          || plane->plane[SL_MAP_PATTERN][cell] != colour)
        continue;
      examples++;
      right += plane->plane[SL_MAP_LABEL][cell] == plane->label[i];
    }
  region.area = (double) inside / (double) cells;
  region.cost = inside > 0 ? region.cost / (double) inside : 0.0;
  region.examples = plane->n > 0 ? (double) examples / (double) plane->n : 0.0;
  if (examples > 0)
    region.right = (double) right / (double) examples;
  return region;
}

enum { SHORT = 3 }; /* units that are named one by one */

/* "none", "1+6" where that is short, else "12 on"; "" for a hash. */
static SlMessage
set_name (uint64_t set)
{
  char     text[32] = "";
  size_t   at = 0;
  unsigned on = (unsigned) __builtin_popcountll (set);

  if (set >> SL_CELL_HASH)
    return SL_NO_MESSAGE;
  if (on == 0)
    return sl_message ("none");
  if (on > SHORT)
    return sl_message ("%u on", on);
  for (unsigned i = 0; i < SL_CELL_HASH && at < sizeof text; i++)
    if (set >> i & 1)
      at += (size_t) g_snprintf (text + at, sizeof text - at, "%s%u", at > 0 ? "+" : "", i + 1);
  return sl_message_verbatim (text);
}

void
sl_plane_class_name (const SlPlane *plane, unsigned label, char *name, size_t size)
{
  copy_line (plane->names, SL_MAP_COLOURS + label, name, size);
}

/* Packs what a value is called; false for one that has no name of its own. */
static bool
name_value (const SlPlane *plane, SlPlaneMode mode, unsigned value, char *name, size_t size)
{
  if (mode == SL_PLANE_DECISION)
    sl_plane_class_name (plane, value, name, size);
  else if (mode == SL_PLANE_TOP)
    g_snprintf (name, size, "%u", value + 1);
  else
    g_strlcpy (name,
               value < SL_MAP_COLOURS && plane->known[value] ? set_name (plane->set[value]).packed
                                                             : "",
               size);
  return name[0] != '\0';
}

static bool
name_taken (const SlPlaneName *name, unsigned n, const char *text)
{
  for (unsigned i = 0; i < n; i++)
    if (strcmp (name[i].name, text) == 0)
      return true;
  return false;
}

unsigned
sl_plane_names (const SlPlane *plane, SlPlaneMode mode, SlPlaneName name[SL_PLANE_NAMES])
{
  enum { MOST = 4096 };
  const double *value = plane->plane[modes[mode].plane];
  size_t        all = (size_t) plane->side * plane->side;
  unsigned      cells[MOST] = { 0 }, n = 0, end = 0;

  if (modes[mode].key[0] != '\0')
    return 0;
  for (size_t i = 0; i < all; i++)
    if (value[i] >= 0.0 && value[i] < MOST)
      {
        cells[(unsigned) value[i]]++;
        end = MAX (end, (unsigned) value[i] + 1);
      }
  while (n < SL_PLANE_NAMES)
    {
      unsigned largest = 0;

      for (unsigned v = 1; v < end; v++)
        if (cells[v] > cells[largest])
          largest = v;
      if (cells[largest] == 0)
        break;
      name[n] = (SlPlaneName) { .value = largest, .area = cells[largest] / (double) all };
      cells[largest] = 0;
      if (name_value (plane, mode, largest, name[n].name, sizeof name[n].name)
          && !name_taken (name, n, name[n].name))
        n++;
    }
  return n;
}

bool
sl_plane_regions (const SlPlane *plane, SlPlaneMode mode, SlEdges *edges)
{
  enum { STEPS = 24 }; /* numbers of units that may each be a region */
  const double *active = plane->plane[SL_MAP_ACTIVE];
  double        most = 0.0;

  *edges = mode == SL_PLANE_TOP      ? SL_EDGES_TOP
           : mode == SL_PLANE_ACTIVE ? SL_EDGES_ACTIVE
                                     : SL_EDGES_PATTERN;
  for (size_t i = 0; mode == SL_PLANE_ACTIVE && i < (size_t) plane->side * plane->side; i++)
    most = MAX (most, active[i]);
  return mode == SL_PLANE_PATTERN || mode == SL_PLANE_TOP
         || (mode == SL_PLANE_ACTIVE && most <= STEPS);
}

SlMessage
sl_plane_text (const SlPlane *plane, size_t cell)
{
  unsigned  colour = (unsigned) plane->plane[SL_MAP_PATTERN][cell];
  char      name[64], class[64], cost[32], margin[32];
  SlMessage text;

  sl_plane_class_name (plane, (unsigned) plane->plane[SL_MAP_LABEL][cell], class, sizeof class);
  sl_number_text (plane->plane[SL_MAP_COST][cell], 4, cost, sizeof cost);
  sl_number_text (plane->plane[SL_MAP_MARGIN][cell], 2, margin, sizeof margin);
  if (!name_value (plane, SL_PLANE_PATTERN, colour, name, sizeof name)
      || __builtin_popcountll (plane->set[colour]) > SHORT)
    g_snprintf (name, sizeof name, "%.0f", plane->plane[SL_MAP_ACTIVE][cell]);
  text = sl_message ("on: %s", name);
  if (plane->plane[SL_MAP_ACTIVE][cell] > 0.0)
    sl_message_add (&text, " · strongest %.0f", plane->plane[SL_MAP_TOP][cell] + 1.0);
  /* Tables and digits have classes that are called by a number. */
  if (g_ascii_isdigit (class[0]))
    sl_message_add (&text, " · class %s, by %s", class, margin);
  else
    sl_message_add (&text, " · %s, by %s", class, margin);
  sl_message_add (&text, " · %s multiplications", cost);
  return text;
}

SlMessage
sl_plane_region_text (const SlPlane *plane, unsigned colour)
{
  SlRegion  region = sl_plane_region (plane, colour);
  char      name[64], cost[32];
  SlMessage text
    = colour < SL_MAP_COLOURS ? sl_message ("pattern") : sl_message ("all other patterns");

  if (!name_value (plane, SL_PLANE_PATTERN, colour, name, sizeof name))
    g_strlcpy (name, text.packed, sizeof name);
  sl_number_text (region.cost, 4, cost, sizeof cost);
  text = sl_message ("%s: %.1f %% of the area, %.1f %% of the examples", name, 100.0 * region.area,
                     100.0 * region.examples);
  if (isfinite (region.right))
    sl_message_add (&text, ", %.0f %% of them right", 100.0 * region.right);
  sl_message_add (&text, ", %s multiplications", cost);
  return text;
}
