# Runs after a test program is linked: asks it for its suites and writes a CTest test for each.
# A suite that needs what this machine lacks (a GPU) counts as skipped, never as passed.
cmake_minimum_required(VERSION 3.22)

execute_process(COMMAND "${program}" --list_content=DOT
  OUTPUT_VARIABLE out ERROR_VARIABLE graph RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${program} --list_content=DOT: ${out}${graph}")
endif()

# The root is node tu1, a suite's label reads "name|file(line)|labels: @a @b".
string(REGEX REPLACE "[][;]" " " graph "${graph}")
string(REGEX MATCHALL "label=\"[^\"]*\" *\ntu1 -> " nodes "${graph}")
set(text "")
foreach(node IN LISTS nodes)
  string(REGEX REPLACE "^label=\"([^|\"]*).*" "\\1" suite "${node}")
  set(labels "${label}")
  foreach(size IN ITEMS small large)
    if(node MATCHES "labels:.*@${size}")
      list(APPEND labels ${size})
    endif()
  endforeach()
  string(APPEND text
    "add_test([=[${name}.${suite}]=] [=[${program}]=] [=[--run_test=${suite}]=] --log_level=test_suite)\n"
    "set_tests_properties([=[${name}.${suite}]=] PROPERTIES TIMEOUT ${seconds} LABELS [=[${labels}]=] ENVIRONMENT [=[OMP_WAIT_POLICY=passive;${ubsan}]=]\n"
    "  SKIP_REGULAR_EXPRESSION [=[Test suite \"${suite}\" is skipped because precondition failed]=])\n")
endforeach()
file(WRITE "${list}" "${text}")
