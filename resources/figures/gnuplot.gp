
if (!exists('OUT')) OUT = 'sluice-figure.pdf'
set encoding utf8
ENDING = OUT[strlen(OUT) - 2:]
if (ENDING eq 'png') set terminal pngcairo noenhanced font FONT size floor(WIDTH / 25.4 * DPI + 0.5), floor(HEIGHT / 25.4 * DPI + 0.5) fontscale DPI / 96.0 linewidth DPI / 72.0 pointscale DPI / 72.0 background rgb 'white'
if (ENDING eq 'svg') set terminal svg noenhanced font FONT size WIDTH / 25.4 * 72, HEIGHT / 25.4 * 72 dynamic background rgb 'white'
if (ENDING eq 'pdf') set terminal pdfcairo noenhanced font FONT size WIDTH / 10.0 cm, HEIGHT / 10.0 cm fontscale 0.75 linewidth 2
set output OUT

# The whole page, in the units of all places below, y downwards; and axes of their own on it.
PAGE = 'reset; set lmargin at screen 0; set rmargin at screen 1; set bmargin at screen 0; set tmargin at screen 1; unset border; unset tics; unset key; unset colorbox; set xrange [0:UNITS_X]; set yrange [UNITS_Y:0]; set style fill solid noborder'
PLACE(x, y, w, h) = sprintf('reset; unset key; unset colorbox; unset tics; unset border; set lmargin at screen %.8f; set rmargin at screen %.8f; set tmargin at screen %.8f; set bmargin at screen %.8f; set style fill solid noborder', x / UNITS_X, (x + w) / UNITS_X, 1 - y / UNITS_Y, 1 - (y + h) / UNITS_Y)
set multiplot
