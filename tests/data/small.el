# a SNAP edge list
% and a KONECT comment
0	1
1	2
2	0
3	3
4	1
4	1
0	4
