/* SPDX-License-Identifier: MIT
 *
 * Small text is read: its contrast on the grounds of the window, light and dark; and icons grow with the type.  */
#include <math.h>

#include "plot/base/tint.h"
#include "tests/ui/fixture.h"
#include "ui/kit/type-size.h"

/* ---- contrast ---- */

typedef struct
{
  const char *ground, *text, *more; /* style classes */
} Sample;

static const Sample samples[] = {
  { "background", "dim-label", NULL },      { "view", "dim-label", NULL },
  { "lesson-bar", "dim-label", "caption" }, { "plot-card", "dim-label", "caption" },
  { "plot-card", "glance-words", NULL },    { "background", "status-line", NULL },
  { "sidebar-content", "dim-label", NULL }, { "background", "lesson-wrong", NULL },
  { "background", "error", NULL },          { "background", "dim-label", "form-heading" },
};

static SlRgba
colour_at (const guchar *pixel)
{
  return (SlRgba) { pixel[2] / 255.0F, pixel[1] / 255.0F, pixel[0] / 255.0F, 1.0F };
}

/* Of a block as high as a line against the ground around it. */
static double
contrast_of (GtkWidget *box)
{
  int                width, height;
  g_autofree guchar *pixels = sl_draw (box, &width, &height);
  SlRgba             ground = colour_at (pixels + 4 * (width * 15 + 15));
  double             most = 1.0;

  for (int i = 0; i < width * height; i++)
    if (pixels[4 * i + 3] == 255)
      most = fmax (most, sl_contrast (colour_at (pixels + 4 * i), ground));
  return most;
}

static double
contrast_in (const Sample *sample)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *label = gtk_label_new ("\u2588\u2588\u2588");
  GtkWindow *window;
  double     contrast;

  gtk_widget_add_css_class (box, sample->ground);
  gtk_widget_add_css_class (label, sample->text);
  if (sample->more != NULL)
    gtk_widget_add_css_class (label, sample->more);
  gtk_widget_set_margin_top (label, 20);
  gtk_widget_set_margin_start (label, 20);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  gtk_widget_set_halign (label, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), label);
  window = sl_show (box, 200, 100);
  sl_settle ();
  contrast = contrast_of (GTK_WIDGET (window));
  gtk_window_destroy (window);
  return contrast;
}

static void
test_contrast (gconstpointer scheme)
{
  g_autoptr (GtkCssProvider) dark = gtk_css_provider_new ();

  gtk_css_provider_load_from_resource (dark, "/org/sluice/Sluice/style-dark.css");
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), GPOINTER_TO_INT (scheme));
  if (adw_style_manager_get_dark (adw_style_manager_get_default ()))
    gtk_style_context_add_provider_for_display (gdk_display_get_default (),
                                                GTK_STYLE_PROVIDER (dark),
                                                GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 1);
  for (unsigned i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      double contrast = contrast_in (&samples[i]);

      g_test_message ("%s on %s: %.2f", samples[i].text, samples[i].ground, contrast);
      g_assert_cmpfloat (contrast, >=, 4.5);
      g_assert_cmpfloat (contrast, <, 21.0);
    }
  gtk_style_context_remove_provider_for_display (gdk_display_get_default (),
                                                 GTK_STYLE_PROVIDER (dark));
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_DEFAULT);
}

/* ---- icons ---- */

static int
height_of (GtkWidget *image)
{
  int least;

  sl_drawn_pixels (image); /* styles are those of a frame */
  gtk_widget_measure (image, GTK_ORIENTATION_VERTICAL, -1, &least, NULL, NULL, NULL);
  return least;
}

static void
test_icons (void)
{
  SlPrefs   *prefs = sl_prefs_new ();
  GtkWidget *image = gtk_image_new_from_icon_name ("open-menu-symbolic");
  GtkWindow *window = sl_show (image, 100, 100);
  int        usual;

  sl_type_size_follow (gdk_display_get_default (), prefs);
  g_object_set (prefs, "type-size", SL_TYPE_USUAL, NULL);
  usual = height_of (image);
  g_object_set (prefs, "type-size", 200, NULL);
  g_assert_cmpint (height_of (image), ==, 2 * usual);
  g_object_set (prefs, "type-size", 60, NULL);
  g_assert_cmpint (height_of (image), ==, usual);
  g_object_set (prefs, "type-size", SL_TYPE_USUAL, NULL);
  gtk_window_destroy (window);
  g_assert_finalize_object (prefs);
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  g_test_add_data_func ("/ui/style/light", GINT_TO_POINTER (ADW_COLOR_SCHEME_FORCE_LIGHT),
                        test_contrast);
  g_test_add_data_func ("/ui/style/dark", GINT_TO_POINTER (ADW_COLOR_SCHEME_FORCE_DARK),
                        test_contrast);
  g_test_add_func ("/ui/style/icons", test_icons);
  return g_test_run ();
}
