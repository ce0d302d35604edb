# One program with all systems in it; each is compiled on its own.
add_executable(histogram_file histogram_file.cpp support/counter_seq.cpp)
thrust_hist_build_for(histogram_file cpp)
target_link_libraries(histogram_file PRIVATE fmt::fmt CLI11::CLI11)
set(file_systems seq)
set(file_macros "")
if("omp" IN_LIST every_system)
  target_sources(histogram_file PRIVATE support/counter_omp.cpp)
  target_link_libraries(histogram_file PRIVATE OpenMP::OpenMP_CXX)
  list(APPEND file_macros THRUST_HIST_EXAMPLE_OPENMP)
  list(APPEND file_systems omp)
endif()
# A program that is carried elsewhere may not find the shared library of TBB there.
if("tbb" IN_LIST every_system AND NOT THRUST_HIST_STATIC_TESTS)
  target_sources(histogram_file PRIVATE support/counter_tbb.cpp)
  target_link_libraries(histogram_file PRIVATE TBB::tbb)
  list(APPEND file_macros THRUST_HIST_EXAMPLE_TBB)
  list(APPEND file_systems tbb)
endif()
if(THRUST_HIST_CUDA)
  add_library(histogram_file_cuda OBJECT
    support/counter_cuda.cu support/counter_cuda_signed.cu)
  thrust_hist_build_for(histogram_file_cuda cuda)
  target_sources(histogram_file PRIVATE "$<TARGET_OBJECTS:histogram_file_cuda>")
  list(APPEND file_macros THRUST_HIST_EXAMPLE_CUDA)
  set_target_properties(histogram_file PROPERTIES LINKER_LANGUAGE CUDA)
  list(APPEND file_systems cuda)
endif()
# Of this source alone: the others are the same whatever systems there are, as ccache can see then.
set_source_files_properties(histogram_file.cpp PROPERTIES COMPILE_DEFINITIONS "${file_macros}")

# Input: 4.9 MB of text, which is a raw file of numbers of every type as well, and bad files.
set(input "${CMAKE_CURRENT_BINARY_DIR}/input")
string(REPEAT "Sphinx of black quartz, judge my vow. 0123456789\n" 100000 text)
file(CONFIGURE OUTPUT "${input}/text" CONTENT "${text}" @ONLY)
file(CONFIGURE OUTPUT "${input}/odd" CONTENT "seven b" @ONLY)
file(CONFIGURE OUTPUT "${input}/text.npy" CONTENT "no numbers" @ONLY)
file(TOUCH "${input}/empty")

function(test_file name) # on every system
  foreach(system IN LISTS file_systems)
    set(arguments histogram_file.${name}.${system} histogram_file --system ${system} ${ARGN})
    if(system STREQUAL "cuda")
      test_on_gpu(${arguments})
      thrust_hist_runs_on_gpu(example.histogram_file.${name}
        "${CMAKE_CURRENT_BINARY_DIR}/histogram_file" --system cuda ${ARGN})
    else()
      test_example(${arguments})
    endif()
  endforeach()
endfunction()
test_file(bytes "${input}/text" --svg "${input}/bytes.svg")
test_file(letters "${input}/text" --count letters --chunk 1)
test_file(npy "${data}/heights.npy" --bins 100)
test_file(range "${data}/heights.npy" --range 200 300.5 --bins 1000 --rows 10)
test_file(signed_range "${input}/text" --type i8 --range -100 100 --bins 333)
foreach(type IN ITEMS u8 u16 u32 u64 i8 i16 i32 i64 f32 f64)
  test_file(${type} "${input}/text" --type ${type} --chunk 2 --bins 77)
  test_file(${type}_default_bins "${input}/text" --type ${type})
endforeach()

# Bad input: exit code and message.
function(test_refusal name message)
  list(JOIN ARGN "|" arguments) # a list would be split
  test_example(histogram_file.${name} "${CMAKE_COMMAND}" "-Dprogram=$<TARGET_FILE:histogram_file>"
    "-Darguments=${arguments}" "-Dmessage=${message}"
    -P "${CMAKE_CURRENT_SOURCE_DIR}/support/expect_refusal.cmake")
endfunction()
test_refusal(missing_file "nowhere: no such file" "${input}/nowhere")
test_refusal(directory "is not a regular file" "${input}")
test_refusal(empty_file "empty is empty: there is nothing to count" "${input}/empty")
test_refusal(unknown_type "unknown type 'f16': it must be one of u8, u16" "${input}/odd" --type f16)
test_refusal(odd_size "has 7 bytes, which is no multiple of the 4 bytes of a number of type f32"
  "${input}/odd" --type f32)
test_refusal(no_npy "does not begin like a .npy file: give the --type" "${input}/text.npy")
test_refusal(other_type "holds f32, not f64" "${data}/heights.npy" --type f64)
test_refusal(bad_level "'x' is no level for numbers of type f32"
  "${data}/heights.npy" --range 0 x)
test_refusal(negative_level "'-1' is no level for numbers of type u8"
  "${input}/text" --type u8 --range -1 9)
test_refusal(bad_range "lower" "${data}/heights.npy" --range 3 3)
test_refusal(no_type "needs the --type" "${input}/odd" --count numbers)
