/* SPDX-License-Identifier: MIT
 *
 * The source "letters": a text as labelled examples, a few letters and the letter that follows them, for labs
 * that tell classes apart.  */
#include <stdio.h>
#include <string.h>

#include "core/data/read/stream.h"
#include "core/data/source/options.h"
#include "core/data/source/sources.h"
#include "core/data/text/ngrams.h"

enum {
  CODE = 5,           /* bits that tell the letters apart */
  EXAMPLES = 1000000, /* at most */
};

/* One example is the letters before the label, the newest first: first their numbers in binary, then for each
 * letter one feature that is 1.  */
static void
write_example (uint8_t *x, unsigned window, unsigned kinds, const uint8_t *text, size_t i)
{
  memset (x, 0, (size_t) window * (CODE + kinds));
  for (unsigned back = 0; back < window; back++)
    {
      uint8_t symbol = text[i - back];

      for (unsigned bit = 0; bit < CODE; bit++)
        x[back * CODE + bit] = symbol >> (CODE - 1 - bit) & 1 ? 255 : 0;
      x[window * CODE + back * kinds + symbol] = 255;
    }
}

/* The stream that the examples are cut from: a file, or made-up sentences. */
static SlStatus
open_text (const SlSource *source, const SlSettings *settings, const SlSourceFiles *files,
           SlDataset **text)
{
  const SlSource *grammar = &sl_source_grammar;
  SlSettings      sentences;
  SlSplitting     splitting = sl_source_splitting (source->params, source->n_params, settings);
  SlDraft         draft = { 0 };
  SlStatus        status;
  char            letters[32];

  if (files != NULL && files->path[0][0] != '\0')
    {
      status = sl_stream_open (files->path[0], SL_ALPHABET_LETTERS, &splitting, &draft);
      return sl_draft_deliver (&draft, status, files->path[0], text);
    }
  sl_settings_default (&sentences, grammar->params, grammar->n_params);
  snprintf (letters, sizeof letters, "%.0f",
            sl_source_option (source, settings, "letters") + 2 * SL_NGRAMS_CONTEXT);
  status = sl_settings_set (&sentences, grammar->params, grammar->n_params, "length", letters);
  if (sl_ok (&status))
    {
      snprintf (letters, sizeof letters, "%.0f", sl_source_option (source, settings, "seed"));
      status = sl_settings_set (&sentences, grammar->params, grammar->n_params, "seed", letters);
    }
  return sl_ok (&status) ? grammar->open (grammar, &sentences, NULL, text) : status;
}

static SlStatus
cut_windows (const SlSource *source, const SlSettings *settings, const SlDataset *text,
             SlDraft *draft)
{
  unsigned    window = (unsigned) sl_source_option (source, settings, "window");
  size_t      all = text->n[SL_TRAIN] + text->n[SL_VALID] + text->n[SL_TEST] + 1 - window;
  size_t      n = (size_t) sl_source_option (source, settings, "letters");
  size_t      features = (size_t) window * (CODE + text->classes);
  SlSplitting splitting = sl_source_splitting (source->params, source->n_params, settings);
  SlStatus    status;

  n = n < all ? n : all;
  status = sl_draft_init (draft, source->id, SL_DRAFT_BYTES, n, features, false);
  if (!sl_ok (&status))
    return status;
  draft->dataset->scale = (sl_real) 1 / 255;
  draft->dataset->offset = 0;
  draft->dataset->classes = text->classes;
  snprintf (draft->dataset->facts, sizeof draft->dataset->facts, "letters=%u", window);
  for (size_t e = 0; e < n; e++)
    {
      write_example (draft->bytes + e * features, window, text->classes, text->bytes,
                     e + window - 1);
      draft->label[e] = text->label[e + window - 1];
    }
  status = sl_draft_titles (draft, text->class_title, text->classes);
  return sl_ok (&status) ? sl_split_sizes (&splitting, source->id, n, draft->dataset->n) : status;
}

static SlStatus
open_letters (const SlSource *source, const SlSettings *settings, const SlSourceFiles *files,
              SlDataset **dataset)
{
  SlDraft    draft = { 0 };
  SlDataset *text = NULL;
  SlStatus   status = open_text (source, settings, files, &text);

  *dataset = NULL;
  if (sl_ok (&status))
    status = cut_windows (source, settings, text, &draft);
  sl_dataset_free (text);
  return sl_draft_deliver (&draft, status, source->title, dataset);
}

static const SlParam params[] = {
  SL_OPTION ("letters", "Letters", "", "Letters to predict, in all splits together.", "",
             .kind = SL_INTEGER, .lo = 1000, .hi = EXAMPLES, .step = 1000, .fallback = 40000,
             .logarithmic = true),
  SL_OPTION ("window", "Window", "letters",
             "Letters that each is predicted from, the newest first.", "", .kind = SL_INTEGER,
             .lo = 1, .hi = SL_NGRAMS_CONTEXT, .step = 1, .fallback = 2),
  SL_OPTION_VALID,
  SL_OPTION_TEST,
  SL_OPTION_SEED_OF ("Seed of the made-up sentences; it does not change a file."),
};

/* clang-format off */
static const SlFileOption files[] = {
  { .id = "file", .title = "Text", .patterns = "*.txt *.gz",
    .help = "A text in UTF-8, raw or compressed; letters a to z and spaces count. Default: "
            "made-up sentences." },
};

const SlSource sl_source_letters = {
  .id = "letters",
  .title = "Letters of a text",
  .help = "The next letter from the few before it, each as five bits, is one of 27. The end of "
          "the text is for validation and test.",
  .yields = SL_NEEDS_LABELS,
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .files = files,
  .n_files = sizeof files / sizeof *files,
  .open = open_letters,
};
/* clang-format on */
