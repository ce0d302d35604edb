# Runs `program` with `argument`, if one is given. CTest looks for the words for "no GPU" in what it says, but
# not in a program that ended by an exception.
execute_process(COMMAND "${program}" ${argument} RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${program} ${argument}: ${code}")
endif()
