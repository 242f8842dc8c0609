# The Python package, in a component of its own: `cmake --install BUILD --component python` installs it alone. NetworkX
# finds its backend by the entry points of a folder meshway-VERSION.dist-info, which stands beside the package.
set(MW_PYTHON_DIR lib/python3/dist-packages CACHE STRING
  "where the Python package is installed, below the prefix; empty: nowhere")
if(NOT MW_PYTHON_DIR OR NOT TARGET meshway_shared)
  return()
endif()

set(info ${PROJECT_BINARY_DIR}/python/meshway-${PROJECT_VERSION}.dist-info)
file(READ python/pyproject.toml said)
if(NOT said MATCHES "\nversion = \"${PROJECT_VERSION}\"")
  message(FATAL_ERROR "python/pyproject.toml has another version than ${PROJECT_VERSION}")
endif()
foreach(key description requires-python)
  string(REGEX REPLACE ".*\n${key} = \"([^\n]*)\"\n.*" "\\1" ${key} "${said}")
endforeach()
string(REGEX REPLACE ".*\ndependencies = \\[\"([^\n]*)\"\\]\n.*" "\\1" needs "${said}")
file(WRITE ${info}/METADATA "Metadata-Version: 2.1\nName: meshway\nVersion: ${PROJECT_VERSION}\n"
  "Summary: ${description}\nLicense: Apache-2.0\nRequires-Python: ${requires-python}\nRequires-Dist: ${needs}\n")
file(WRITE ${info}/INSTALLER "cmake\n")
string(REGEX MATCHALL "entry-points.\"[a-z_.]+\"\\]\n[^\n]+" entries "${said}")
string(REGEX REPLACE "entry-points.\"([a-z_.]+)\"\\]\n([^=]+)= \"([^\n;]+)\"" "[\\1]\n\\2= \\3\n" entries "${entries}")
string(REPLACE ";" "" entries "${entries}")
file(WRITE ${info}/entry_points.txt "${entries}")

install(DIRECTORY ${info} DESTINATION ${MW_PYTHON_DIR} COMPONENT python)
install(DIRECTORY python/meshway DESTINATION ${MW_PYTHON_DIR} COMPONENT python
  FILES_MATCHING PATTERN *.py PATTERN py.typed PATTERN __pycache__ EXCLUDE PATTERN _sweep EXCLUDE PATTERN _read.py EXCLUDE)
install(FILES tools/meshway_read.py RENAME _read.py DESTINATION ${MW_PYTHON_DIR}/meshway COMPONENT python)
install(FILES python/meshway/_sweep/__init__.py tools/meshway_sweep/campaign.py tools/meshway_sweep/results.py
  DESTINATION ${MW_PYTHON_DIR}/meshway/_sweep COMPONENT python)
