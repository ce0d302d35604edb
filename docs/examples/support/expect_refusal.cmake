# Runs `program` with `arguments`, which are separated by |; succeeds where it fails and says `message`.
string(REPLACE "|" ";" arguments "${arguments}")
execute_process(COMMAND "${program}" ${arguments}
  RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE error)
string(FIND "${error}" "${message}" at)
if(NOT code EQUAL 1 OR at EQUAL -1)
  message(FATAL_ERROR "expected exit code 1 and '${message}', got ${code} and '${error}'")
endif()
message(STATUS "${error}")
