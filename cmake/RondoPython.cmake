# The Python interpreter for test runners. The python3 on PATH may be a wrapper script (pyenv's takes longer than Python
# itself to start), so the tests call the interpreter directly.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
execute_process(COMMAND ${Python3_EXECUTABLE} -c "import sys; print(sys.executable)"
  OUTPUT_VARIABLE python OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(Python3_EXECUTABLE ${python})
