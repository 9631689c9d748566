/* SPDX-License-Identifier: MIT
 *
 * See plot-pictures.h.  */
#include "app/cli/show/plot-pictures.h"

#include "core/run/store/picture.h"
#include "core/run/sweep/row.h"

/* Values alone, "gram, 5": there is little room below a picture. */
static char *
name_of (const SlTrade *trade, const SlTradeRun *run)
{
  const SlTradePoint *point = &g_array_index (trade->points, SlTradePoint, run->point);
  g_autofree char    *values
    = sl_tradeoff_text (trade->lab, &run->settings, trade->varies, trade->n_varies, false);
  GString *name = g_string_new (values);

  if (trade->data_varies)
    g_string_append_printf (name, "%s%s", name->len > 0 ? ", " : "", run->data);
  if (point->n + point->diverged > 1)
    g_string_append_printf (name, "%sseed %" G_GUINT64_FORMAT, name->len > 0 ? ", " : "",
                            (guint64) run->seed);
  return g_string_free (name, FALSE);
}

static SlExit
add (SlStore *store, const SlTrade *trade, const SlTradeRun *run, SlGallery *gallery)
{
  GError *error = NULL;
  g_autoptr (GBytes) png = sl_store_picture (store, run->id, &error);
  g_autofree char *name = NULL;
  SlBitmap         bitmap;
  SlStatus         status;

  if (error != NULL)
    return sl_cli_fail_error (error);
  if (png == NULL)
    return SL_EXIT_FINE;
  name = name_of (trade, run);
  status = sl_bitmap_decode (g_bytes_get_data (png, NULL), g_bytes_get_size (png), name, &bitmap);
  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  status = sl_gallery_add (gallery, name, &bitmap);
  sl_bitmap_clear (&bitmap);
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}

void
sl_plot_pictures_note (const SlTrade *trade, char *note, size_t size)
{
  GString *words = g_string_new (NULL);

  for (unsigned i = 0; i < trade->n_varies; i++)
    g_string_append_printf (words, "%s%s", i > 0 ? ", " : "Below each picture: ",
                            trade->lab->params[trade->varies[i]].title);
  g_strlcpy (note, words->str, size);
  g_string_free (words, TRUE);
}

SlExit
sl_plot_pictures (SlStore *store, const SlTrade *trade, SlGallery *gallery)
{
  g_autofree const SlSettings **settings = g_new (const SlSettings *, trade->runs->len);
  SlExit                        code = SL_EXIT_FINE;

  for (guint i = 0; i < trade->runs->len && code == SL_EXIT_FINE; i++)
    {
      const SlTradeRun *run = &g_array_index (trade->runs, SlTradeRun, i);

      settings[gallery->n] = &run->settings;
      code = add (store, trade, run, gallery);
    }
  if (code != SL_EXIT_FINE)
    return code;
  if (gallery->n == 0)
    {
      sl_cli_report ("none of these runs has a picture: they are kept by sweeps with --store");
      return SL_EXIT_FAILED;
    }
  gallery->across = sl_sweep_row (trade->lab, settings, gallery->n);
  return SL_EXIT_FINE;
}
