/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `experts-text` that need a pass over validation symbols of their own, and those of
 * sizes.  */
#include <stdio.h>
#include <string.h>

#include "core/data/text/text.h"
#include "core/lab/kit/probe.h"
#include "core/lab/mixture/margins.h"
#include "core/lab/mixture/memory.h"
#include "core/labs/experts-text/lab.h"

enum {
  SHOWN = 12,   /* places of a text */
  READ = 12000, /* symbols that are looked through */
  CONTEXT = 40, /* bytes of a place in words */
};

/* A place of the text where the expert works. */
typedef struct
{
  sl_real gate;
  size_t  at; /* number of the symbol */
} Found;

typedef struct
{
  SlProbe *p;
  size_t   expert, n; /* places so far, at most SHOWN */
  Found    best[SHOWN];
} Search;

/* Puts a place where its gate value belongs, the strongest first, of equal ones the earlier. */
static void
keep (Search *search, sl_real gate, size_t at)
{
  size_t i;

  if (search->n == SHOWN && search->best[SHOWN - 1].gate >= gate)
    return;
  i = search->n < SHOWN ? search->n++ : SHOWN - 1;
  for (; i > 0 && search->best[i - 1].gate < gate; i--)
    search->best[i] = search->best[i - 1];
  search->best[i] = (Found) { gate, at };
}

/* Whether there are experts that have learned anything, else the note says that there are not. */
static bool
has_experts (SlProbe *p)
{
  if (sl_experts_text_mixes (sl_experts_text_lab (p->state)))
    return sl_mixture_has_learned (p);
  sl_probe_note (p, "Without experts there is nothing to show.");
  return false;
}

static bool
search_stretch (SlExpertsTextLab *s, const SlExpertsTextPlace *place, void *data)
{
  Search           *search = data;
  const SlDispatch *dispatch = &s->net.model.moe.dispatch;

  for (uint32_t a = dispatch->start[search->expert]; a < dispatch->start[search->expert + 1]; a++)
    {
      size_t row = dispatch->row[a], t = row / s->readers, e = row % s->readers;

      keep (search, dispatch->weight[a], place->first + e * place->apart + t);
    }
  return !sl_probe_cancelled (search->p);
}

/* As many symbols before a place as there is room for and, in brackets, the one there. */
static void
name_place (const SlExpertsTextLab *s, size_t at, char text[CONTEXT])
{
  const char *const *title = s->words.title;
  const uint16_t    *symbol = s->words.symbol;
  const char        *blank = sl_is_on (&s->base, P_SYMBOLS) ? " " : "";
  char               word[CONTEXT - 2]; /* with room for the brackets */
  size_t             first = at, used;

  sl_text_printable (title[symbol[at]], strlen (title[symbol[at]]), word, sizeof word);
  used = strlen (word) + strlen ("[]");

  while (first > 0 && used + strlen (title[symbol[first - 1]]) + strlen (blank) < CONTEXT)
    used += strlen (title[symbol[--first]]) + strlen (blank);
  for (used = 0; first < at; first++)
    used += (size_t) snprintf (text + used, CONTEXT - used, "%s%s", title[symbol[first]], blank);
  snprintf (text + used, CONTEXT - used, "[%s]", word);
}

static size_t
selected (const SlExpertsTextLab *s)
{
  size_t expert = sl_count_of (&s->base, P_EXPERT) - 1, n = s->net.model.moe.shape.experts;

  return expert < n ? expert : n - 1;
}

static void
probe_reads (SlProbe *p)
{
  SlExpertsTextLab     *s = sl_experts_text_lab (p->state);
  Search                search = { .p = p };
  size_t                first = sl_words_first (&s->words, SL_VALID), n = s->words.n[SL_VALID] - 1;
  SlMoeSetting          setting = sl_experts_text_pass (s, false).experts;
  SlExpertsTextFindings found;
  double               *cells;
  char                  text[CONTEXT];

  if (!has_experts (p))
    return;
  search.expert = selected (s);
  n = n > READ ? READ : n;
  sl_experts_text_read (s, &s->net, first, n, &found, search_stretch, &search);
  if (sl_probe_cancelled (p))
    return;
  if (search.n == 0)
    {
      sl_probe_note (p, "Expert %zu gets none of %zu validation symbols.", search.expert + 1, n);
      return;
    }
  cells = sl_probe_matrix (p, 1, search.n, 1);
  if (cells == NULL)
    return;
  for (size_t i = 0; i < search.n; i++)
    {
      cells[i] = (double) search.best[i].gate;
      name_place (s, search.best[i].at, text);
      sl_snapshot_row_name (p->snapshot, text);
    }
  p->snapshot->lo = 0.0;
  p->snapshot->hi = 1.0;
  sl_probe_name (p, " \n"); /* there is but one column, which the axis names */
  sl_probe_note (p, "Expert %zu: %.1f %% of %zu validation symbols, an even share is %.1f %%.",
                 search.expert + 1, 100.0 * found.hard[search.expert] / (double) n, n,
                 100.0 * sl_mixture_chosen (&s->net.model.moe, &setting)
                   / (double) s->net.model.moe.shape.experts);
}

/* Runs the first stretch of the readers. */
static bool
stop (SlExpertsTextLab *s, const SlExpertsTextPlace *place, void *data)
{
  return false;
}

static void
probe_why (SlProbe *p)
{
  SlExpertsTextLab     *s = sl_experts_text_lab (p->state);
  SlMoeSetting          setting = sl_experts_text_pass (s, false).experts;
  size_t                n = s->words.n[SL_VALID] - 1, rows = s->readers * STRETCH;
  SlExpertsTextFindings found;

  if (!has_experts (p))
    return;
  rows = n < rows ? n / s->readers * s->readers : rows;
  sl_experts_text_read (s, &s->net, sl_words_first (&s->words, SL_VALID), rows, &found, stop, NULL);
  sl_mixture_probe_margins (p, &s->net.model.moe, &setting, selected (s), rows, s->margin);
}

static void
add_sizes (SlProbe *p, unsigned trace, const SlLanguage *model)
{
  static const double thousand = 1e3;
  double              embedding = (double) model->at[0];
  double              recurrent = (double) sl_language_recurrent_numbers (model);
  double              middle = (double) sl_language_inner_numbers (model) - recurrent;
  double              numbers[] = { embedding / thousand, recurrent / thousand, middle / thousand,
                                    (double) (model->n - model->at_out) / thousand };

  sl_probe_values (p, trace, 0, 0, 4, numbers);
}

static void
probe_size (SlProbe *p)
{
  SlExpertsTextLab *s = sl_experts_text_lab (p->state);
  double unknown = 100.0 * (double) s->words.unknown[SL_VALID] / (double) s->words.n[SL_VALID];

  add_sizes (p, T_NUMBERS, &s->net.model);
  if (s->has_baseline)
    add_sizes (p, T_NUMBERS_BASELINE, &s->baseline.model);
  if (sl_is_on (&s->base, P_SYMBOLS))
    sl_probe_note (p, "%zu words in the vocabulary; %.1f %% of the validation text is unknown",
                   s->words.kinds, unknown);
  else
    sl_probe_note (p, "%zu different letters", s->words.kinds);
}

static void
probe_memory (SlProbe *p)
{
  SlExpertsTextLab *s = sl_experts_text_lab (p->state);
  SlMoeSetting      setting = sl_experts_text_pass (s, true).experts;

  if (!has_experts (p))
    return;
  sl_mixture_probe_memory (p, &s->net.model.moe, &setting, sl_experts_text_rows (s),
                           (SlOptimiser) sl_count_of (&s->base, P_OPTIMISER));
}

const SlProbePanel sl_experts_text_probes[N_PANELS] = {
  [V_ALIVE] = sl_experts_text_probe_alive,
  [V_READS] = probe_reads,
  [V_WHY] = probe_why,
  [V_WHY_VALUE] = probe_why,
  [V_SIZE] = probe_size,
  [V_MEMORY] = probe_memory,
};
