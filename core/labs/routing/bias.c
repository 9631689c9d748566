/* SPDX-License-Identifier: MIT
 *
 * A bias on the scores of all experts, moved after each window that is replayed.  */
#include <math.h>

#include "core/labs/routing/lab.h"
#include "core/labs/routing/math/bias.h"

/* Copies the scores of a window's tokens, which are those that count. */
static void
copy_scores (const SlRoutingLab *s, size_t w)
{
  const float *recorded = s->recording->layer[s->layer].scores;
  bool         warm_up = sl_is_on (&s->base, P_WARM_UP);

  for (size_t t = 0; t < s->tokens[w]; t++)
    {
      size_t token = s->first[w] + t;
      size_t place = sl_routing_place (s->recording, s->layer, warm_up,
                                       s->token != NULL ? s->token[token] : token);

      for (unsigned i = 0; i < s->n; i++)
        s->scores[t * s->n + i] = recorded[place * s->n + i];
    }
}

void
sl_routing_publish_bias (SlRoutingLab *s, SlSink *sink, size_t w)
{
  SlBiasReplay replay = { .n = s->n,
                          .k = s->k,
                          .kind = (SlScoresKind) sl_value_of (&s->base, P_SCORE),
                          .rate = sl_value_of (&s->base, P_BIAS_RATE),
                          .bias = s->bias };
  SlBiasWindow window;
  double       routings = (double) (s->tokens[w] * s->k), largest = 0.0;

  copy_scores (s, w);
  window = sl_bias_window (&replay, s->tokens[w], s->scores, s->sum);
  for (unsigned i = 0; i < s->n; i++)
    largest = fmax (largest, fabs (s->bias[i]));
  sl_sink_value (sink, V_BIAS, T_BIAS_WITHOUT, 0, window.before);
  sl_sink_value (sink, V_BIAS, T_BIAS_WITH, 0, window.after);
  sl_sink_value (sink, V_BIAS, T_BIAS_MOVED, 0, (double) window.moved / routings);
  sl_sink_value (sink, V_BIAS, T_BIAS_LARGEST, 0, largest);
}
