/* SPDX-License-Identifier: MIT
 *
 * What the canvas that writes scripts keeps track of; see script.h.  */
#include "plot/canvas/script.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

/* Of the generated resources. */
extern GResource *sl_figures_get_resource (void);

void
sl_script_init (SlScript *self, const SlScriptPage *page)
{
  SlScriptGroup all = { .clip = { .w = -1.0 }, .opacity = 1.0 };

  self->page = *page;
  self->out = g_string_new (NULL);
  self->blocks = g_string_new (NULL);
  self->looks = g_array_new (FALSE, TRUE, sizeof (SlScriptLook));
  self->groups = g_array_new (FALSE, FALSE, sizeof (SlScriptGroup));
  g_array_append_val (self->groups, all);
  sl_value_table_init (&self->table);
}

void
sl_script_clear (SlScript *self)
{
  g_string_free (self->out, TRUE);
  g_string_free (self->blocks, TRUE);
  g_array_unref (self->looks);
  g_array_unref (self->groups);
  sl_value_table_clear (&self->table);
}

static const SlScriptGroup *
innermost (const SlScript *self)
{
  return &g_array_index (self->groups, SlScriptGroup, self->groups->len - 1);
}

static SlRect
intersect (const SlRect *a, const SlRect *b)
{
  double x = MAX (a->x, b->x), y = MAX (a->y, b->y);

  return (SlRect) { x, y, MAX (MIN (a->x + a->w, b->x + b->w) - x, 0.0),
                    MAX (MIN (a->y + a->h, b->y + b->h) - y, 0.0) };
}

static void
open_group (SlScript *self, const char *id, const SlScriptGroup *group)
{
  g_array_append_val (self->groups, *group);
  if (id != NULL)
    sl_canvas_comment (self->out, "\n#", id);
}

void
sl_script_begin (SlCanvas *canvas, const char *id, const SlRect *clip, double opacity)
{
  SlScript     *self = (SlScript *) canvas;
  SlScriptGroup group = *innermost (self);

  group.opacity *= opacity;
  if (clip != NULL)
    {
      SlRect on_page = { group.origin.x + clip->x, group.origin.y + clip->y, clip->w, clip->h };

      group.clip = group.clip.w < 0.0 ? on_page : intersect (&group.clip, &on_page);
    }
  open_group (self, id, &group);
}

void
sl_script_shift (SlCanvas *canvas, const char *id, double x, double y)
{
  SlScript     *self = (SlScript *) canvas;
  SlScriptGroup group = *innermost (self);

  group.origin = (SlXY) { group.origin.x + x, group.origin.y + y };
  self->figure++;
  open_group (self, id, &group);
}

void
sl_script_end (SlCanvas *canvas)
{
  SlScript *self = (SlScript *) canvas;

  g_array_set_size (self->groups, self->groups->len - 1);
}

SlXY
sl_script_place (const SlScript *self, double x, double y)
{
  const SlScriptGroup *group = innermost (self);

  return (SlXY) { group->origin.x + x, group->origin.y + y };
}

bool
sl_script_rect (const SlScript *self, const SlRect *rect, SlRect *out)
{
  const SlScriptGroup *group = innermost (self);

  *out = (SlRect) { group->origin.x + rect->x, group->origin.y + rect->y, rect->w, rect->h };
  if (group->clip.w >= 0.0)
    *out = intersect (out, &group->clip);
  return out->w > 0.0 && out->h > 0.0;
}

/* The part of a straight line inside a rectangle, after Liang and Barsky; false when there is none. */
static bool
cut_segment (const SlRect *clip, SlXY *a, SlXY *b)
{
  double dx = b->x - a->x, dy = b->y - a->y, from = 0.0, to = 1.0;
  double step[4] = { -dx, dx, -dy, dy };
  double room[4]
    = { a->x - clip->x, clip->x + clip->w - a->x, a->y - clip->y, clip->y + clip->h - a->y };
  SlXY start = *a;

  for (unsigned i = 0; i < 4; i++)
    {
      if (step[i] == 0.0 && room[i] < 0.0)
        return false;
      if (step[i] < 0.0)
        from = MAX (from, room[i] / step[i]);
      else if (step[i] > 0.0)
        to = MIN (to, room[i] / step[i]);
    }
  if (from > to)
    return false;
  *a = (SlXY) { start.x + from * dx, start.y + from * dy };
  *b = (SlXY) { start.x + to * dx, start.y + to * dy };
  return true;
}

static bool
finite_point (SlXY p)
{
  return isfinite (p.x) && isfinite (p.y);
}

static void
add_point (GArray *out, SlXY point)
{
  g_array_append_val (out, point);
}

GArray *
sl_script_cut_line (const SlScript *self, const SlXY *points, size_t n)
{
  const SlScriptGroup *group = innermost (self);
  GArray              *out = g_array_new (FALSE, FALSE, sizeof (SlXY));
  SlXY                 last = { NAN, NAN };

  for (size_t i = 0; i < n; i++)
    {
      SlXY a = { NAN, NAN }, b = sl_script_place (self, points[i].x, points[i].y);

      if (i > 0)
        a = sl_script_place (self, points[i - 1].x, points[i - 1].y);
      if (!finite_point (a) || !finite_point (b)
          || (group->clip.w >= 0.0 && !cut_segment (&group->clip, &a, &b)))
        continue;
      if (a.x != last.x || a.y != last.y)
        {
          if (out->len > 0)
            add_point (out, (SlXY) { NAN, NAN });
          add_point (out, a);
        }
      add_point (out, b);
      last = b;
    }
  return out;
}

/* One side of the rectangle: what is on its inner side stays (Sutherland and Hodgman). */
static GArray *
cut_side (GArray *in, unsigned side, double at)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (SlXY));

  for (unsigned i = 0; i < in->len; i++)
    {
      SlXY   a = g_array_index (in, SlXY, (i + in->len - 1) % in->len);
      SlXY   b = g_array_index (in, SlXY, i);
      double sign = side % 2 == 0 ? 1.0 : -1.0;
      double da = sign * ((side < 2 ? a.x : a.y) - at), db = sign * ((side < 2 ? b.x : b.y) - at);

      if ((da < 0.0) != (db < 0.0))
        {
          double t = da / (da - db);

          add_point (out, (SlXY) { a.x + t * (b.x - a.x), a.y + t * (b.y - a.y) });
        }
      if (db >= 0.0)
        add_point (out, b);
    }
  g_array_unref (in);
  return out;
}

GArray *
sl_script_cut_area (const SlScript *self, const SlXY *points, size_t n)
{
  const SlRect *clip = &innermost (self)->clip;
  GArray       *out = g_array_new (FALSE, FALSE, sizeof (SlXY));

  for (size_t i = 0; i < n; i++)
    if (finite_point (points[i]))
      add_point (out, sl_script_place (self, points[i].x, points[i].y));
  if (clip->w >= 0.0)
    for (unsigned side = 0; side < 4; side++)
      out = cut_side (out, side,
                      side == 0   ? clip->x
                      : side == 1 ? clip->x + clip->w
                      : side == 2 ? clip->y
                                  : clip->y + clip->h);
  return out;
}

double
sl_script_alpha (const SlScript *self, SlRgba colour)
{
  return (double) colour.a * innermost (self)->opacity;
}

const char *
sl_script_colour (SlRgba c, char out[8])
{
  g_snprintf (out, 8, "#%02x%02x%02x", (unsigned) lround (255.0 * (double) c.r),
              (unsigned) lround (255.0 * (double) c.g), (unsigned) lround (255.0 * (double) c.b));
  return out;
}

SlScriptLook *
sl_script_look (SlScript *self)
{
  SlScriptLook look = { .key = 100 * self->figure + self->canvas.style };

  if (self->canvas.style == 0)
    return NULL;
  for (unsigned i = 0; i < self->looks->len; i++)
    if (g_array_index (self->looks, SlScriptLook, i).key == look.key)
      return &g_array_index (self->looks, SlScriptLook, i);
  g_array_append_val (self->looks, look);
  return &g_array_index (self->looks, SlScriptLook, self->looks->len - 1);
}

void
sl_script_look_line (SlScriptLook *look, SlRgba colour, double width, const double *dash)
{
  if (!look->has_colour)
    {
      look->colour = colour;
      look->has_colour = true;
    }
  if (look->width > 0.0 || !(width > 0.0))
    return;
  look->width = width;
  for (unsigned i = 0; dash != NULL && i < G_N_ELEMENTS (look->dash) - 1 && dash[i] > 0.0; i++)
    look->dash[i] = dash[i];
}

void
sl_script_look_marker (SlScriptLook *look, SlMarker marker, double size, SlRgba colour, SlRgba rim)
{
  sl_script_look_line (look, colour, 0.0, NULL);
  if (look->has_marker)
    return;
  look->marker = marker;
  look->mark_size = size;
  look->rim = rim;
  look->has_marker = true;
}

/* Two empty lines are between blocks. */
static void
next_block (SlScript *self)
{
  if (self->n_blocks++ > 0)
    g_string_append (self->blocks, "\n\n");
}

unsigned
sl_script_matrix (SlScript *self, const double *value, unsigned rows, unsigned columns)
{
  next_block (self);
  for (unsigned r = 0; r < rows; r++)
    for (unsigned c = 0; c < columns; c++)
      {
        sl_value_append (self->blocks, value[(size_t) r * columns + c]);
        g_string_append_c (self->blocks, c + 1 < columns ? ',' : '\n');
      }
  return self->n_blocks - 1;
}

/* A channel from the premultiplied pixel. */
static guint32
channel (guint32 pixel, unsigned shift)
{
  guint32 a = pixel >> 24;

  return a > 0 ? MIN (((pixel >> shift & 255) * 255 + a / 2) / a, 255) : 0;
}

unsigned
sl_script_pixels (SlScript *self, cairo_surface_t *pixels)
{
  int w = cairo_image_surface_get_width (pixels), h = cairo_image_surface_get_height (pixels);
  int stride = cairo_image_surface_get_stride (pixels);
  const unsigned char *data;

  cairo_surface_flush (pixels);
  data = cairo_image_surface_get_data (pixels);
  next_block (self);
  for (int y = 0; y < h; y++)
    {
      const guint32 *row = (const guint32 *) (const void *) (data + (gsize) y * (gsize) stride);

      for (int x = 0; x < w; x++)
        g_string_append_printf (self->blocks, "%u,%u,%u,%u\n", channel (row[x], 16),
                                channel (row[x], 8), channel (row[x], 0), row[x] >> 24);
    }
  return self->n_blocks - 1;
}

static const char *
add_column (SlScript *self, const char *id, const char *ending, const double *value, size_t n)
{
  g_autofree char *name = g_strconcat (id, ending, NULL);
  GArray          *column = g_array_sized_new (FALSE, FALSE, sizeof (double), (guint) n);

  g_array_append_vals (column, value, (guint) n);
  return sl_value_table_add (&self->table, name, column);
}

SlScriptLook *
sl_script_curve (SlScript *self, const SlCanvasCurve *curve, const char *name[2])
{
  SlScriptLook *look = sl_script_look (self);

  name[0] = sl_value_table_x (&self->table, curve->id, curve->points, curve->n);
  name[1] = sl_value_table_y (&self->table, curve->id, curve->points, curve->n);
  if (look == NULL)
    return NULL;
  sl_script_look_line (look, curve->colour, curve->width, curve->dash);
  if (curve->marked)
    sl_script_look_marker (look, curve->marker, curve->mark_size, curve->colour, curve->rim);
  g_strlcpy (look->id, curve->id, sizeof look->id);
  return look;
}

const char *
sl_script_errors (SlScript *self, const char *id, bool of_y, const double *length, size_t n)
{
  return length != NULL ? add_column (self, id, of_y ? "-error" : "-x-error", length, n) : NULL;
}

void
sl_script_band (SlScript *self, const SlCanvasBand *band, const char *name[3])
{
  name[0] = add_column (self, band->id, "-x", band->x, band->n);
  name[1] = add_column (self, band->id, "-low", band->low, band->n);
  name[2] = add_column (self, band->id, "-high", band->high, band->n);
}

void
sl_script_bars (SlScript *self, const SlCanvasBars *bars, const char *name[3])
{
  name[0] = add_column (self, bars->id, "-x", bars->x, bars->n);
  name[1] = add_column (self, bars->id, "-low", bars->low, bars->n);
  name[2] = add_column (self, bars->id, "-high", bars->high, bars->n);
}

char *
sl_script_data (const SlScript *self)
{
  GString *all = g_string_new (NULL);

  sl_value_table_append (&self->table, ',', all);
  if (all->len > 0 && self->n_blocks > 0)
    g_string_append (all, "\n\n");
  g_string_append_len (all, self->blocks->str, (gssize) self->blocks->len);
  return g_string_free (all, FALSE);
}

double
sl_script_tick (const SlCanvasAxes *axes, bool of_y, unsigned i)
{
  const SlRect  *p = &axes->plot;
  const SlScale *scale = of_y ? &axes->y : &axes->x;
  SlScale        upwards = *scale;
  double         at = of_y ? 1.0 - (axes->y_at[i] - p->y) / p->h : (axes->x_at[i] - p->x) / p->w;

  if (scale->lo > scale->hi)
    {
      upwards.lo = scale->hi;
      upwards.hi = scale->lo;
      at = 1.0 - at;
    }
  return sl_scale_unmap (&upwards, at);
}

char *
sl_script_tick_label (const SlCanvasAxes *axes, bool of_y, unsigned i)
{
  const char *second
    = !of_y && axes->x_second != NULL ? axes->x_second + (size_t) i * SL_TICK_LABEL : "";
  const char *first = of_y ? axes->y_tick[i].label : axes->x_tick[i].label;

  return *second != '\0' ? g_strconcat (first, "\n", second, NULL) : g_strdup (first);
}

void
sl_script_pt (GString *out, double px)
{
  sl_canvas_put (out, "@", px * SL_SCRIPT_PT_PER_PX);
}

char **
sl_script_families (const char *family)
{
  g_auto (GStrv) parts = g_strsplit (family, ",", -1);
  GPtrArray *out = g_ptr_array_new ();

  for (unsigned i = 0; parts[i] != NULL; i++)
    {
      g_strstrip (parts[i]);
      if (parts[i][0] != '\0')
        g_ptr_array_add (out, g_strdup (parts[i]));
    }
  g_ptr_array_add (out, NULL);
  return (char **) g_ptr_array_free (out, FALSE);
}

void
sl_script_helpers (GString *out)
{
  g_autoptr (GBytes) bytes = g_resource_lookup_data (
    sl_figures_get_resource (), "/org/sluice/Sluice/figures/matplotlib.py", 0, NULL);

  g_return_if_fail (bytes != NULL);
  g_string_append_len (out, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
}
