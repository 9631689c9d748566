/* SPDX-License-Identifier: MIT */
#include "ui/kit/type-size.h"

#include <adwaita.h>
#include <math.h>

#define PROVIDER "sl-type-size" /* of a display */

/* Text of 10 points at 96 dots per inch, px. */
static const double usual_px = 40.0 / 3.0;

enum { ICON = 16, ICON_PRESENTED = 24 };

static const int sizes[]
  = { SL_TYPE_SMALLEST, 60, 70, 80, 90, SL_TYPE_USUAL, 110, 120, 135, 150, 170, 200, 240,
      SL_TYPE_LARGEST };

/* Icons grow with the type; they do not shrink, because they are also touched.  Before an audience they are larger.  */
static char *
dup_icons (int size)
{
  int grown = MAX (size, SL_TYPE_USUAL);

  return g_strdup_printf (
    "image:not(.icon):not(.large-icons), arrow, check, radio { -gtk-icon-size: %dpx; }\n"
    ".present headerbar image, .present .plot-card button image,\n"
    ".present .param-row button image { -gtk-icon-size: %dpx; }\n",
    ICON * grown / SL_TYPE_USUAL, ICON_PRESENTED * grown / SL_TYPE_USUAL);
}

static void
on_size (SlPrefs *prefs, GParamSpec *spec, GtkCssProvider *provider)
{
  int              size = sl_prefs_get_int (prefs, "type-size");
  g_autofree char *icons = dup_icons (size);
  g_autofree char *css = g_strdup_printf (
    "%swindow { font-size: %d%%; }\nwindow.present { font-size: %d%%; }\n"
    "window.present.low { font-size: %d%%; }",
    icons, size, size * SL_TYPE_PRESENTED / 100, size * SL_TYPE_PRESENTED_LOW / 100);

  gtk_css_provider_load_from_data (provider, css, -1);
}

void
sl_type_size_follow (GdkDisplay *display, SlPrefs *prefs)
{
  g_return_if_fail (GDK_IS_DISPLAY (display) && SL_IS_PREFS (prefs));

  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();
  GtkCssProvider *before = g_object_get_data (G_OBJECT (display), PROVIDER);

  if (before != NULL)
    gtk_style_context_remove_provider_for_display (display, GTK_STYLE_PROVIDER (before));
  g_object_set_data_full (G_OBJECT (display), PROVIDER, g_object_ref (provider), g_object_unref);
  on_size (prefs, NULL, provider);
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 1);
  g_signal_connect_object (prefs, "notify::type-size", G_CALLBACK (on_size), provider, 0);
}

void
sl_type_size_change (SlPrefs *prefs, int by)
{
  g_return_if_fail (SL_IS_PREFS (prefs));

  int size = sl_prefs_get_int (prefs, "type-size"), next = size;

  if (by == 0)
    next = SL_TYPE_USUAL;
  for (unsigned i = 0; by > 0 && next == size && i < G_N_ELEMENTS (sizes); i++)
    next = MAX (size, sizes[i]);
  for (unsigned i = G_N_ELEMENTS (sizes); by < 0 && next == size && i-- > 0;)
    next = MIN (size, sizes[i]);
  g_object_set (prefs, "type-size", next, NULL);
}

double
sl_type_size_of (GtkWidget *widget)
{
  g_return_val_if_fail (GTK_IS_WIDGET (widget), 1.0);

  PangoContext               *context = gtk_widget_get_pango_context (widget);
  const PangoFontDescription *font = pango_context_get_font_description (context);
  double px = font != NULL ? pango_font_description_get_size (font) / (double) PANGO_SCALE : 0.0;

  if (font != NULL && !pango_font_description_get_size_is_absolute (font))
    px *= pango_cairo_context_get_resolution (context) / 72.0;
  return px > 0.0 ? CLAMP (px / usual_px, 0.4, 8.0) : 1.0;
}

double
sl_type_size_room (GtkWidget *widget)
{
  return MAX (1.0, pow (sl_type_size_of (widget), 0.55));
}

gboolean
sl_type_size_presented (GtkWidget *widget)
{
  g_return_val_if_fail (GTK_IS_WIDGET (widget), FALSE);

  GtkRoot *root = gtk_widget_get_root (widget);

  return root != NULL && gtk_widget_has_css_class (GTK_WIDGET (root), "present");
}

SlTheme
sl_type_size_theme (GtkWidget *widget)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  gboolean         dark = adw_style_manager_get_dark (style);
  SlThemeKind      kind = dark ? SL_THEME_DARK : SL_THEME_LIGHT;
  SlTheme          theme;

  if (adw_style_manager_get_high_contrast (style))
    kind = dark ? SL_THEME_CONTRAST_DARK : SL_THEME_CONTRAST;
  else if (sl_type_size_presented (widget))
    kind = dark ? SL_THEME_PROJECTOR_DARK : SL_THEME_PROJECTOR;
  theme = sl_theme_get (kind);
  sl_theme_fit (&theme, sl_theme_get (SL_THEME_LIGHT).type * sl_type_size_of (widget));
  return theme;
}
