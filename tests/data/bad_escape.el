0 1
1 [31mred›0m
