# What Debian wants of a package beside the files of an installation: CPack runs this in the folder of the
# package before it is packed. Man pages are compressed; copyright and changelog stand where lintian looks.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
file(MAKE_DIRECTORY ${share}/doc/${CPACK_PACKAGE_NAME})
file(WRITE ${share}/doc/${CPACK_PACKAGE_NAME}/copyright
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Meshway

Files: *
Copyright: 2026 the Meshway developers
License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.
")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH counts
file(WRITE ${share}/doc/${CPACK_PACKAGE_NAME}/changelog
"${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * CHANGELOG.md beside this file says what is new.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(GLOB pages ${share}/man/man1/*.1)
execute_process(COMMAND gzip -9nf ${pages} ${share}/doc/${CPACK_PACKAGE_NAME}/changelog COMMAND_ERROR_IS_FATAL ANY)
