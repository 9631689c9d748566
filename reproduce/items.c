/* SPDX-License-Identifier: MIT
 *
 * Chapters 3 and 4 of Davis 2016 table by table and figure by figure: what came out here, by which command,
 * and why not where nothing did.  */
#include "reproduce/reproduce.h"

typedef enum {
  NUMBER,       /* the published value, or a speed above it */
  SHAPE,        /* its order or course */
  DIFFERS,      /* another course */
  BEYOND,       /* needs data or a size that are not available here */
  UNSEEN,       /* can be made, and was not run to its end */
  ILLUSTRATION, /* nothing to compare: drawn in the window */
  LEFT_OUT,     /* neither */
} Verdict;

static const char *const verdicts[] = {
  [NUMBER] = "number",
  [SHAPE] = "shape",
  [DIFFERS] = "differs",
  [BEYOND] = "not at this scale",
  [UNSEEN] = "not run to its end",
  [ILLUSTRATION] = "illustration",
  [LEFT_OUT] = "not made",
};

typedef struct
{
  const char         *name, *about;
  Verdict             verdict;
  const SlPaperTable *table; /* that makes it; or NULL */
  const char         *how;   /* or why not */
} Item;

#define CURVES(name, kind, s)                                                                      \
  {                                                                                                \
    "figure " name, "bits per letter as they train, " kind ", s = " s, SHAPE, &sl_table_davis_a,   \
      "order along s in all families"                                                              \
  }

/* clang-format off */
static const Item items[] = {
  { "table 3.1", "settings of chapter 3", LEFT_OUT, NULL, "settings, not results; a preset has those of MNIST" },
  { "table 3.2", "test errors on SVHN", BEYOND, &sl_table_davis_32, "SVHN is not part of Sluice; on 4000 pictures of CIFAR-10 the ranks cannot be told apart" },
  { "table 3.3", "test errors on MNIST", SHAPE, &sl_table_davis_33,
    "order of all five rows, the distances between them larger" },
  { "figure 3.1", "an estimator gating a layer", ILLUSTRATION, NULL, "panel \"Estimate and layers\"" },
  { "figure 3.2", "gating errors between refreshes", SHAPE, NULL, "panels of agreement and drift" },
  { "figure 3.3", "errors against rank", SHAPE, NULL, "panel of errors against rank" },
  { "figure 3.4", "validation errors on SVHN", BEYOND, &sl_table_davis_32, "its figure, on CIFAR-10" },
  { "figure 3.5", "a coarse and a fine estimator on SVHN", BEYOND, &sl_table_davis_32, "25-25-25-25 beside the others in the same figure" },
  { "figure 3.6", "validation errors on MNIST", DIFFERS, &sl_table_davis_33, "order of the curves; 10-10-5 does not get worse again" },
  { "table 4.1", "settings of the block-sparse models", LEFT_OUT, NULL, "settings, not results; all can be chosen" },
  { "table 4.2", "speed of blocks", NUMBER, &sl_table_davis_42, "all twelve cells are faster" },
  { "table 4.3", "settings of the unstructured models", LEFT_OUT, NULL, "settings, not results; all can be chosen" },
  { "table 4.4", "speed unit by unit", NUMBER, &sl_table_davis_44, "all twelve cells are faster" },
  { "figure 4.1", "reset gate outside or inside", SHAPE, &sl_table_davis_a, "no difference" },
  { "figure 4.2", "the clipped tanh", ILLUSTRATION, NULL, "drawn in the lab Gated recurrence" },
  { "figure 4.3", "sparsity unit by unit and in blocks", ILLUSTRATION, NULL, "panel of gates over a text, with gates of the run" },
  { "figure 4.4", "products of blocks as several products", LEFT_OUT, NULL, "no picture of it; this is how blocks are computed" },
  { "section 4.5.2", "bits per letter of 64/16", BEYOND, &sl_table_davis_45, "the order along s, at another size on another text" },
  { "figure A.1", "listing: unit by unit", LEFT_OUT, NULL, "a listing; ours are kernels in C" },
  { "figure A.2", "listing: product with a vector", LEFT_OUT, NULL, "a listing; ours are kernels in C" },
  { "figure A.3", "listing: products of blocks", LEFT_OUT, NULL, "a listing; ours are kernels in C" },
  CURVES ("A.4", "blocks", "0"),
  CURVES ("A.5", "blocks", "-0.25"),
  CURVES ("A.6", "blocks", "-0.5"),
  CURVES ("A.7", "blocks", "-0.75"),
  CURVES ("A.8", "unit by unit", "0"),
  CURVES ("A.9", "unit by unit", "-0.25"),
  CURVES ("A.10", "unit by unit", "-0.5"),
  CURVES ("A.11", "unit by unit", "-0.75"),
};
/* clang-format on */

void
sl_items_print (bool markdown, FILE *stream)
{
  if (markdown)
    fputs ("| Davis 2016 | About | Here | Made by | How, or why not |\n"
           "| --- | --- | --- | --- | --- |\n",
           stream);
  else
    fputs ("\nDavis 2016, chapters 3 and 4 and appendix:\n", stream);
  for (size_t i = 0; i < G_N_ELEMENTS (items); i++)
    {
      const Item *item = &items[i];
      const char *table = item->table != NULL ? item->table->id : "";

      if (markdown)
        fprintf (stream, "| %s | %s | %s | %s | %s |\n", item->name, item->about,
                 verdicts[item->verdict], table, item->how);
      else
        fprintf (stream, "%-14s %s: %s%s%s%s; %s\n", item->name, item->about,
                 verdicts[item->verdict], table[0] != '\0' ? " (" : "", table,
                 table[0] != '\0' ? ")" : "", item->how);
    }
}
