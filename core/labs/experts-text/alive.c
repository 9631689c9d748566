/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `experts-text`: the text up to a word, each of its words in the colour of its strongest
 * expert, the experts of that word, and what the model expects to come next.  */
#include "core/lab/mixture/alive.h"
#include "core/labs/experts-text/lab.h"

enum { SHOWN = 2 * STRETCH }; /* symbols, the last one is looked at */

typedef struct
{
  SlExpertsTextLab *s;
  size_t            at, first; /* the symbol that is looked at, the first one shown */
  size_t            n;         /* validation symbols with one behind them */
  uint16_t          strongest[SHOWN];
  sl_real          *logits; /* (kinds) */
  SlMixtureAlive    mixture;
  SlAliveWriter     w;
} Picture;

/* The expert of a row with the largest gate value. */
static size_t
find_strongest (const SlDispatch *dispatch, size_t row)
{
  size_t  best = 0;
  sl_real most = -1;

  for (size_t i = 0; i < dispatch->experts; i++)
    for (size_t a = dispatch->start[i]; a < dispatch->start[i + 1]; a++)
      if (dispatch->row[a] == row && dispatch->weight[a] > most)
        {
          most = dispatch->weight[a];
          best = i;
        }
  return best;
}

/* Reads the text up to the symbol as one stream, as evaluation does, and keeps what the picture shows of it. */
static void
read_text (Picture *v)
{
  SlExpertsTextLab *s = v->s;
  SlLanguage       *model = &s->net.model;
  SlLanguagePass    pass = sl_experts_text_pass (s, false);
  SlLanguageRun     run = sl_language_run_of_one (model, &s->net.read);
  size_t            from = v->first > WARM_UP ? v->first - WARM_UP : 0, steps;

  for (; from <= v->at; from += steps)
    {
      steps = v->at + 1 - from < STRETCH ? v->at + 1 - from : STRETCH;
      sl_language_forward (model, &run, steps, s->words.symbol + from, &pass);
      for (size_t t = 0; t < steps; t++)
        if (from + t >= v->first)
          v->strongest[from + t - v->first] = (uint16_t) find_strongest (&model->moe.dispatch, t);
      if (from + steps <= v->at)
        sl_language_carry (model, &run, steps);
      else
        {
          v->logits = run.logits + (steps - 1) * model->shape.kinds;
          sl_mixture_alive_find (&v->mixture, v->w.probe, &model->moe, steps - 1,
                                 sl_is_on (&s->base, P_NOISE), NULL);
        }
    }
}

static void
add_text (Picture *v)
{
  const SlExpertsTextLab *s = v->s;
  size_t                  number = v->at + 1 - sl_words_first (&s->words, SL_VALID);

  sl_alive_line (&v->w,
                 sl_is_on (&s->base, P_SYMBOLS) ? sl_message ("word %zu", number)
                                                : sl_message ("letter %zu", number),
                 v->mixture.states | 1U << SL_ALIVE_SKIPPED);
  for (size_t i = v->first; i <= v->at; i++)
    sl_alive_token (&v->w, s->words.title[s->words.symbol[i]], v->strongest[i - v->first] + 1U,
                    (int) i - (int) v->at);
}

static void
count (const Picture *v)
{
  const SlExpertsTextLab *s = v->s;
  double all = sl_experts_text_macs (s, &s->net, (double) s->net.model.moe.shape.experts);

  sl_probe_note (v->w.probe, "%zu of %zu experts computed: %.3g %% of the multiplications.",
                 v->mixture.chosen, s->net.model.moe.shape.experts,
                 100.0 * sl_experts_text_macs (s, &s->net, (double) v->mixture.chosen) / all);
}

void
sl_experts_text_probe_alive (SlProbe *p)
{
  SlExpertsTextLab *s = sl_experts_text_lab (p->state);
  Picture           v = { .s = s, .n = s->words.n[SL_VALID] - 1 };
  SlMixtureClosed   closed;

  if (!sl_experts_text_mixes (s))
    {
      sl_probe_note (p, "Without experts there is nothing to show.");
      return;
    }
  v.at = sl_words_first (&s->words, SL_VALID) + sl_alive_turn (p, v.n);
  v.first = v.at + 1 > SHOWN ? v.at + 1 - SHOWN : 0;
  if (!sl_alive_begin (&v.w, p))
    return;
  sl_mixture_close (&closed, p, &s->net.model.moe);
  read_text (&v);
  sl_mixture_open (&closed);
  add_text (&v);
  sl_mixture_alive_add (&v.mixture, &v.w);
  count (&v);
  sl_alive_next (&v.w, s->words.kinds, v.logits, s->words.symbol[v.at + 1], s->words.title);
  sl_alive_end (&v.w);
}
