/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/data/routing/logs/heading.h"
#include "core/data/routing/logs/lines.h"
#include "core/data/routing/logs/scan.h"
#include "core/data/routing/logs/text.h"
#include "core/data/text/text.h"

typedef struct
{
  SlRoutingDraft *draft;
  SlLines         lines;
  SlHeading       heading;
  bool            headed; /* the heading, or a first line of a table without one, was read */
  char           *cell[SL_TABLE_CELLS];
  char            title[SL_TABLE_CELLS][40]; /* PAIRS: of columns without a known name, else "" */
  unsigned        n;
  int64_t         last[SL_ROUTING_LAYERS]; /* token of each layer's last row */
  unsigned        have[SL_ROUTING_LAYERS]; /* LONG: experts of it */
} Reader;

static SlStatus
refuse (const Reader *r, SlMessage found, SlMessage expected)
{
  return sl_status_at (SL_EFORMAT, sl_bytes_path (r->lines.bytes), SL_LINE, r->lines.number, found,
                       expected);
}

static SlMessage
quote (const char *cell)
{
  char shown[64];

  return sl_message_verbatim (sl_text_quote (cell, strlen (cell), shown, sizeof shown));
}

static SlStatus
refuse_cell (const Reader *r, const char *cell)
{
  return refuse (r, quote (cell), sl_message ("a whole number"));
}

static SlStatus
read_whole (const Reader *r, int column, int64_t *whole)
{
  SlScan scan = { r->cell[column] };

  return sl_scan_whole (&scan, whole) && sl_scan_end (&scan) ? SL_SUCCESS
                                                             : refuse_cell (r, r->cell[column]);
}

/* The layer of the row, and which of the draft's it is. */
static SlStatus
read_layer (Reader *r, unsigned *index)
{
  int64_t              number;
  SlRoutingDraftLayer *layer;
  SlStatus             status = read_whole (r, r->heading.layer, &number);

  if (sl_ok (&status) && (number < 0 || number > INT32_MAX))
    return refuse_cell (r, r->cell[r->heading.layer]);
  if (sl_ok (&status))
    status = sl_routing_draft_layer (r->draft, (int) number, -1, &layer);
  if (sl_ok (&status))
    *index = (unsigned) (layer - r->draft->layer);
  return status;
}

static bool
is_decoding (const char *phase)
{
  static const char *const words[] = { "decode", "generate", "gen", "tg", "1" };

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasecmp (words[i], phase) == 0)
      return true;
  return false;
}

/* Appends a token of the row's layer; a pass begins where its number does not rise. */
static SlStatus
put_token (Reader *r, unsigned index, const int64_t *ids, unsigned k)
{
  SlRoutingDraftLayer *layer = &r->draft->layer[index];
  int64_t              token = 0;
  bool                 begins = false;
  SlStatus             status = SL_SUCCESS;

  if (r->heading.token >= 0)
    {
      status = read_whole (r, r->heading.token, &token);
      begins = layer->tokens > 0 && token <= r->last[index];
    }
  r->last[index] = token;
  if (sl_ok (&status))
    status = sl_routing_draft_token (r->draft, layer, ids, NULL, k, begins);
  if (sl_ok (&status) && r->draft->decode)
    layer->decode[layer->tokens - 1] = is_decoding (r->cell[r->heading.phase]);
  return status;
}

static SlStatus
put_wide (Reader *r, unsigned index)
{
  int64_t  ids[SL_ROUTING_SLOTS];
  unsigned k = 0;
  SlStatus status = SL_SUCCESS;

  for (unsigned i = 0; i < r->heading.n_wide && sl_ok (&status); i++)
    if (r->cell[r->heading.wide[i]][0] != '\0')
      status = read_whole (r, (int) r->heading.wide[i], &ids[k++]);
  return sl_ok (&status) ? put_token (r, index, ids, k) : status;
}

static SlStatus
put_list (Reader *r, unsigned index)
{
  int64_t  ids[SL_ROUTING_SLOTS];
  SlScan   scan = { r->cell[r->heading.list] };
  unsigned k = 0;

  while (!sl_scan_end (&scan))
    if (k == SL_ROUTING_SLOTS || !sl_scan_whole (&scan, &ids[k++]))
      return refuse (
        r, quote (r->cell[r->heading.list]),
        sl_message ("at most %d expert numbers with blanks between", SL_ROUTING_SLOTS));
  return put_token (r, index, ids, k);
}

/* One more expert of the layer's last token. */
static SlStatus
add_expert (Reader *r, unsigned index, int64_t expert)
{
  SlRoutingDraftLayer *layer = &r->draft->layer[index];
  SlStatus             status = SL_SUCCESS;

  if (layer->tokens == 0 || expert < -1 || expert > SL_RAW_TOP)
    return refuse (r, sl_message ("expert %lld", (long long) expert),
                   layer->tokens == 0 ? sl_message ("slot 0 of a token first")
                                      : sl_message ("the number of an expert"));
  if (r->have[index] == r->draft->k)
    status = sl_routing_draft_slots (r->draft, r->draft->k + 1);
  if (sl_ok (&status))
    layer->ids[(layer->tokens - 1) * r->draft->k + r->have[index]++]
      = expert < 0 ? SL_RAW_NONE : (uint16_t) expert;
  return status;
}

static SlStatus
put_long (Reader *r, unsigned index)
{
  int64_t  expert, slot = 0;
  SlStatus status = read_whole (r, r->heading.expert, &expert);

  if (sl_ok (&status))
    status = read_whole (r, r->heading.slot, &slot);
  if (!sl_ok (&status))
    return status;
  if (slot != 0)
    return add_expert (r, index, expert);
  r->have[index] = 1;
  return put_token (r, index, &expert, 1);
}

/* A further column of numbers says how often or how much, and a row is not one routing then. */
static SlStatus
check_further (const Reader *r)
{
  for (unsigned i = 0; i < r->n; i++)
    {
      SlScan scan = { r->cell[i] };
      float  number;

      if (r->title[i][0] != '\0' && sl_scan_real (&scan, &number) && sl_scan_end (&scan))
        return refuse (
          r, sl_message ("a further column of numbers, %s", r->title[i]),
          sl_message ("layer and expert alone, a row for each routing; counts as a .npy of "
                      "rows × layers × experts, with as=counts"));
    }
  return SL_SUCCESS;
}

/* Keeps the names of columns that are neither layer nor expert, token, slot or phase; one without a name has the row
 * numbers of pandas.  */
static void
name_further (Reader *r)
{
  const SlHeading *heading = &r->heading;

  for (unsigned i = 0; i < r->n; i++)
    {
      int column = (int) i;

      if (column != heading->layer && column != heading->expert && column != heading->token
          && column != heading->slot && column != heading->phase && r->cell[i][0] != '\0')
        sl_text_quote (r->cell[i], strlen (r->cell[i]), r->title[i], sizeof r->title[i]);
    }
}

static SlStatus
put_pair (Reader *r, unsigned index)
{
  int64_t  expert;
  SlStatus status = check_further (r);

  if (sl_ok (&status))
    status = read_whole (r, r->heading.expert, &expert);
  return sl_ok (&status)
           ? sl_routing_draft_token (r->draft, &r->draft->layer[index], &expert, NULL, 1, false)
           : status;
}

static SlStatus
put_row (Reader *r)
{
  unsigned index = 0;
  SlStatus status;

  if (r->n != r->heading.n)
    return refuse (r, sl_message ("%u cells", r->n), sl_message ("%u", r->heading.n));
  status = read_layer (r, &index);
  if (!sl_ok (&status))
    return status;
  switch (r->heading.kind)
    {
    case SL_TABLE_WIDE: return put_wide (r, index);
    case SL_TABLE_LIST: return put_list (r, index);
    case SL_TABLE_LONG: return put_long (r, index);
    default: return put_pair (r, index);
    }
}

/* "# name=value …": how many experts there are. */
static SlStatus
read_meta (Reader *r, const char *line)
{
  static const char *const names[] = { "n_expert=", "num_experts=" };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      const char *at = strstr (line, names[i]);
      long        n = at != NULL ? strtol (at + strlen (names[i]), NULL, 10) : 0;

      if (n < 0 || n > SL_ROUTING_EXPERTS)
        return refuse (r, sl_message ("%ld experts", n),
                       sl_message ("at most %d", SL_ROUTING_EXPERTS));
      if (n > 0)
        r->draft->experts = (unsigned) n;
    }
  return SL_SUCCESS;
}

static SlStatus
settle_heading (Reader *r, SlHeading heading)
{
  if (!sl_heading_whole (&heading))
    return refuse (r, sl_message ("a heading without a column of experts"),
                   sl_message ("expert, expert_ids or e0, e1, …"));
  if (heading.n_wide > SL_ROUTING_SLOTS)
    return sl_routing_draft_slots (r->draft, heading.n_wide);
  r->heading = heading;
  r->headed = true;
  if (heading.kind == SL_TABLE_PAIRS)
    name_further (r);
  r->draft->ranked = heading.kind == SL_TABLE_LONG;
  r->draft->decode = heading.phase >= 0 && heading.kind != SL_TABLE_PAIRS;
  return SL_SUCCESS;
}

/* The first line that is no note. */
static SlStatus
begin_table (Reader *r)
{
  SlStatus status;

  if (r->n != 2)
    return refuse (r, sl_message ("no heading with a column of layers"),
                   sl_message ("layer and experts, or two columns"));
  status = settle_heading (r, sl_heading_of_pairs ());
  return sl_ok (&status) ? put_row (r) : status;
}

static SlStatus
put_line (Reader *r, char *line)
{
  bool      note = line[strspn (line, " \t")] == '#';
  SlHeading heading;
  SlStatus  status = note ? read_meta (r, line) : SL_SUCCESS;

  if (!sl_ok (&status) || (note && r->headed))
    return status;
  r->n = sl_table_cut (line + (note ? strspn (line, "# \t") : 0), r->cell);
  if (r->n > SL_TABLE_CELLS)
    return refuse (r, sl_message ("more than %d cells", SL_TABLE_CELLS),
                   sl_message ("at most %d", SL_TABLE_CELLS));
  if (r->headed)
    return put_row (r);
  if (sl_heading_read (&heading, r->cell, r->n))
    return settle_heading (r, heading);
  return note ? SL_SUCCESS : begin_table (r);
}

/* Every `k` routings of a layer are a token. */
static SlStatus
fold_pairs (SlRoutingDraft *draft, unsigned k)
{
  if (k > SL_ROUTING_SLOTS)
    return sl_routing_draft_slots (draft, k);
  for (unsigned l = 0; l < draft->n_layers; l++)
    {
      SlRoutingDraftLayer *layer = &draft->layer[l];

      if (layer->tokens % k != 0)
        return sl_status_new (SL_EFORMAT, draft->path,
                              sl_message ("layer %d: %zu rows", layer->number, layer->tokens),
                              sl_message ("a multiple of %u (k=)", k));
      layer->tokens /= k;
      layer->room /= k;
      layer->pass[0] = (uint32_t) layer->tokens;
    }
  draft->k = k;
  return SL_SUCCESS;
}

static unsigned
largest (const SlRoutingDraft *draft)
{
  unsigned most = 0;

  for (unsigned l = 0; l < draft->n_layers; l++)
    for (size_t t = 0; t < draft->layer[l].tokens; t++)
      {
        unsigned id = draft->layer[l].ids[t];

        most = id != SL_RAW_NONE && id > most ? id : most;
      }
  return most;
}

/* Makes counts of a table without tokens, in which only loads are known. */
static SlStatus
count_pairs (SlRoutingDraft *draft)
{
  unsigned n = largest (draft) + 1, said = draft->options.experts;
  SlStatus status;

  draft->kind = SL_ROUTING_COUNTS;
  draft->rows = 1;
  draft->experts_from = said > 0             ? SL_ROUTING_SAID
                        : draft->experts > 0 ? SL_ROUTING_FILE
                                             : SL_ROUTING_LARGEST;
  draft->experts = said > 0 ? said : draft->experts > 0 ? draft->experts : n;
  if (n > draft->experts || draft->experts > SL_ROUTING_EXPERTS)
    return sl_status_new (SL_EFORMAT, draft->path, sl_message ("expert %u", n - 1),
                          sl_message ("one of 0 to %u", draft->experts - 1));
  status = sl_routing_draft_counts (draft);
  for (unsigned l = 0; l < draft->n_layers && sl_ok (&status); l++)
    for (size_t t = 0; t < draft->layer[l].tokens; t++)
      if (draft->layer[l].ids[t] != SL_RAW_NONE)
        draft->layer[l].counts[draft->layer[l].ids[t]]++;
  for (unsigned l = 0; l < draft->n_layers; l++)
    draft->layer[l].tokens = draft->layer[l].n_passes = 0;
  sl_routing_draft_note (
    draft, sl_message ("rows are routings: tokens are not known, so only loads are shown"));
  return status;
}

static SlStatus
finish (Reader *r)
{
  SlRoutingDraft *draft = r->draft;

  if (draft->n_layers == 0)
    return sl_status_new (SL_EFORMAT, draft->path, sl_message ("no rows of routing"),
                          sl_message ("a heading with a column of layers, and rows"));
  sl_routing_draft_sort (draft);
  if (r->heading.kind != SL_TABLE_PAIRS)
    return SL_SUCCESS;
  return draft->options.k > 0 ? fold_pairs (draft, draft->options.k) : count_pairs (draft);
}

static SlStatus
read_lines (Reader *r)
{
  char    *line;
  size_t   n;
  SlStatus status = SL_SUCCESS;

  while (sl_ok (&status))
    {
      status = sl_lines_next (&r->lines, &line, &n);
      if (!sl_ok (&status) || line == NULL)
        break;
      if (r->lines.number == 1 && n >= 3 && memcmp (line, "\xef\xbb\xbf", 3) == 0)
        line += 3;
      if (line[strspn (line, " \t\r")] == '\0')
        continue;
      status = put_line (r, line);
      if (!sl_ok (&status) && status.code == SL_EFORMAT && !r->lines.complete && r->lines.number > 1
          && r->draft->n_layers > 0)
        {
          if (r->draft->layer[r->draft->n_layers - 1].tokens == 0)
            sl_routing_draft_drop (r->draft);
          sl_routing_draft_note (r->draft, sl_message ("the last line is cut off: left out"));
          return SL_SUCCESS;
        }
    }
  return status;
}

SlStatus
sl_routing_read_table (SlRoutingDraft *draft, const char *path)
{
  Reader  *r = calloc (1, sizeof *r);
  SlStatus status;

  if (r == NULL)
    return sl_status_no_memory (path);
  r->draft = draft;
  status = sl_lines_open (&r->lines, path);
  if (sl_ok (&status))
    status = read_lines (r);
  if (sl_ok (&status))
    status = finish (r);
  sl_lines_close (&r->lines);
  free (r);
  return status;
}

/* Whether a copy of a line is a heading that says where tokens went; *data: it is no note either. */
static bool
is_heading (const char *line, size_t n, bool *data)
{
  char     *copy = strndup (line, n), *cell[SL_TABLE_CELLS];
  size_t    skip = copy != NULL ? strspn (copy, "# \t\r") : 0;
  SlHeading heading;
  unsigned  cells;
  bool      likely;

  *data = strchr ("#\n", line[strspn (line, " \t\r")]) == NULL;
  if (copy == NULL)
    return false;
  cells = sl_table_cut (copy + skip, cell);
  likely = cells <= SL_TABLE_CELLS && sl_heading_read (&heading, cell, cells)
           && sl_heading_whole (&heading);
  free (copy);
  return likely;
}

bool
sl_routing_table_likely (const char *head)
{
  bool data = false;

  while (*head != '\0' && !data)
    {
      size_t n = strcspn (head, "\n");

      if (is_heading (head, n, &data))
        return true;
      head += n + (head[n] == '\n');
    }
  return false;
}
