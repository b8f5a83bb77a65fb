# Read by every npm script before its command. A script of npm's own would start npm a second time, which takes longer than
# many commands do.

# Installs the packages where package-lock.json has changed since they were.
[ node_modules/.package-lock.json -nt package-lock.json ] || {
  echo 'Installing the packages (once, about a minute): CDK, the AWS clients, MJML and the tools of the tests …' 1>&2
  npm ci --loglevel=error 1>&2
} || exit

# Node keeps what it compiles of the modules that it loads, and takes it from there the next time: in a short command
# compiling takes most of the time. Where the folder cannot be written nothing is kept.
export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/broadcast-digest-modules"
