# Python for the tests that drive programs from outside. What is found on PATH may be a script that looks for the right
# Python each time it is called (pyenv's does, and takes longer than Python itself to start): the tests call what it leads to.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
execute_process(COMMAND ${Python3_EXECUTABLE} -c "import sys; print(sys.executable)"
  OUTPUT_VARIABLE python OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(Python3_EXECUTABLE ${python})
