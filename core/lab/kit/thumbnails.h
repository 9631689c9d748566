/* SPDX-License-Identifier: MIT
 *
 * Examples that are images as the tiles of a panel.  */
#pragma once

#include "core/lab/kit/probe.h"

/* Whether the data are images; where they are not, the panel's note says so. */
bool sl_probe_has_images (SlProbe *p, const SlDataset *data);

/* Fills the snapshot with pictures of some of the examples x (n, D), in this order; captions are
 * the caller's.  False, with a failure, where memory runs out.  Grey pictures are three equal
 * planes, so that no palette recolours them.  */
bool sl_probe_thumbnails (SlProbe *p, const SlDataset *data, const sl_real *x, size_t n,
                          const unsigned *chosen, unsigned tiles);
