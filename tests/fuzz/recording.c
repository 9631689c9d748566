/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/recording.h"

#include <math.h>
#include <string.h>

#include "core/data/routing/words.h"
#include "core/data/text/text.h"
#include "tests/fuzz/input.h"

SlRoutingOptions
fuzz_options (uint8_t choice)
{
  static const char axes[][8] = { "", "ltk", "tlk", "ltn", "tln", "tk", "rln", "lbtk", "btlk" };
  SlRoutingOptions  options = { .k = choice & 3,
                                .as = (SlRoutingAs) (choice >> 2 & 3),
                                .experts = choice & 0x10 ? 256 : 0,
                                .from = choice & 0x20 ? 1 : 0,
                                .most = choice & 0x40 ? 2 : 0,
                                .decode = choice & 0x80 ? 1 : 0 };

  /* Rarer ones go with what has no effect there. */
  if ((choice & 0xe0) == 0xe0)
    memcpy (options.axes, axes[choice % (sizeof axes / sizeof *axes)], sizeof options.axes);
  if ((choice & 0xe0) == 0xc0)
    options.layers = 1 + (choice & 3);
  return options;
}

static void
check_failure (const SlStatus *status)
{
  char text[2048];

  fuzz_require (status->code == SL_EFORMAT || status->code == SL_EIO || status->code == SL_ENOMEM
                || status->code == SL_EINVAL);
  fuzz_require (status->subject[0] != '\0');
  sl_status_text (status, text, sizeof text);
  fuzz_require (strlen (text) > 0 && sl_utf8_valid (text, strlen (text)));
}

static void
check_row (const SlRouting *routing, const uint16_t *row)
{
  for (unsigned s = 0; s < routing->k; s++)
    {
      fuzz_require (row[s] == SL_ROUTING_NONE || row[s] < routing->experts);
      for (unsigned other = 0; other < s; other++)
        fuzz_require (row[s] == SL_ROUTING_NONE || row[s] != row[other]);
    }
}

static void
check_runs (const SlRoutingLayer *layer)
{
  size_t end = 0, sum = 0;

  for (size_t i = 0; i < layer->n_warm_up; i++)
    {
      fuzz_require (layer->warm_up[i].first >= end && layer->warm_up[i].tokens >= 64);
      end = layer->warm_up[i].first + layer->warm_up[i].tokens;
      sum += layer->warm_up[i].tokens;
    }
  fuzz_require (end <= layer->tokens && sum == layer->warm_up_tokens);
}

static void
check_tokens (const SlRouting *routing, unsigned l)
{
  const SlRoutingLayer *layer = &routing->layer[l];
  size_t                tokens = sl_routing_tokens (routing, l, false), passes = 0;
  uint16_t              row[SL_ROUTING_SLOTS];
  float                 gates[SL_ROUTING_SLOTS];

  check_runs (layer);
  for (size_t p = 0; p < layer->n_passes; p++)
    passes += layer->pass[p];
  fuzz_require (passes == layer->tokens);
  for (size_t t = 0; t < tokens; t++)
    {
      sl_routing_read (routing, l, false, t, 1, row, layer->gates != NULL ? gates : NULL);
      check_row (routing, row);
      for (unsigned s = 0; layer->gates != NULL && s < routing->k; s++)
        fuzz_require (isfinite (gates[s]));
      if (layer->decode != NULL)
        fuzz_require (layer->decode[sl_routing_place (routing, l, false, t)] <= 1);
    }
  for (size_t t = 0; layer->token != NULL && t < layer->tokens; t++)
    fuzz_require (layer->token[t] < routing->n_words || layer->token[t] == SL_ROUTING_NO_WORD);
  for (size_t i = 0; layer->scores != NULL && i < layer->tokens * routing->experts; i++)
    fuzz_require (!isnan (layer->scores[i]));
}

static void
check_reading (const SlFileReading *reading)
{
  char text[SL_MESSAGE_SIZE * 2];

  fuzz_require (reading->n_notes <= SL_READING_NOTES && reading->n_others <= SL_READING_OTHERS);
  sl_message_show (reading->said.packed, NULL, text, sizeof text);
  fuzz_require (sl_utf8_valid (text, strlen (text)));
  for (unsigned i = 0; i < reading->n_notes; i++)
    {
      sl_message_show (reading->note[i].packed, NULL, text, sizeof text);
      fuzz_require (sl_utf8_valid (text, strlen (text)));
    }
  for (unsigned i = 0; i < reading->n_others; i++)
    fuzz_require (reading->other[i].option[0] != '\0' && reading->other[i].value[0] != '\0');
}

static void
check_words (const SlRouting *routing)
{
  for (uint32_t i = 0; i < routing->n_words; i++)
    {
      const char *word = routing->word[i];

      fuzz_require (word[0] != '\0' && strlen (word) < SL_ROUTING_WORD);
      fuzz_require (sl_utf8_valid (word, strlen (word)));
      for (const char *c = word; *c != '\0'; c++)
        fuzz_require ((unsigned char) *c >= 0x20 && *c != 0x7f);
    }
}

static void
check_recording (const SlRouting *routing)
{
  check_reading (&routing->reading);
  check_words (routing);
  fuzz_require (routing->experts >= 1 && routing->experts <= SL_ROUTING_EXPERTS);
  fuzz_require (routing->k <= SL_ROUTING_SLOTS);
  fuzz_require (routing->n_layers >= 1 && routing->n_layers <= SL_ROUTING_LAYERS);
  fuzz_require (sl_utf8_valid (routing->name, strlen (routing->name)));
  fuzz_require (routing->step == NULL || routing->kind == SL_ROUTING_COUNTS);
  for (size_t row = 0; routing->step != NULL && row < routing->rows; row++)
    fuzz_require (isfinite (routing->step[row])
                  && (row == 0 || routing->step[row] > routing->step[row - 1]));
  for (unsigned l = 0; l < routing->n_layers; l++)
    {
      fuzz_require (routing->group[l] <= l
                    && routing->group[routing->group[l]] == routing->group[l]);
      if (routing->kind == SL_ROUTING_IDS)
        check_tokens (routing, l);
      else
        fuzz_require (routing->layer[l].counts != NULL && routing->rows > 0);
    }
}

void
fuzz_routing (const SlStatus *status, SlRouting *routing)
{
  fuzz_require (sl_ok (status) == (routing != NULL));
  if (routing != NULL)
    check_recording (routing);
  else
    check_failure (status);
  sl_routing_free (routing);
}

void
fuzz_recording (const char *name, uint8_t choice, const uint8_t *data, size_t size)
{
  SlRoutingOptions options = fuzz_options (choice);
  char             path[512];
  SlRouting       *routing;
  SlStatus         status;

  fuzz_write (name, data, size);
  fuzz_path (name, path, sizeof path);
  status = sl_routing_open (path, &options, &routing);
  fuzz_routing (&status, routing);
}
