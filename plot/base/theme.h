/* SPDX-License-Identifier: MIT
 *
 * How figures look: colours, line widths and type sizes, as a value that is handed to
 * whatever draws.  Colours of curves are Okabe and Ito's eight, moved to at least 3:1 against the paper and
 * away from each other for colour-blind eyes; every curve also has a marker and, by its style, a dash.  */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/lab/lab.h"

typedef struct
{
  float r, g, b, a; /* 0..1, not premultiplied */
} SlRgba;

typedef enum {
  SL_THEME_LIGHT,
  SL_THEME_DARK,
  SL_THEME_CONTRAST,       /* high contrast, light */
  SL_THEME_CONTRAST_DARK,  /* high contrast, dark */
  SL_THEME_PROJECTOR,      /* light, saturated, twice the line width, 170 % type */
  SL_THEME_PROJECTOR_DARK, /* the same on black */
  SL_THEME_GREY,           /* for print without colour: greys, told apart by dash and marker */
  SL_N_THEMES,
} SlThemeKind;

/* Colours of the curves, all of which colour-blind eyes can tell apart. */
typedef enum {
  SL_PALETTE_BRIGHT, /* as the theme has them */
  SL_PALETTE_STRONG, /* as for a projector */
  SL_PALETTE_DEEP,   /* as for high contrast: dark on light paper, for thin lines */
  SL_N_PALETTES,
} SlPaletteKind;

enum { SL_THEME_COLOURS = 8 };

typedef struct
{
  SlThemeKind kind;
  bool        dark;
  SlRgba      paper; /* behind everything */
  SlRgba      plot;  /* behind the curves */
  SlRgba      ink;   /* titles, labels; at least 4.5:1 on paper */
  SlRgba      soft;  /* notes, tick labels; at least 4.5:1 on paper */
  SlRgba      grid, axis;
  SlRgba      alarm; /* non-finite values */
  SlRgba      flag;  /* change flags */
  SlRgba      curve[SL_THEME_COLOURS];
  SlRgba      neutral; /* references and published numbers that belong to no curve */
  const char *family;  /* "Cantarell, DejaVu Sans, sans-serif" */
  double      type;    /* px of tick labels and legends (1 px = 1/96 inch) */
  double      title;   /* px of the title */
  double      line;    /* px of a measured curve */
  double      hair;    /* px of axes and grid */
  double      marker;  /* px across */
} SlTheme;

/* A theme at its natural size. */
SlTheme sl_theme_get (SlThemeKind kind);

/* The slots of one colour, whose curves differ by their markers alone. */
static inline unsigned
sl_theme_slot (unsigned colour, unsigned number)
{
  enum { DASHES = 3 };

  return colour + DASHES * SL_THEME_COLOURS * number;
}

/* Gives a theme another palette; grey stays grey. */
void sl_theme_set_palette (SlTheme *theme, SlPaletteKind palette);

/* "bright", "strong" or "deep"; static. */
const char *sl_palette_id (SlPaletteKind palette);
/* The palette of such a name, -1 for an unknown one. */
int sl_palette_find (const char *id);

/* A theme with labels of `type` px, everything else in proportion. */
void sl_theme_fit (SlTheme *theme, double type);

/* Colour of a curve slot (any number; they repeat). */
SlRgba sl_theme_curve (const SlTheme *theme, unsigned slot, SlStyle style);

/* Dash of a style in multiples of the line width, ended by 0; empty for solid. */
const double *sl_theme_dash (const SlTheme *theme, unsigned slot, SlStyle style);

typedef enum {
  SL_MARKER_DISC,
  SL_MARKER_SQUARE,
  SL_MARKER_UP,
  SL_MARKER_DIAMOND,
  SL_MARKER_DOWN,
  SL_MARKER_PLUS,
  SL_MARKER_CROSS,
  SL_MARKER_RING,
  SL_N_MARKERS,
} SlMarker;

SlMarker sl_theme_marker (unsigned slot, SlStyle style);

/* Opaque; `t` = 0: a, 1: b. */
SlRgba sl_mix (SlRgba a, SlRgba b, double t);

/* Lightness, green to red and blue to yellow: means of colours are even to the eye there. */
void   sl_to_oklab (SlRgba colour, double lab[3]);
SlRgba sl_from_oklab (const double lab[3]); /* cut to what a screen has */

/* As an opaque pixel of cairo's ARGB32 and RGB24. */
uint32_t sl_packed (SlRgba colour);

/* Contrast ratio of two opaque colours, 1..21 (WCAG 2.1). */
double sl_contrast (SlRgba a, SlRgba b);

/* Black or white, whichever is easier to read on a colour. */
SlRgba sl_ink_on (SlRgba colour);

/* Colour of 0..1 in a map of even lightness steps that all eyes can read (after cividis). */
SlRgba sl_map_sequential (const SlTheme *theme, double t);

/* Colour of -1..1: blue below, orange above; 0 is a shade off the paper, which a gap shows. */
SlRgba sl_map_diverging (const SlTheme *theme, double t);
