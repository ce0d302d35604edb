# cmake -Dcompiler=... -Dincludes=... -Dcase=FILE -P check.cmake
# The file says `// expected: <sentence>`; several lines with that mark are all expected.
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

compile(failed output)
if(failed)
  message(FATAL_ERROR "${case}: the right twin does not compile:\n${output}")
endif()
compile(failed output -DTHRUST_HIST_WRONG)
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
