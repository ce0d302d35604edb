# cmake -Dcompiler=... -Dincludes=... -Dcase=FILE -P check.cmake
# The file says `// expected: <sentence>`; several lines with that mark are all expected. The sentence is
# the only error, or one of N where the file says `// errors: N` and why. Flags for the wrong call alone stand
# behind `// wrong with: `.
cmake_minimum_required(VERSION 3.22)

list(TRANSFORM includes PREPEND "-I")
macro(compile result output)
  execute_process(COMMAND ${compiler} ${includes} ${ARGN} "${case}"
    RESULT_VARIABLE ${result} OUTPUT_VARIABLE ${output} ERROR_VARIABLE ${output})
endmacro()

file(STRINGS "${case}" sentences REGEX "^// expected: ")
if(NOT sentences)
  message(FATAL_ERROR "${case}: no line says what is expected (// expected: ...)")
endif()

file(STRINGS "${case}" most REGEX "^// errors: [0-9]+")
string(REGEX REPLACE "^// errors: ([0-9]+).*" "\\1" most "${most}")
if(NOT most)
  set(most 1)
endif()

compile(failed output)
if(failed)
  message(FATAL_ERROR "${case}: the right twin does not compile:\n${output}")
endif()
file(STRINGS "${case}" flags REGEX "^// wrong with: ")
string(REPLACE "// wrong with: " "" flags "${flags}")
compile(failed output -DTHRUST_HIST_WRONG ${flags})
if(NOT failed)
  message(FATAL_ERROR "${case}: the wrong call compiles")
endif()
foreach(sentence IN LISTS sentences)
  string(REPLACE "// expected: " "" sentence "${sentence}")
  string(FIND "${output}" "${sentence}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "${case}: the sentence is missing:\n  ${sentence}\nbut there is:\n${output}")
  endif()
endforeach()
string(REGEX MATCHALL "error:|: error " errors "${output}")
list(LENGTH errors number)
if(number GREATER most)
  message(FATAL_ERROR "${case}: ${number} errors instead of at most ${most}:\n${output}")
endif()
