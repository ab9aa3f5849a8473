# Makes one page of HTML, style and script, and of that a C array: cmake -DPAGE=... -DSTYLE=... -DSCRIPT=... -DOUT=...
# -DNAME=... -DHEADER=... -P. NAME is that of the array, which HEADER declares. Without SCRIPT the page has none. The
# page names style and script @STYLE@ and @SCRIPT@, and by their digests, @STYLE_DIGEST@ and @SCRIPT_DIGEST@, in its
# policy, so that a browser runs nothing else. OUT is written only if it changes.

# Digests are written as a policy wants them: SHA-256 in base 64, three bytes being four digits.
function(akin_digest file out)
    file(SHA256 ${file} hex)
    set(digits "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    set(text "")
    foreach(at RANGE 0 54 6) # of 32 bytes the first 30
        string(SUBSTRING ${hex} ${at} 6 bytes)
        foreach(shift 18 12 6 0)
            math(EXPR digit "(0x${bytes} >> ${shift}) & 63")
            string(SUBSTRING ${digits} ${digit} 1 digit)
            string(APPEND text ${digit})
        endforeach()
    endforeach()
    string(SUBSTRING ${hex} 60 4 bytes)
    foreach(shift 10 4 -2)
        if(shift LESS 0)
            math(EXPR digit "(0x${bytes} << 2) & 63")
        else()
            math(EXPR digit "(0x${bytes} >> ${shift}) & 63")
        endif()
        string(SUBSTRING ${digits} ${digit} 1 digit)
        string(APPEND text ${digit})
    endforeach()
    set(${out} "sha256-${text}=" PARENT_SCOPE)
endfunction()

# What these files hold is put in as bytes, in hexadecimal digits: CMake would take brackets and semicolons for its own.
function(akin_replace variable name file)
    file(READ ${file} content HEX)
    akin_hex("@${name}@" mark)
    string(REPLACE "${mark}" "${content}" result "${${variable}}")
    set(${variable} "${result}" PARENT_SCOPE)
endfunction()

function(akin_hex text out)
    file(WRITE ${OUT}.text "${text}")
    file(READ ${OUT}.text hex HEX)
    file(REMOVE ${OUT}.text)
    set(${out} ${hex} PARENT_SCOPE)
endfunction()

file(READ ${PAGE} page HEX)
set(parts STYLE)
if(SCRIPT)
    list(APPEND parts SCRIPT)
endif()
foreach(name IN LISTS parts)
    akin_replace(page ${name} ${${name}})
    akin_digest(${${name}} digest)
    akin_hex("@${name}_DIGEST@" mark)
    akin_hex("${digest}" digest)
    string(REPLACE "${mark}" "${digest}" page "${page}")
endforeach()
string(LENGTH "${page}" length)
math(EXPR length "${length} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," page "${page}")
string(REGEX REPLACE "(.{120})" "\\1\n" page "${page}")
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT "/* Made of a page when the build was configured. */
#include \"${HEADER}\"

const unsigned char ${NAME}[] = {
${page}
};
const size_t ${NAME}_length = ${length};
")
