# Finds Thrust and connects it to one target. Used by the top-level CMakeLists.txt and, after an
# installation, by thrust_hist-config.cmake.
#
# Never through CCCL::CCCL: that target bakes in a device system and clashes with a Thrust target
# that the consumer creates himself.

# Where the CUDA toolkit keeps Thrust's package. Where CUDA is off too: a toolkit's Thrust is newer
# than the distribution's, unless it is too old for us.
function(_thrust_hist_toolkit_hints result)
  set(compilers "${CMAKE_CUDA_COMPILER}" "$ENV{CUDACXX}")
  find_program(THRUST_HIST_NVCC nvcc PATHS "$ENV{CUDA_HOME}/bin" /usr/local/cuda/bin)
  mark_as_advanced(THRUST_HIST_NVCC)
  set(roots "${CUDAToolkit_ROOT}" "$ENV{CUDA_HOME}" "$ENV{CUDA_PATH}")
  foreach(compiler IN LISTS compilers THRUST_HIST_NVCC)
    if(compiler)
      get_filename_component(compiler "${compiler}" REALPATH)
      get_filename_component(bin "${compiler}" DIRECTORY)
      get_filename_component(root "${bin}" DIRECTORY)
      list(APPEND roots "${root}")
    endif()
  endforeach()
  set(hints "")
  foreach(root IN LISTS roots)
    if(EXISTS "${root}/include/cccl/thrust/version.h")
      list(APPEND hints "${root}/lib64/cmake/thrust" "${root}/lib/cmake/thrust")
    elseif(EXISTS "${root}/include/thrust/version.h")
      file(STRINGS "${root}/include/thrust/version.h" version REGEX "define THRUST_VERSION ")
      string(REGEX REPLACE "[^0-9]*([0-9]+).*" "\\1" version "${version}")
      if(version GREATER_EQUAL 101700)
        list(APPEND hints "${root}/lib64/cmake/thrust" "${root}/lib/cmake/thrust")
      endif()
    endif()
  endforeach()
  set(${result} "${hints}" PARENT_SCOPE)
endfunction()

# thrust_hist_link_thrust(<interface target> <variable for an error>)
macro(thrust_hist_link_thrust target error)
  set(${error} "")
  if(NOT TARGET Thrust::Thrust)
    # No version is asked for: Thrust's packages call other major versions incompatible. HINTS come
    # after what the user names (Thrust_DIR, CMAKE_PREFIX_PATH) and before the system's own, where
    # a Debian libthrust-dev 1.17 would be taken silently. The PATH is left to the hints.
    _thrust_hist_toolkit_hints(_thrust_hist_hints)
    find_package(Thrust CONFIG QUIET NO_SYSTEM_ENVIRONMENT_PATH HINTS ${_thrust_hist_hints})
  endif()
  if(NOT TARGET Thrust::Thrust)
    set(${error} "thrust_hist needs Thrust: install the CUDA toolkit, CCCL or libthrust-dev, or set Thrust_DIR")
  elseif(THRUST_VERSION VERSION_LESS 1.17)
    set(${error} "thrust_hist needs Thrust 1.17 or newer, found ${THRUST_VERSION}: set Thrust_DIR")
  elseif(CMAKE_CUDA_COMPILER_LOADED AND THRUST_VERSION VERSION_LESS 2.8)
    set(${error} "thrust_hist needs Thrust (CCCL) 2.8 or newer for CUDA, found ${THRUST_VERSION}: set Thrust_DIR")
  else()
    target_link_libraries(${target} INTERFACE "$<BUILD_INTERFACE:Thrust::Thrust>")
    _thrust_hist_choose_device_system(${target})
  endif()
endmacro()

# Without the CUDA language Thrust's own default, CUDA, does not compile, so the choice is CPP. It
# gives way to a consumer's own Thrust target: that one sets THRUST_DEVICE, which CMake collects
# over all that the consumer links. THRUST_HIST_DEVICE_SYSTEM: CPP, OMP, TBB, CUDA or NONE (the
# consumer defines THRUST_DEVICE_SYSTEM himself).
function(_thrust_hist_choose_device_system target)
  set(system "${THRUST_HIST_DEVICE_SYSTEM}")
  set(systems CPP OMP TBB CUDA NONE)
  if(system AND NOT system IN_LIST systems)
    message(FATAL_ERROR "THRUST_HIST_DEVICE_SYSTEM is '${system}': it must be one of CPP, OMP, TBB, CUDA, NONE")
  endif()
  if(NOT system AND NOT CMAKE_CUDA_COMPILER_LOADED)
    set(system CPP)
  endif()
  if(system AND NOT system STREQUAL "NONE")
    set(own "$<TARGET_PROPERTY:THRUST_DEVICE>")
    target_compile_definitions(${target} INTERFACE
      "$<BUILD_INTERFACE:$<$<STREQUAL:${own},>:THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_${system}>>")
  endif()
endfunction()
