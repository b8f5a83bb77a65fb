#!/bin/sh
# Installs the packages where package-lock.json has changed since they were. Every npm script begins with this: a script of
# npm's own would start npm a second time, which takes longer than many commands do.
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --loglevel=error 1>&2
