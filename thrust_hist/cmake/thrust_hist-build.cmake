# For the tests and examples of this project only, nothing of it reaches a consumer: build type,
# ccache, warnings as errors, the CUDA language and its architectures.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(THRUST_HIST_CCACHE ccache)
mark_as_advanced(THRUST_HIST_CCACHE)
if(THRUST_HIST_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${THRUST_HIST_CCACHE}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${THRUST_HIST_CCACHE}")
endif()

# `native` fails where there is no GPU, so it is asked for by hand.
function(thrust_hist_choose_architectures)
  set(chosen "${THRUST_HIST_CUDA_ARCHITECTURES}")
  if(NOT chosen)
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
      OUTPUT_VARIABLE found ERROR_QUIET RESULT_VARIABLE failed)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]" found "${found}")
    string(REPLACE "." "" chosen "${found}")
    list(REMOVE_DUPLICATES chosen)
    if(failed OR NOT chosen)
      set(chosen 90)
    endif()
  endif()
  set(CMAKE_CUDA_ARCHITECTURES "${chosen}" PARENT_SCOPE)
endfunction()

set(THRUST_HIST_CUDA OFF)
if(THRUST_HIST_ENABLE_CUDA)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(THRUST_HIST_NVCC nvcc PATHS "$ENV{CUDA_HOME}/bin" /usr/local/cuda/bin)
    if(THRUST_HIST_NVCC)
      set(CMAKE_CUDA_COMPILER "${THRUST_HIST_NVCC}")
    endif()
  endif()
  if(NOT CMAKE_CUDA_ARCHITECTURES OR THRUST_HIST_CUDA_ARCHITECTURES)
    thrust_hist_choose_architectures()
  endif()
  if(THRUST_HIST_ENABLE_CUDA STREQUAL "AUTO")
    include(CheckLanguage)
    check_language(CUDA)
    set(THRUST_HIST_CUDA "${CMAKE_CUDA_COMPILER}")
  else()
    set(THRUST_HIST_CUDA ON)
  endif()
endif()
if(THRUST_HIST_CUDA)
  enable_language(CUDA)
  set(THRUST_HIST_CUDA ON)
endif()
message(STATUS "CUDA: ${THRUST_HIST_CUDA} ${CMAKE_CUDA_ARCHITECTURES}")

# Flags of every program that is built here. g++ 12 guesses impossible sizes in what it inlines from
# Thrust's copies, so those warnings of its optimiser are off.
set(warnings -Wall -Wextra)
set(warnings_of_gnu -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds -Wno-restrict)
set(cuda_warnings ${warnings})
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND warnings ${warnings_of_gnu})
endif()
if(CMAKE_CUDA_HOST_COMPILER MATCHES "clang")
  # Of the toolkit's functions of half precision, and of what nvcc makes of extended lambdas.
  list(APPEND cuda_warnings -Wno-unused-function -Wno-deprecated-copy)
else()
  # With -O1, g++ 12 takes an empty function object that CUB hands on for something that wants a value.
  list(APPEND cuda_warnings ${warnings_of_gnu} -Wno-maybe-uninitialized)
endif()
list(JOIN cuda_warnings "," cuda_warnings)
add_library(thrust_hist_flags INTERFACE)
target_compile_options(thrust_hist_flags INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${warnings};-Werror>"
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${cuda_warnings};-Werror=all-warnings;--extended-lambda>")
if(THRUST_HIST_SANITIZE)
  # Thrust 3.0.1 binds references to null in its own select_system. 1.17 moves 0 bytes from null in one
  # header, which test/support/ubsan.supp names; only what can be recovered from can be suppressed.
  # A call under explain() may be given null pointers, and returns its output + n as any other.
  set(sanitize -fsanitize=address,undefined -fno-sanitize=null,pointer-overflow -fno-sanitize-recover=all
    -fsanitize-recover=nonnull-attribute)
  target_compile_options(thrust_hist_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:${sanitize};-fno-omit-frame-pointer>")
  target_link_options(thrust_hist_flags INTERFACE ${sanitize})
endif()

find_package(OpenMP QUIET COMPONENTS CXX)
find_package(TBB QUIET CONFIG)
find_package(Threads REQUIRED)
set(THRUST_HIST_HOST_SYSTEMS cpp)
if(OpenMP_CXX_FOUND)
  list(APPEND THRUST_HIST_HOST_SYSTEMS omp)
endif()
if(TARGET TBB::tbb)
  list(APPEND THRUST_HIST_HOST_SYSTEMS tbb)
endif()
message(STATUS "Host systems: ${THRUST_HIST_HOST_SYSTEMS}")

# thrust_hist_build_for(<target> cpp|omp|tbb|cuda): the flags, the library and one device system.
# A Thrust that is not the CUDA toolkit's must stand before the toolkit's, so only C++ sees Thrust's
# headers as system ones. A host program also gets every host system that this machine has.
function(thrust_hist_build_for target system)
  set(thrust_dirs "$<TARGET_PROPERTY:Thrust::Thrust,INTERFACE_INCLUDE_DIRECTORIES>")
  target_include_directories(${target} SYSTEM PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${thrust_dirs}>")
  target_link_libraries(${target} PRIVATE thrust_hist::thrust_hist thrust_hist_flags Threads::Threads)
  string(TOUPPER "${system}" macro)
  set_target_properties(${target} PROPERTIES THRUST_DEVICE "${macro}") # see thrust_hist-thrust.cmake
  target_compile_definitions(${target} PRIVATE THRUST_HOST_SYSTEM=THRUST_HOST_SYSTEM_CPP
    "$<IF:$<COMPILE_LANGUAGE:CUDA>,THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CUDA,THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_${macro}>")
  if(system STREQUAL "cuda")
    return()
  endif()
  if(OpenMP_CXX_FOUND)
    target_link_libraries(${target} PRIVATE OpenMP::OpenMP_CXX)
  endif()
  if(TARGET TBB::tbb)
    target_link_libraries(${target} PRIVATE TBB::tbb)
    target_compile_definitions(${target} PRIVATE THRUST_HIST_TEST_TBB)
  endif()
endfunction()

# thrust_hist_runs_on_gpu(<name> <program> [<argument>...]): what CTest runs on a GPU and test/run_gpu.sh, too,
# which reads it in gpu_programs.txt: a line each, tabs between, no path of this machine.
set_property(GLOBAL PROPERTY THRUST_HIST_GPU_PROGRAMS "")
function(thrust_hist_runs_on_gpu name)
  list(JOIN ARGN "\t" command)
  string(REPLACE "${PROJECT_BINARY_DIR}/" "@build@/" command "${command}")
  string(REPLACE "${PROJECT_SOURCE_DIR}/" "@source@/" command "${command}")
  set_property(GLOBAL APPEND_STRING PROPERTY THRUST_HIST_GPU_PROGRAMS "${name}\t${command}\n")
endfunction()
function(thrust_hist_write_gpu_programs)
  get_property(lines GLOBAL PROPERTY THRUST_HIST_GPU_PROGRAMS)
  file(WRITE "${PROJECT_BINARY_DIR}/gpu_programs.txt" "${lines}")
endfunction()
