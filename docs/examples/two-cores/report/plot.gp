# Made by meshway report. Draws data/*.tsv: gnuplot plot.gp, in this directory.
set datafile separator '\t'
set datafile missing 'NA'
set terminal svg size 640,420 noenhanced font 'sans,13' background 'white'
set key outside top left noenhanced
set grid ytics lc rgb '#dddbd5'
set border 3
set tics nomirror

set output 'figures/scaling-gnuplot.svg'
set title 'Rate against ranks'
set xlabel 'ranks'
set ylabel 'GTEPS'
unset logscale
set autoscale
set xtics autofreq norotate
set logscale x 2
set yrange [0:*]
plot 'data/scaling.tsv' skip 1 using 2:(strcol(1) eq 'direct' ? column(8) : NaN) with linespoints lc rgb '#0072b2' dt 1 pt 4 title 'direct', \
     '' skip 1 using 2:(strcol(1) eq 'direct' ? column(8) : NaN):12:14 with yerrorbars lc rgb '#0072b2' dt 1 pt 4 notitle, \
     'data/scaling.tsv' skip 1 using 2:(strcol(1) eq 'relay' ? column(8) : NaN) with linespoints lc rgb '#d55e00' dt 2 pt 5 title 'relay', \
     '' skip 1 using 2:(strcol(1) eq 'relay' ? column(8) : NaN):12:14 with yerrorbars lc rgb '#d55e00' dt 2 pt 5 notitle

set output 'figures/efficiency-gnuplot.svg'
set title 'Parallel efficiency'
set xlabel 'ranks'
set ylabel 'efficiency'
unset logscale
set autoscale
set xtics autofreq norotate
set logscale x 2
set yrange [0:*]
plot 'data/efficiency.tsv' skip 1 using 2:(strcol(1) eq 'direct' ? column(3) : NaN) with linespoints lc rgb '#0072b2' dt 1 pt 4 title 'direct', \
     'data/efficiency.tsv' skip 1 using 2:(strcol(1) eq 'relay' ? column(3) : NaN) with linespoints lc rgb '#d55e00' dt 2 pt 5 title 'relay'

set output 'figures/levels-gnuplot.svg'
set title 'Time per level, by module and waiting'
set xlabel 'level'
set ylabel 'ms, mean over ranks'
unset logscale
set autoscale
set xtics autofreq norotate
plot 'data/levels.tsv' skip 1 using (column(2)):(strcol(1) eq 'relay, 2 ranks, SCALE 17' && strcol(4) eq 'collectives' ? column(6) : NaN) with points lc rgb '#0072b2' pt 4 title 'collectives', \
     'data/levels.tsv' skip 1 using (column(2)):(strcol(1) eq 'relay, 2 ranks, SCALE 17' && strcol(4) eq 'rest' ? column(6) : NaN) with points lc rgb '#d55e00' pt 5 title 'rest', \
     'data/levels.tsv' skip 1 using (column(2)):(strcol(1) eq 'relay, 2 ranks, SCALE 17' && strcol(4) eq 'tell' ? column(6) : NaN) with points lc rgb '#009e73' pt 6 title 'tell', \
     'data/levels.tsv' skip 1 using (column(2)):(strcol(1) eq 'relay, 2 ranks, SCALE 17' && strcol(4) eq 'say' ? column(6) : NaN) with points lc rgb '#cc79a7' pt 7 title 'say', \
     'data/levels.tsv' skip 1 using (column(2)):(strcol(1) eq 'relay, 2 ranks, SCALE 17' && strcol(4) eq 'hear' ? column(6) : NaN) with points lc rgb '#e69f00' pt 8 title 'hear', \
     'data/levels.tsv' skip 1 using (column(2)):(strcol(1) eq 'relay, 2 ranks, SCALE 17' && strcol(4) eq 'moving batches' ? column(6) : NaN) with points lc rgb '#56b4e9' pt 9 title 'moving batches', \
     'data/levels.tsv' skip 1 using (column(2)):(strcol(1) eq 'relay, 2 ranks, SCALE 17' && strcol(4) eq 'waiting for batches' ? column(6) : NaN) with points lc rgb '#7a6a00' pt 10 title 'waiting for batches', \
     'data/levels.tsv' skip 1 using (column(2)):(strcol(1) eq 'relay, 2 ranks, SCALE 17' && strcol(4) eq 'forward generator' ? column(6) : NaN) with points lc rgb '#555555' pt 11 title 'forward generator'

set output 'figures/traffic-gnuplot.svg'
set title 'Bytes and messages, direct against relay'
set xlabel 'ranks'
set ylabel 'bytes an edge'
unset logscale
set autoscale
set xtics autofreq norotate
set logscale x 2
set yrange [0:*]
plot 'data/traffic.tsv' skip 1 using 3:(strcol(1) eq 'direct' ? column(5) : NaN) with linespoints lc rgb '#0072b2' dt 1 pt 4 title 'direct', \
     'data/traffic.tsv' skip 1 using 3:(strcol(1) eq 'relay' ? column(5) : NaN) with linespoints lc rgb '#d55e00' dt 2 pt 5 title 'relay'

set output 'figures/sizes-gnuplot.svg'
set title 'Sizes of messages'
set xlabel 'bytes of a message, from'
set ylabel 'messages a search'
unset logscale
set autoscale
set xtics autofreq norotate
set logscale x 2
plot 'data/sizes.tsv' skip 1 using 3:(strcol(1) eq 'direct' ? column(5) : NaN) with linespoints lc rgb '#0072b2' dt 1 pt 4 title 'direct', \
     'data/sizes.tsv' skip 1 using 3:(strcol(1) eq 'relay' ? column(5) : NaN) with linespoints lc rgb '#d55e00' dt 2 pt 5 title 'relay'

set output 'figures/between-gnuplot.svg'
set title 'Bytes from rank to rank'
set xlabel 'to rank'
set ylabel 'from rank'
unset logscale
set autoscale
set xtics autofreq norotate
unset logscale
set yrange [*:*] reverse
set offsets 1, 1, 1, 1
set palette defined (0 '#f7fbff', 1 '#08306b')
set cblabel 'bytes a search'
plot 'data/between.tsv' skip 1 using 3:(strcol(1) eq 'relay, 2 ranks, SCALE 17' ? column(2) : NaN):5 with points pt 5 ps 2 palette title 'relay, 2 ranks, SCALE 17'
set offsets 0, 0, 0, 0
set yrange [*:*] noreverse

set output 'figures/memory-gnuplot.svg'
set title 'Memory of a rank, predicted against measured'
set xlabel 'predicted, MiB'
set ylabel 'measured, MiB'
unset logscale
set autoscale
set xtics autofreq norotate
set logscale xy
plot x with lines lc rgb '#5f5e5a' dt 3 title 'equal', \
     'data/memory.tsv' skip 1 using 4:(strcol(1) eq 'direct' ? column(5) : NaN) with points lc rgb '#0072b2' pt 4 title 'direct', \
     'data/memory.tsv' skip 1 using 4:(strcol(1) eq 'relay' ? column(5) : NaN) with points lc rgb '#d55e00' pt 5 title 'relay'

set output 'figures/times-gnuplot.svg'
set title 'Time, predicted against measured'
set xlabel 'predicted, s'
set ylabel 'measured, s'
unset logscale
set autoscale
set xtics autofreq norotate
set logscale xy
plot x with lines lc rgb '#5f5e5a' dt 3 title 'equal', \
     'data/times.tsv' skip 1 using 5:(strcol(1) eq 'whole point' ? column(6) : NaN) with points lc rgb '#0072b2' pt 4 title 'whole point', \
     'data/times.tsv' skip 1 using 5:(strcol(1) eq 'construction' ? column(6) : NaN) with points lc rgb '#d55e00' pt 5 title 'construction', \
     'data/times.tsv' skip 1 using 5:(strcol(1) eq 'search (median)' ? column(6) : NaN) with points lc rgb '#009e73' pt 6 title 'search (median)', \
     'data/times.tsv' skip 1 using 5:(strcol(1) eq 'validation (median)' ? column(6) : NaN) with points lc rgb '#cc79a7' pt 7 title 'validation (median)'

set output 'figures/phases-gnuplot.svg'
set title 'Where the time of a run goes'
set xlabel ''
set ylabel 's'
unset logscale
set autoscale
set xtics autofreq norotate
set style data histograms
set style histogram rowstacked
set style fill pattern 1 border
set xtics rotate by -30 noenhanced
plot 'data/phases.tsv' skip 1 using 3:xtic(1) lc rgb '#0072b2' title 'generation', \
     'data/phases.tsv' skip 1 using 4 lc rgb '#d55e00' title 'construction', \
     'data/phases.tsv' skip 1 using 5 lc rgb '#009e73' title 'searches', \
     'data/phases.tsv' skip 1 using 6 lc rgb '#cc79a7' title 'validation'
