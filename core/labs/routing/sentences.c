/* SPDX-License-Identifier: MIT
 *
 * Sentences about a whole recording that several plots have.  */
#include <math.h>

#include "core/labs/routing/offer.h"
#include "core/labs/routing/probes.h"

void
sl_routing_say_warm_up (SlProbe *p, const SlRoutingLab *s)
{
  SlMessage words = sl_routing_warm_up_words (s->recording, s->layer);

  if (words.packed[0] == '\0')
    return;
  sl_probe_note (p, " %s", words.packed);
  if (!sl_is_on (&s->base, P_WARM_UP))
    sl_probe_note (p, " They are left out.");
}

void
sl_routing_say_cv (SlProbe *p, const SlRoutingLab *s)
{
  SlRoutesBalance b = sl_routing_balance (s, s->layer, NULL);
  char            name[64];

  sl_routing_layer_name (&s->recording->layer[s->layer], name, sizeof name);
  if (b.routings == 0)
    sl_probe_note (p, "Layer %s has no token that counts.", name);
  else if (isnan (b.chance.floor))
    sl_probe_note (p, "Layer %s: load spread (CV) %.3f; nothing is said of chance.", name, b.cv);
  else if (b.cv > b.chance.floor_95)
    sl_probe_note (p,
                   "Layer %s: load spread (CV) %.3f, chance alone %.3f (95 %% below %.3f): uneven.",
                   name, b.cv, b.chance.floor, b.chance.floor_95);
  else
    sl_probe_note (p,
                   "Layer %s: load spread (CV) %.3f, chance alone %.3f (95 %% below %.3f): no more "
                   "uneven than chance.",
                   name, b.cv, b.chance.floor, b.chance.floor_95);
  if (b.dead > 0 && !isnan (b.chance.dead))
    sl_probe_note (p, " Experts never chosen: %u, by chance about %.0f.", b.dead, b.chance.dead);
  else if (b.dead > 0)
    sl_probe_note (p, " Experts never chosen: %u.", b.dead);
}
