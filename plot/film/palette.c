/* SPDX-License-Identifier: MIT */
#include "plot/film/palette.h"

#include <math.h>
#include <stdlib.h>

enum { ROOM = 1 << 12, NO_COLOUR = 0xff << 24, RGB = 0xffffff };

static const float hardly_seen = 1.0F; /* a distance in CIELAB */

typedef struct
{
  uint32_t colour; /* NO_COLOUR: a free place */
  uint32_t number; /* of what stands for it, or while colours are chosen its own */
  uint64_t count;
} Entry;

struct SlFilmPalette
{
  Entry   *entry; /* (room), a table of hashes */
  size_t   room, n;
  uint32_t chosen[SL_FILM_COLOURS];
  unsigned n_chosen;
};

/* The counted colours while some of them are chosen. */
typedef struct
{
  Entry  **entry; /* (n) the most frequent first */
  float   *lab;   /* (3, n) */
  float   *apart; /* (n) from the nearest chosen one, squared */
  uint8_t *nearest;
  size_t   n;
} Choice;

static Entry *
make_room (size_t room)
{
  Entry *entry = malloc (room * sizeof *entry);

  for (size_t i = 0; entry != NULL && i < room; i++)
    entry[i] = (Entry) { .colour = (uint32_t) NO_COLOUR };
  return entry;
}

SlFilmPalette *
sl_film_palette_new (void)
{
  SlFilmPalette *self = calloc (1, sizeof *self);

  if (self == NULL)
    return NULL;
  self->room = ROOM;
  self->entry = make_room (self->room);
  if (self->entry != NULL)
    return self;
  free (self);
  return NULL;
}

void
sl_film_palette_free (SlFilmPalette *palette)
{
  if (palette != NULL)
    free (palette->entry);
  free (palette);
}

/* The place of a colour, or where it would be. */
static Entry *
find (const SlFilmPalette *self, uint32_t colour)
{
  size_t at = (colour * 0x9e3779b1U >> 8) & (self->room - 1);

  while (self->entry[at].colour != colour && self->entry[at].colour != (uint32_t) NO_COLOUR)
    at = (at + 1) & (self->room - 1);
  return &self->entry[at];
}

static bool
grow (SlFilmPalette *self)
{
  SlFilmPalette larger = { .room = 2 * self->room };

  larger.entry = make_room (larger.room);
  if (larger.entry == NULL)
    return false;
  for (size_t i = 0; i < self->room; i++)
    if (self->entry[i].colour != (uint32_t) NO_COLOUR)
      *find (&larger, self->entry[i].colour) = self->entry[i];
  free (self->entry);
  self->entry = larger.entry;
  self->room = larger.room;
  return true;
}

/* How many pixels in a row have the colour of the first. */
static size_t
alike (const uint32_t *pixels, size_t n)
{
  size_t i = 1;

  while (i < n && (pixels[i] & RGB) == (pixels[0] & RGB))
    i++;
  return i;
}

bool
sl_film_palette_count (SlFilmPalette *palette, const uint32_t *pixels, size_t n)
{
  while (n > 0)
    {
      size_t run = alike (pixels, n);
      Entry *entry = find (palette, pixels[0] & RGB);

      if (entry->colour == (uint32_t) NO_COLOUR)
        {
          *entry = (Entry) { .colour = pixels[0] & RGB };
          palette->n++;
        }
      entry->count += run;
      if (2 * palette->n > palette->room && !grow (palette))
        return false;
      pixels += run;
      n -= run;
    }
  return true;
}

static float
linear (uint32_t byte)
{
  float c = (float) (byte & 255) / 255.0F;

  return c <= 0.04045F ? c / 12.92F : powf ((c + 0.055F) / 1.055F, 2.4F);
}

static float
lightness (float t)
{
  return t > 0.008856452F ? cbrtf (t) : t / 0.1284185F + 4.0F / 29.0F;
}

void
sl_film_lab (uint32_t colour, float lab[3])
{
  float r = linear (colour >> 16), g = linear (colour >> 8), b = linear (colour);
  float x = lightness ((0.4124564F * r + 0.3575761F * g + 0.1804375F * b) / 0.95047F);
  float y = lightness (0.2126729F * r + 0.7151522F * g + 0.0721750F * b);
  float z = lightness ((0.0193339F * r + 0.1191920F * g + 0.9503041F * b) / 1.08883F);

  lab[0] = 116.0F * y - 16.0F;
  lab[1] = 500.0F * (x - y);
  lab[2] = 200.0F * (y - z);
}

static int
compare (const void *a, const void *b)
{
  const Entry *x = *(Entry *const *) a, *y = *(Entry *const *) b;

  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return (x->colour > y->colour) - (x->colour < y->colour);
}

static bool
begin_choice (Choice *c, const SlFilmPalette *self)
{
  float lab[3];

  *c = (Choice) { .entry = malloc ((self->n + 1) * sizeof *c->entry),
                  .lab = malloc ((3 * self->n + 1) * sizeof *c->lab),
                  .apart = malloc ((self->n + 1) * sizeof *c->apart),
                  .nearest = malloc (self->n + 1) };
  if (c->entry == NULL || c->lab == NULL || c->apart == NULL || c->nearest == NULL)
    return false;
  for (size_t i = 0; i < self->room; i++)
    if (self->entry[i].colour != (uint32_t) NO_COLOUR)
      c->entry[c->n++] = &self->entry[i];
  qsort (c->entry, c->n, sizeof (Entry *), compare);
  for (size_t i = 0; i < c->n; i++)
    {
      sl_film_lab (c->entry[i]->colour, lab);
      for (size_t k = 0; k < 3; k++)
        c->lab[k * c->n + i] = lab[k];
      c->apart[i] = HUGE_VALF;
    }
  return true;
}

static void
end_choice (Choice *c)
{
  free (c->entry);
  free (c->lab);
  free (c->apart);
  free (c->nearest);
}

/* Chooses a colour: it stands for all to which it is nearer than those before. */
static void
take (SlFilmPalette *self, Choice *c, size_t which)
{
  const float *l = c->lab, *a = l + c->n, *b = a + c->n;
  float        at_l = l[which], at_a = a[which], at_b = b[which];

  for (size_t i = 0; i < c->n; i++)
    {
      float dl = l[i] - at_l, da = a[i] - at_a, db = b[i] - at_b;
      float apart = dl * dl + da * da + db * db;

      if (apart < c->apart[i])
        {
          c->apart[i] = apart;
          c->nearest[i] = (uint8_t) self->n_chosen;
        }
    }
  self->chosen[self->n_chosen++] = c->entry[which]->colour;
}

static size_t
farthest (const Choice *c)
{
  size_t worst = 0;

  for (size_t i = 1; i < c->n; i++)
    if (c->apart[i] > c->apart[worst])
      worst = i;
  return worst;
}

double
sl_film_palette_choose (SlFilmPalette *palette)
{
  Choice c;
  double worst = -1.0;

  palette->n_chosen = 0;
  if (begin_choice (&c, palette))
    {
      unsigned flat = c.n <= SL_FILM_COLOURS ? SL_FILM_COLOURS : SL_FILM_COLOURS / 2;
      float    least = c.n <= SL_FILM_COLOURS ? 0.0F : hardly_seen * hardly_seen;

      for (size_t i = 0; i < c.n && palette->n_chosen < flat; i++)
        if (c.apart[i] > least)
          take (palette, &c, i);
      while (palette->n_chosen < SL_FILM_COLOURS && c.n > 0 && c.apart[farthest (&c)] > 0.0F)
        take (palette, &c, farthest (&c));
      for (size_t i = 0; i < c.n; i++)
        c.entry[i]->number = c.nearest[i];
      worst = c.n > 0 ? sqrt ((double) c.apart[farthest (&c)]) : 0.0;
    }
  end_choice (&c);
  return worst;
}

unsigned
sl_film_palette_colours (const SlFilmPalette *palette, uint32_t colours[SL_FILM_COLOURS])
{
  for (unsigned i = 0; i < palette->n_chosen; i++)
    colours[i] = palette->chosen[i];
  return palette->n_chosen;
}

void
sl_film_palette_find (const SlFilmPalette *palette, const uint32_t *pixels, size_t n, uint8_t *to)
{
  while (n > 0)
    {
      size_t  run = alike (pixels, n);
      uint8_t number = (uint8_t) find (palette, pixels[0] & RGB)->number;

      for (size_t i = 0; i < run; i++)
        to[i] = number;
      pixels += run;
      to += run;
      n -= run;
    }
}
