/* SPDX-License-Identifier: MIT */
#include "ui/kit/crosshair.h"

#include <math.h>

#include "ui/kit/widget.h"

struct _SlCrosshair
{
  GObject parent_instance;

  double step;
};

G_DEFINE_FINAL_TYPE (SlCrosshair, sl_crosshair, G_TYPE_OBJECT)

void
sl_crosshair_set_step (SlCrosshair *self, double step)
{
  g_return_if_fail (SL_IS_CROSSHAIR (self));
  if (step == self->step || (isnan (step) && isnan (self->step)))
    return;
  self->step = step;
  g_signal_emit_by_name (self, "moved");
}

double
sl_crosshair_get_step (SlCrosshair *self)
{
  g_return_val_if_fail (SL_IS_CROSSHAIR (self), 0);
  return self->step;
}

static void
sl_crosshair_class_init (SlCrosshairClass *klass)
{
  sl_signal_new (SL_TYPE_CROSSHAIR, "moved", 0);
}

static void
sl_crosshair_init (SlCrosshair *self)
{
  self->step = (double) NAN;
}
