# Man pages of the program and of each of its commands, and completions, as the program itself
# prints them:
#
#   cmake -DPROGRAM=meshway -DOUT=DIR -P pages.cmake
#
# writes DIR/man/meshway.1, DIR/man/meshway-run.1 ..., DIR/meshway.bash, .zsh, .fish and DIR/done.

function(ask file)
  execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_FILE ${OUT}/${file} RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "pages.cmake: ${PROGRAM} ${ARGN}: ${failed}")
  endif()
endfunction()

file(REMOVE_RECURSE ${OUT})
file(MAKE_DIRECTORY ${OUT}/man)
foreach(shell IN ITEMS bash zsh fish)
  ask(meshway.${shell} --completion ${shell})
endforeach()
ask(man/meshway.1 --man)
ask(commands --commands)
file(STRINGS ${OUT}/commands names)
foreach(name IN LISTS names)
  string(REPLACE " " "-" page "meshway-${name}.1")
  string(REPLACE " " ";" words "${name}")
  ask(man/${page} --man ${words})
endforeach()
file(TOUCH ${OUT}/done)
