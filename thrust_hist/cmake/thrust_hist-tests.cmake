# How a test program is built and how its suites become CTest tests.

if(THRUST_HIST_STATIC_TESTS)
  set(Boost_USE_STATIC_LIBS ON)
endif()
find_package(Boost 1.71 QUIET COMPONENTS unit_test_framework)

list(FIND THRUST_HIST_HOST_SYSTEMS omp has_omp)
if(has_omp GREATER -1)
  set(THRUST_HIST_TEST_DEVICE_SYSTEMS omp CACHE STRING "Values of thrust::device in the host tests")
else()
  set(THRUST_HIST_TEST_DEVICE_SYSTEMS cpp CACHE STRING "Values of thrust::device in the host tests")
endif()

# thrust_hist_sources_with(<variable> <regular expression> <sources>...): those with such a line
function(thrust_hist_sources_with result pattern)
  set(found "")
  foreach(source IN LISTS ARGN)
    file(STRINGS "${source}" lines REGEX "${pattern}" LIMIT_COUNT 1)
    if(lines)
      list(APPEND found "${source}")
    endif()
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# thrust_hist_in_batches(<variable> <program> <sources>...): files that include some of the sources each.
# Reading Thrust and Boost.Test is half of what the compiler has to do for a test, with nvcc two thirds, so
# several share it. A test keeps what it defines inside its suite, hence; one that cannot says
# "// build: alone".
set(THRUST_HIST_TEST_BATCH "" CACHE STRING
  "How many test sources are compiled as one unit; empty: as many units as there are cores, of 10 to 32 sources")
cmake_host_system_information(RESULT THRUST_HIST_CORES QUERY NUMBER_OF_LOGICAL_CORES)
function(thrust_hist_in_batches result name)
  thrust_hist_sources_with(alone "^// build: alone$" ${ARGN})
  list(REMOVE_ITEM ARGN ${alone})
  # Sanitized code is not optimised: the compiler would take three to five times as long. Tests that run for
  # longer than that say "// build: optimised under sanitizers", and are units of their own.
  set(optimised "")
  if(THRUST_HIST_SANITIZE)
    thrust_hist_sources_with(optimised "^// build: optimised under sanitizers$" ${ARGN})
    list(REMOVE_ITEM ARGN ${optimised})
  endif()
  thrust_hist_write_batches(units ${name} batch ${ARGN})
  thrust_hist_write_batches(optimised_units ${name} optimised ${optimised})
  set_property(SOURCE ${optimised_units} APPEND PROPERTY COMPILE_OPTIONS -O1)
  set(${result} "${optimised_units};${alone};${units}" PARENT_SCOPE)
endfunction()
function(thrust_hist_write_batches result name prefix)
  set(units "")
  foreach(extension IN ITEMS cpp cu)
    set(sources ${ARGN})
    list(FILTER sources INCLUDE REGEX "\\.${extension}$")
    list(LENGTH sources left)
    set(size "${THRUST_HIST_TEST_BATCH}")
    if(NOT size)
      math(EXPR size "(${left} + ${THRUST_HIST_CORES} - 1) / ${THRUST_HIST_CORES}")
      if(size LESS 10)
        set(size 10)
      elseif(size GREATER 32)
        set(size 32)
      endif()
    endif()
    math(EXPR batches "(${left} + ${size} - 1) / ${size}")
    foreach(batch RANGE ${batches})
      if(batch EQUAL batches)
        break() # foreach counts to its end
      endif()
      # Every so-manyth: what is long stands together in the list, and would make one unit long.
      set(content "")
      set(i 0)
      foreach(source IN LISTS sources)
        math(EXPR turn "${i} % ${batches}")
        if(turn EQUAL batch)
          # A relative path: ccache knows the unit in another clone, too.
          file(RELATIVE_PATH path "${CMAKE_CURRENT_BINARY_DIR}/${name}-units" "${source}")
          string(APPEND content "#include \"${path}\"\n")
        endif()
        math(EXPR i "${i} + 1")
      endforeach()
      set(unit "${CMAKE_CURRENT_BINARY_DIR}/${name}-units/${prefix}_${batch}.${extension}")
      file(CONFIGURE OUTPUT "${unit}" CONTENT "${content}" @ONLY)
      # g++ takes what is included for a header, in which unnamed namespaces would be a mistake.
      set_source_files_properties("${unit}" PROPERTIES COMPILE_OPTIONS
        "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>")
      list(APPEND units "${unit}")
    endforeach()
  endforeach()
  set(${result} "${units}" PARENT_SCOPE)
endfunction()

# What units of a test program are compiled with.
function(thrust_hist_build_test name system checked)
  thrust_hist_build_for(${name} ${system})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/test")
  target_link_libraries(${name} PRIVATE Boost::unit_test_framework)
  target_compile_definitions(${name} PRIVATE THRUST_HIST_TEST_HOOKS
    "$<$<BOOL:${checked}>:THRUST_HIST_ENABLE_CHECK>"
    "$<$<BOOL:${THRUST_HIST_STATIC_TESTS}>:THRUST_HIST_TEST_STATIC_BOOST>")
endfunction()

# thrust_hist_compile_tests(<program> <with check()> <sources>...): where what is made for a GPU is run by
# nobody (.ci/run without one), tests that need one are compiled to PTX alone: nvcc's front end for the GPU
# reads the host's half too, and no compiler of C++ does it again, which halves the time. Each source counts as
# a skipped test.
option(THRUST_HIST_TEST_PTX_ONLY "Compile tests that need a GPU to PTX, for one virtual architecture, and run none" OFF)
mark_as_advanced(THRUST_HIST_TEST_PTX_ONLY)
function(thrust_hist_compile_tests name checked)
  thrust_hist_in_batches(units ${name}_ptx ${ARGN})
  add_library(${name}_ptx OBJECT ${units})
  thrust_hist_build_test(${name}_ptx cuda ${checked})
  set_target_properties(${name}_ptx PROPERTIES CUDA_PTX_COMPILATION ON)
  foreach(source IN LISTS ARGN)
    get_filename_component(unit "${source}" NAME_WE)
    add_test(NAME ${name}.${unit} COMMAND "${CMAKE_COMMAND}" -E echo "compiled to PTX, and run by nobody")
    set_tests_properties(${name}.${unit} PROPERTIES LABELS cuda
      SKIP_REGULAR_EXPRESSION "compiled to PTX, and run by nobody")
  endforeach()
endfunction()

# thrust_hist_make_fast(<program> <language> <flags>...): for C++ the linker gets them too, where they
# set the mode of the FPU.
function(thrust_hist_make_fast name language)
  if(TARGET ${name})
    target_compile_options(${name} PRIVATE "$<$<COMPILE_LANGUAGE:${language}>:${ARGN}>")
    if(language STREQUAL "CXX")
      target_link_options(${name} PRIVATE ${ARGN})
    endif()
  endif()
endfunction()

# thrust_hist_on_few_systems(<program>): see test/support/systems.h.
function(thrust_hist_on_few_systems name)
  if(TARGET ${name})
    target_compile_definitions(${name} PRIVATE THRUST_HIST_TEST_FEW_SYSTEMS)
  endif()
endfunction()

# What UBSan finds and may be suppressed ends a test like its other findings. Means nothing without it.
set(THRUST_HIST_TEST_UBSAN
  "UBSAN_OPTIONS=halt_on_error=1:suppressions='${PROJECT_SOURCE_DIR}/test/support/ubsan.supp'")

# thrust_hist_add_tests(<name> <device system> <seconds a suite may take> <sources>...): a name that ends
# in _checked gets options::check(). THRUST_HIST_TEST_CHECKED gives it to all, for THRUST_HIST_CHECK=1.
option(THRUST_HIST_TEST_CHECKED "Build every test program with THRUST_HIST_ENABLE_CHECK" OFF)
function(thrust_hist_add_tests name system seconds)
  if(NOT ARGN)
    return()
  endif()
  set(checked "${THRUST_HIST_TEST_CHECKED}")
  if(name MATCHES "_checked$")
    set(checked ON)
  elseif(name STREQUAL "test_unchecked")
    set(checked OFF)
  endif()
  set(sources ${ARGN})
  if(system STREQUAL "cuda" AND THRUST_HIST_TEST_PTX_ONLY)
    thrust_hist_sources_with(sources "^// build: runs without a GPU$" ${ARGN})
    set(unrun ${ARGN})
    list(REMOVE_ITEM unrun ${sources})
    thrust_hist_compile_tests(${name} ${checked} ${unrun})
    if(NOT sources)
      return()
    endif()
  endif()
  thrust_hist_in_batches(units ${name} ${sources})
  add_executable(${name} support/main.cpp ${units})
  thrust_hist_build_test(${name} ${system} ${checked})
  if(system STREQUAL "cuda")
    set_target_properties(${name} PROPERTIES CUDA_RUNTIME_LIBRARY
      $<IF:$<BOOL:${THRUST_HIST_STATIC_TESTS}>,Static,Shared>)
    file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/toolkit.txt"
      "${CMAKE_CUDA_COMPILER_VERSION}, Thrust ${THRUST_VERSION}, sm_${CMAKE_CUDA_ARCHITECTURES}\n")
    set(label cuda)
  else()
    set(label host)
  endif()

  set(list "${CMAKE_CURRENT_BINARY_DIR}/${name}-suites.cmake")
  if(NOT EXISTS "${list}")
    file(WRITE "${list}" "add_test(${name}.is_not_built false)\n")
  endif()
  add_custom_command(TARGET ${name} POST_BUILD BYPRODUCTS "${list}" VERBATIM
    COMMAND "${CMAKE_COMMAND}" "-Dprogram=$<TARGET_FILE:${name}>" "-Dname=${name}" "-Dlist=${list}"
      "-Dseconds=${seconds}" "-Dlabel=${label}" "-Dubsan=${THRUST_HIST_TEST_UBSAN}"
      -P "${PROJECT_SOURCE_DIR}/thrust_hist/cmake/thrust_hist-list-suites.cmake")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${list}")
endfunction()
