/* SPDX-License-Identifier: MIT
 *
 * A gating map over a plane of inputs; see plane.h.  */
#include "plot/figure/plane.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "plot/base/scale.h"
#include "plot/figure/figure.h"

/* Strength of a class's colour at its boundary, and where nothing speaks against it. */
#define UNSURE 0.10
#define SURE 0.65

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

/* Line `i` of names, cut to the buffer; "" when there is none. */
static void
copy_line (const char *names, unsigned i, char *text, size_t size)
{
  size_t      length = 0;
  const char *line = sl_figure_line (names, i, &length);

  g_strlcpy (text, line != NULL ? line : "", MIN (size, length + 1));
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

/* Three rounds through the hues of the curves, each of another strength. */
SlRgba
sl_plane_pattern (const SlTheme *theme, unsigned colour)
{
  static const double strength[] = { 0.55, 0.30, 0.80 };

  if (colour >= SL_MAP_COLOURS)
    return sl_mix (theme->plot, theme->soft, 0.25);
  return sl_mix (theme->plot, theme->curve[colour % SL_THEME_COLOURS],
                 strength[colour / SL_THEME_COLOURS % 3]);
}

SlRgba
sl_plane_class (const SlTheme *theme, unsigned label)
{
  return theme->curve[label % SL_THEME_COLOURS];
}

SlRgba
sl_plane_named (const SlTheme *theme, SlPlaneMode mode, unsigned colour)
{
  return mode == SL_PLANE_DECISION ? sl_mix (theme->plot, sl_plane_class (theme, colour), SURE)
                                   : sl_plane_pattern (theme, colour % SL_MAP_COLOURS);
}

static SlRgba
plain_cell (const SlPlane *plane, const SlTheme *theme, SlPlaneMode mode, double lo, double hi,
            size_t cell)
{
  double value = plane->plane[modes[mode].plane][cell];

  switch (mode)
    {
    case SL_PLANE_PATTERN: return sl_plane_pattern (theme, (unsigned) value);
    case SL_PLANE_TOP: return sl_plane_pattern (theme, (unsigned) value % SL_MAP_COLOURS);
    case SL_PLANE_DECISION:
      return sl_mix (theme->plot, sl_plane_class (theme, (unsigned) value),
                     UNSURE + (SURE - UNSURE) * plane->plane[SL_MAP_MARGIN][cell]);
    default: return sl_map_sequential (theme, (value - lo) / (hi - lo));
    }
}

static SlRgba
shade (const SlPlane *plane, const SlTheme *theme, SlPlaneMode mode, int isolated, double lo,
       double hi, size_t cell)
{
  SlRgba colour = plain_cell (plane, theme, mode, lo, hi, cell);

  if (isolated >= 0 && (int) plane->plane[SL_MAP_PATTERN][cell] != isolated)
    colour = sl_mix (theme->plot, colour, 0.2);
  return colour;
}

void
sl_plane_fill (const SlPlane *plane, const SlTheme *theme, SlPlaneMode mode, int isolated,
               uint32_t *pixels)
{
  double lo = 0.0, hi = 1.0;

  sl_plane_range (plane, mode, &lo, &hi);
  for (size_t i = 0; i < (size_t) plane->side * plane->side; i++)
    pixels[i] = sl_packed (shade (plane, theme, mode, isolated, lo, hi, i));
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

/* Packs what a colour is called; false for one that has no name of its own. */
static bool
name_colour (const SlPlane *plane, SlPlaneMode mode, unsigned colour, char *name, size_t size)
{
  if (mode == SL_PLANE_TOP)
    g_snprintf (name, size, "%u", colour + 1);
  else
    copy_line (plane->names, mode == SL_PLANE_DECISION ? SL_MAP_COLOURS + colour : colour, name,
               size);
  return name[0] != '\0' && strstr (name, "pattern") == NULL;
}

unsigned
sl_plane_legend (const SlPlane *plane, SlPlaneMode mode, unsigned most,
                 SlPlaneName name[SL_PLANE_NAMES])
{
  const double *value = plane->plane[modes[mode].plane];
  size_t        cells[SL_MAP_COLOURS] = { 0 };
  unsigned      n = 0;

  if (modes[mode].key[0] != '\0')
    return 0;
  most = MIN (most, SL_PLANE_NAMES);
  for (size_t i = 0; i < (size_t) plane->side * plane->side; i++)
    if (value[i] >= 0.0 && value[i] < SL_MAP_COLOURS)
      cells[(unsigned) value[i]]++;
  for (unsigned c = 0; c < SL_MAP_COLOURS; c++)
    {
      unsigned larger = 0;

      for (unsigned d = 0; d < SL_MAP_COLOURS; d++)
        larger += cells[d] > cells[c] || (cells[d] == cells[c] && d < c);
      if (cells[c] == 0 || larger >= most
          || !name_colour (plane, mode, c, name[n].name, sizeof name[n].name))
        continue;
      name[n++].colour = c;
    }
  return n;
}

SlMessage
sl_plane_text (const SlPlane *plane, size_t cell)
{
  unsigned  colour = (unsigned) plane->plane[SL_MAP_PATTERN][cell];
  char      name[64], class[64], cost[32], margin[32];
  SlMessage text;

  copy_line (plane->names, colour, name, sizeof name);
  copy_line (plane->names, SL_MAP_COLOURS + (unsigned) plane->plane[SL_MAP_LABEL][cell], class,
             sizeof class);
  sl_number_text (plane->plane[SL_MAP_COST][cell], 4, cost, sizeof cost);
  sl_number_text (plane->plane[SL_MAP_MARGIN][cell], 2, margin, sizeof margin);
  if (colour >= SL_MAP_COLOURS || name[0] == '\0' || strstr (name, "pattern") != NULL)
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
  SlMessage text = sl_message ("all other patterns");

  if (colour < SL_MAP_COLOURS)
    copy_line (plane->names, colour, text.packed, sizeof text.packed);
  g_strlcpy (name, text.packed, sizeof name);
  sl_number_text (region.cost, 4, cost, sizeof cost);
  text = sl_message ("%s: %.1f %% of the area, %.1f %% of the examples", name, 100.0 * region.area,
                     100.0 * region.examples);
  if (isfinite (region.right))
    sl_message_add (&text, ", %.0f %% of them right", 100.0 * region.right);
  sl_message_add (&text, ", %s multiplications", cost);
  return text;
}
