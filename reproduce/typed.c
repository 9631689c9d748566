/* SPDX-License-Identifier: MIT
 *
 * What was typed, and whether it can be done; see typed.h.  */
#include "reproduce/typed.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

bool
sl_typed_seeds (const SlTyped *typed, uint64_t *first, unsigned *seeds)
{
  const char      *last = typed->seeds != NULL ? strchr (typed->seeds, '-') : NULL;
  g_autofree char *from
    = last != NULL ? g_strndup (typed->seeds, (gsize) (last - typed->seeds)) : NULL;
  guint64 begins = 1, ends;

  if (typed->seeds == NULL)
    return true;
  if (from != NULL && !g_ascii_string_to_unsigned (from, 10, 1, G_MAXINT32, &begins, NULL))
    return false;
  if (!g_ascii_string_to_unsigned (last != NULL ? last + 1 : typed->seeds, 10, begins,
                                   begins + SL_TABLE_SEEDS - 1, &ends, NULL))
    return false;
  *first = begins;
  *seeds = (unsigned) (ends - begins + 1);
  return true;
}

static SlExit
check_options (const SlTyped *typed)
{
  int format = typed->figure != NULL ? (int) sl_export_format_for (typed->figure) : SL_EXPORT_SVG;
  uint64_t first;
  unsigned seeds;

  if (!sl_typed_seeds (typed, &first, &seeds))
    sl_cli_report ("--seeds takes 1 to %d, or a range of seeds, as 6-10", SL_TABLE_SEEDS);
  else if (typed->json && typed->markdown)
    sl_cli_report ("only one of %s at a time", "--json, --markdown");
  else if (format < 0)
    sl_cli_report ("\"%s\" should end in %s", typed->figure, ".svg, .png, .pdf, .tikz, .py, .csv");
  else if (sl_looks_check (&typed->looks, 1, (SlExportFormat) format))
    return SL_EXIT_FINE;
  return SL_EXIT_USAGE;
}

/* Whether a file (or NULL) can be made where it is to be. */
static SlExit
check_place (const char *path)
{
  g_autofree char *folder = path != NULL ? g_path_get_dirname (path) : NULL;

  if (folder == NULL || access (folder, W_OK | X_OK) == 0)
    return SL_EXIT_FINE;
  sl_cli_report ("%s cannot be written: %s: %s", path, folder, g_strerror (errno));
  return SL_EXIT_FAILED;
}

/* Data on the command line are of a table that was chosen. */
static SlExit
check_data (const SlTyped *typed, const GPtrArray *found)
{
  static const char *const option[] = { "", "--data", "--text", "--faces", "--cifar" };

  for (int needs = 0; needs < SL_N_TABLE_NEEDS; needs++)
    {
      bool needed = typed->data[needs] == NULL;

      for (guint t = 0; t < found->len && !needed; t++)
        needed = ((const SlPaperTable *) found->pdata[t])->needs == (SlTableNeeds) needs;
      if (!needed)
        {
          sl_cli_report ("%s: none of these tables needs it", option[needs]);
          return SL_EXIT_USAGE;
        }
    }
  return SL_EXIT_FINE;
}

SlExit
sl_typed_check (const SlTyped *typed, const GPtrArray *found)
{
  SlExit code = check_options (typed);

  if (code == SL_EXIT_FINE)
    code = check_data (typed, found);
  if (code == SL_EXIT_FINE)
    code = check_place (typed->figure);
  if (code == SL_EXIT_FINE)
    code = check_place (typed->report);
  return code;
}

void
sl_typed_clear (SlTyped *typed)
{
  for (int needs = 0; needs < SL_N_TABLE_NEEDS; needs++)
    g_free (typed->data[needs]);
  g_free (typed->seeds);
  g_free (typed->figure);
  g_free (typed->store);
  g_free (typed->report);
  sl_looks_clear (&typed->looks);
}
