/* SPDX-License-Identifier: MIT
 *
 * What the lab `experts-text` finds out by reading a text.  */
#include <math.h>
#include <stdlib.h>

#include "core/labs/experts-text/lab.h"

SlLanguagePass
sl_experts_text_pass (const SlExpertsTextLab *s, bool training)
{
  static const SlMixtureParams params = {
    .k = P_K,
    .k_groups = P_K_GROUPS,
    .w_importance = P_W_IMPORTANCE,
    .w_load = P_W_LOAD,
    .noise = P_NOISE,
    .noise_floor = P_NOISE_FLOOR,
    .threshold = P_THRESHOLD,
    .recompute = P_RECOMPUTE,
  };

  return (SlLanguagePass) { .experts = sl_mixture_setting (&s->base, &params),
                            .dropout = sl_value_of (&s->base, P_DROPOUT),
                            .training = training };
}

void
sl_experts_text_fetch (const SlExpertsTextLab *s, size_t first, size_t apart, size_t batch,
                       size_t steps, uint16_t *symbol)
{
  for (size_t e = 0; e < batch; e++)
    for (size_t t = 0; t <= steps; t++)
      symbol[t * batch + e] = s->words.symbol[first + e * apart + t];
}

/* Reads one stretch from a place on. */
static void
read_stretch (SlExpertsTextLab *s, SlExpertsTextNet *net, const SlExpertsTextPlace *place,
              const SlLanguagePass *pass)
{
  sl_experts_text_fetch (s, place->first, place->apart, s->readers, place->steps, s->read_symbol);
  sl_language_forward (&net->model, &net->read, place->steps, s->read_symbol, pass);
}

static void
add_experts (const SlMoe *moe, SlExpertsTextFindings *findings)
{
  for (size_t i = 0; i < moe->shape.experts; i++)
    {
      findings->importance[i] += (double) moe->balance.importance[i];
      findings->hard[i] += (double) moe->balance.hard[i];
    }
}

void
sl_experts_text_read (SlExpertsTextLab *s, SlExpertsTextNet *net, size_t first, size_t symbols,
                      SlExpertsTextFindings *findings, SlExpertsTextEach each, void *data)
{
  SlLanguagePass     pass = sl_experts_text_pass (s, false);
  SlExpertsTextPlace place = { .apart = symbols / s->readers };
  bool               go_on = true;

  *findings = (SlExpertsTextFindings) { 0 };
  sl_language_rest (&net->model, &net->read, 0, s->readers);
  for (size_t before = first < WARM_UP ? 0 : WARM_UP; before > 0; before -= STRETCH)
    {
      place.first = first - before;
      place.steps = STRETCH;
      read_stretch (s, net, &place, &pass);
      sl_language_carry (&net->model, &net->read, STRETCH);
    }
  for (size_t done = 0; done < place.apart && go_on; done += place.steps)
    {
      size_t errors;

      place.first = first + done;
      place.steps = place.apart - done < STRETCH ? place.apart - done : STRETCH;
      read_stretch (s, net, &place, &pass);
      if (net->model.shape.middle == SL_MIDDLE_EXPERTS)
        add_experts (&net->model.moe, findings);
      findings->loss += (double) place.steps
                        * sl_language_loss (&net->model, &net->read, place.steps,
                                            s->read_symbol + s->readers, false, &errors);
      findings->error += 100.0 * (double) errors / (double) s->readers;
      go_on = each == NULL || each (s, &place, data);
      sl_language_carry (&net->model, &net->read, place.steps);
    }
  findings->loss /= (double) place.apart;
  findings->error /= (double) place.apart;
}

SlStatus
sl_experts_text_single (SlExpertsTextLab *s)
{
  const SlWords *words = &s->words;
  size_t        *count = calloc (words->kinds, sizeof *count);
  double         total = (double) (words->n[SL_TRAIN] + words->kinds);

  if (count == NULL)
    return sl_status_no_memory (s->base.dataset->title);
  for (size_t i = 0; i < words->n[SL_TRAIN]; i++)
    count[words->symbol[i]]++;
  for (int split = 0; split < SL_N_SPLITS; split++)
    {
      const uint16_t *symbol = words->symbol + sl_words_first (words, (SlSplit) split);

      s->single[split] = 0.0;
      for (size_t i = 0; i < words->n[split]; i++)
        s->single[split] -= log ((1.0 + (double) count[symbol[i]]) / total);
      s->single[split] /= (double) words->n[split];
    }
  free (count);
  return SL_SUCCESS;
}
