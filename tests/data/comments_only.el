# nothing
# at all
