find_package(GTest REQUIRED)

# warplens_test(NAME label sources…): one program, each of its tests a ctest test.
function(warplens_test name label)
  if(NOT ARGN)
    return()
  endif()
  add_executable(${name} ${ARGN})
  target_compile_definitions(${name} PRIVATE WARPLENS_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                             WARPLENS_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_link_libraries(${name} PRIVATE warplens_app warplens_flags GTest::gtest_main GTest::gmock)
endfunction()

warplens_glob(core_test_sources tests/core/*_test.cpp)
warplens_test(core_tests core ${core_test_sources})
warplens_glob(app_test_sources tests/app/*_test.cpp)
warplens_test(app_tests app ${app_test_sources})

include(GoogleTest)
foreach(label core app)
  if(TARGET ${label}_tests)
    gtest_discover_tests(${label}_tests DISCOVERY_MODE PRE_TEST PROPERTIES LABELS ${label} TIMEOUT 300)
  endif()
endforeach()
