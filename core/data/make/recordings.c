/* SPDX-License-Identifier: MIT
 *
 * The source "recordings": routing that a real model wrote down, and perhaps a second recording to
 * compare it with.  */
#include <string.h>

#include "core/data/make/recordings.h"
#include "core/data/read/recording/open.h"
#include "core/data/routing/dataset.h"
#include "core/data/source/options.h"
#include "core/data/source/sources.h"

enum { A_FILE, B_FILE, MODEL };

/* In the order of SlRoutingAs, and then other words for the last two. */
static const SlChoice meanings[] = { { "auto", "Automatic" },
                                     { "ids", "Expert numbers" },
                                     { "counts", "Counts" },
                                     { "scores", "Scores" },
                                     { "loads", "Loads" },
                                     { "logits", "Router logits" },
                                     { 0 } };

/* How the axes of an array lie; the ids are what is said of it. */
static const SlChoice orders[] = { { "auto", "Automatic" },
                                   { "tk", "Tokens" },
                                   { "tlk", "Tokens, layers" },
                                   { "ltk", "Layers, tokens" },
                                   { "lbtk", "Layers, sequences, tokens" },
                                   { "btlk", "Sequences, tokens, layers" },
                                   { "tn", "Tokens, experts" },
                                   { "tln", "Tokens, layers, experts" },
                                   { "ltn", "Layers, tokens, experts" },
                                   { "lbtn", "Layers, sequences, tokens, experts" },
                                   { "btln", "Sequences, tokens, layers, experts" },
                                   { "ln", "Loads of layers" },
                                   { "rln", "Rows of loads of layers" },
                                   { "lrn", "Layers with rows of loads" },
                                   { 0 } };

static const SlParam params[] = {
  SL_OPTION ("experts", "Experts", "",
             "Experts of a layer. 0: as in the file, or the largest number + 1. Numbers beyond "
             "are experts that compute nothing.",
             "", .kind = SL_INTEGER, .lo = 0, .hi = SL_ROUTING_EXPERTS, .step = 1, .fallback = 0),
  SL_OPTION ("k", "Experts per token", "",
             "Experts of a token, for files with only scores or loads. 0: as recorded.", "",
             .kind = SL_INTEGER, .lo = 0, .hi = SL_ROUTING_SLOTS, .step = 1, .fallback = 0),
  SL_OPTION ("as", "Meaning", "", "Numbers of an array without a name.", "", .kind = SL_CHOICE,
             .fallback = SL_ROUTING_AS_AUTO, .choices = meanings),
  SL_OPTION ("from", "First token", "", "Tokens, or rows of counts, left out at the beginning.", "",
             .kind = SL_INTEGER, .lo = 0, .hi = 4e9, .step = 256, .fallback = 0),
  SL_OPTION ("most", "Most tokens", "", "Tokens, or rows of counts, taken from there; 0: all.", "",
             .kind = SL_INTEGER, .lo = 0, .hi = 4e9, .step = 256, .fallback = 0),
  SL_OPTION ("decode", "Decoding passes", "tokens",
             "Passes of at most so many tokens are decoding. 0: as in the file.", "",
             .kind = SL_INTEGER, .lo = 0, .hi = 4e9, .step = 1, .fallback = 0),
  SL_OPTION ("axes", "Axes", "", "The order of an array's axes.", "", .kind = SL_CHOICE,
             .choices = orders),
  SL_OPTION ("layers", "Layers", "", "Layers of numbers without a shape. 0: as in the file.", "",
             .kind = SL_INTEGER, .lo = 0, .hi = SL_ROUTING_LAYERS, .step = 1, .fallback = 0),
  SL_OPTIONS_TABLE,
};

#define PATTERNS                                                                                   \
  "*.npy *.npz *.safetensors *.gguf *.pt *.pth *.bin *.json *.jsonl *.csv *.tsv *.gz *.tfevents.*"

/* clang-format off */
static const SlFileOption files[] = {
  [A_FILE] = {
    .id = "a-file", .title = "Recording", .patterns = PATTERNS,
    .help = "Expert numbers, router logits or loads as arrays, JSON, a table, answers of a "
            "server or a trainer's log. Default: a made-up router.",
  },
  [B_FILE] = {
    .id = "b-file", .title = "To compare", .patterns = PATTERNS,
    .help = "A second recording to compare. The options are for both.",
  },
  [MODEL] = {
    .id = "model", .title = "Model", .patterns = "*.json",
    .help = "The model's tokenizer.json (words of tokens) or config.json (size of an expert), or "
            "their folder. Default: those beside the recording.",
  },
};
/* clang-format on */

SlRoutingOptions
sl_recordings_options (const SlSettings *settings)
{
  const SlSource  *source = &sl_source_recordings;
  unsigned         as = (unsigned) sl_source_option (source, settings, "as");
  unsigned         order = (unsigned) sl_source_option (source, settings, "axes");
  SlRoutingOptions options = {
    .experts = (unsigned) sl_source_option (source, settings, "experts"),
    .k = (unsigned) sl_source_option (source, settings, "k"),
    .as = as <= SL_ROUTING_AS_SCORES
            ? (SlRoutingAs) as
            : (SlRoutingAs) (as - SL_ROUTING_AS_SCORES + SL_ROUTING_AS_IDS),
    .layers = (unsigned) sl_source_option (source, settings, "layers"),
    .form = sl_source_table_form (source->params, source->n_params, settings),
    .from = (size_t) sl_source_option (source, settings, "from"),
    .most = (size_t) sl_source_option (source, settings, "most"),
    .decode = (size_t) sl_source_option (source, settings, "decode"),
  };

  if (order > 0)
    strcpy (options.axes, orders[order].id);
  return options;
}

static SlStatus
open_made (SlDataset **dataset)
{
  SlSettings settings;

  sl_settings_default (&settings, sl_source_router.params, sl_source_router.n_params);
  return sl_source_router.open (&sl_source_router, &settings, NULL, dataset);
}

static SlStatus
open_recordings (const SlSource *source, const SlSettings *settings, const SlSourceFiles *chosen,
                 SlDataset **dataset)
{
  SlRoutingOptions options = sl_recordings_options (settings);
  SlRouting       *routing, *other = NULL;
  SlStatus         status;

  if (chosen->path[A_FILE][0] == '\0')
    return open_made (dataset);
  options.model = chosen->path[MODEL];
  status = sl_routing_open (chosen->path[A_FILE], &options, &routing);
  if (sl_ok (&status) && chosen->path[B_FILE][0] != '\0')
    status = sl_routing_open (chosen->path[B_FILE], &options, &other);
  if (sl_ok (&status))
    return sl_dataset_of_routing (routing, other, routing->name, dataset);
  sl_routing_free (routing);
  return status;
}

const SlSource sl_source_recordings = {
  .id = "recordings",
  .title = "Recorded routing",
  .help = "Which experts the tokens of a real model went to, from a file of a trainer or server; "
          "optionally two to compare.",
  .yields = SL_NEEDS_ROUTING,
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .files = files,
  .n_files = sizeof files / sizeof *files,
  .open = open_recordings,
};
