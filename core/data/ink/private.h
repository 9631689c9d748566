/* SPDX-License-Identifier: MIT */
#pragma once

/* A picture (from_height, from_width) at another size: each pixel is what it covers of the other. */
void sl_ink_resize (const float *from, unsigned from_width, unsigned from_height, float *to,
                    unsigned width, unsigned height);
