/* SPDX-License-Identifier: MIT
 *
 * Axes of a drawn curve: the range of the question, ticks and a pale grid; in the key with what was measured.  */
#include "plot/base/scale.h"
#include "plot/worksheet/private.h"

#include "core/run/base/language.h"

enum { TICKS = 5 };

static const double PALE = 0.82;

static double
label_size (const SlPaper *paper)
{
  return 0.8 * paper->type;
}

double
sl_worksheet_axes_height (const SlPaper *paper)
{
  return SL_PAPER_PX (42.0) + 3.4 * label_size (paper);
}

static char *
axis_title (const SlAxis *axis, const char *otherwise)
{
  const char *label = axis->label != NULL ? axis->label : otherwise;

  return axis->unit != NULL ? g_strdup_printf ("%s, %s", sl_words (label), axis->unit)
                            : g_strdup (sl_words (label));
}

static void
draw_grid (SlPaper *paper, const SlScale *x, const SlScale *y, double left, double top,
           double width, double height)
{
  SlTick tick[SL_TICKS_MAX];
  double size = label_size (paper);

  for (unsigned i = 0, n = sl_scale_ticks (x, 2 * TICKS, false, tick); i < n; i++)
    {
      double at = left + width * sl_scale_map (x, tick[i].value);
      double wide = sl_text_width (paper->text, tick[i].label, size, false);

      sl_paper_rule (paper, at, top, at, top + height, 0.6, PALE);
      sl_paper_put (paper, at - wide / 2.0, top + height + 1.3 * size, tick[i].label, size, false,
                    0.0);
    }
  for (unsigned i = 0, n = sl_scale_ticks (y, TICKS, false, tick); i < n; i++)
    {
      double at = top + height * (1.0 - sl_scale_map (y, tick[i].value));
      double wide = sl_text_width (paper->text, tick[i].label, size, false);

      sl_paper_rule (paper, left, at, left + width, at, 0.6, PALE);
      sl_paper_put (paper, left - wide - 0.5 * size, at + 0.35 * size, tick[i].label, size, false,
                    0.0);
    }
}

/* Parts outside of the axes are not drawn, as on the screen. */
static void
draw_curve (SlPaper *paper, const double *curve, const SlScale *y, double left, double top,
            double width, double height)
{
  double pace = width / (SL_SKETCH_POINTS - 1);

  for (unsigned i = 1; i < SL_SKETCH_POINTS; i++)
    {
      double from = sl_scale_map (y, curve[i - 1]), to = sl_scale_map (y, curve[i]);

      if (from >= 0.0 && to >= 0.0 && from <= 1.0 && to <= 1.0) /* neither is not-a-number */
        sl_paper_rule (paper, left + pace * (i - 1), top + height * (1.0 - from), left + pace * i,
                       top + height * (1.0 - to), 2.0, 0.0);
    }
}

void
sl_worksheet_axes (SlPaper *paper, const SlQuestion *question, const SlLab *lab,
                   const double *curve)
{
  const SlPanel   *panel = &lab->panels[sl_lab_panel (lab, question->panel)];
  SlScale          x = sl_scale_new (question->from, question->to, false);
  SlScale          y = sl_scale_new (question->lo, question->hi, false);
  double           size = label_size (paper), left = paper->left + 4.0 * size;
  double           width = SL_PAPER_PX (130.0), height = SL_PAPER_PX (42.0) - 1.9 * size;
  double           top = paper->y + 2.0 * size;
  g_autofree char *across
    = axis_title (&panel->x, lab->each_step != NULL ? lab->each_step : "update");
  g_autofree char *upwards = axis_title (&panel->y, panel->title);

  sl_paper_put (paper, paper->left, paper->y + size, upwards, size, false, 0.0);
  draw_grid (paper, &x, &y, left, top, width, height);
  sl_paper_rule (paper, left, top, left, top + height, 1.2, 0.0);
  sl_paper_rule (paper, left, top + height, left + width, top + height, 1.2, 0.0);
  if (curve != NULL)
    draw_curve (paper, curve, &y, left, top, width, height);
  sl_paper_put (paper, left + width - sl_text_width (paper->text, across, size, false),
                top + height + 2.6 * size, across, size, false, 0.0);
  paper->y += sl_worksheet_axes_height (paper);
}
