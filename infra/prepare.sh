# Runs the command of an npm script; a script of several commands reads it before them. A script of npm's own would start npm a
# second time, which takes longer than many commands do.

# Everything follows HTTPS_PROXY and NO_PROXY, as npm and git do, and trusts whom the system trusts. What runs on this machine
# is never asked for at a proxy. An address without its scheme, or of another kind of proxy, Node does not take.
case "${https_proxy:-$HTTPS_PROXY},${http_proxy:-$HTTP_PROXY}" in
http*://*,http*://* | http*://*,) export NODE_USE_ENV_PROXY="${NODE_USE_ENV_PROXY-1}" ;;
esac
# Node reads some hundred files to know whom the system trusts, which a short command would notice. What is on this machine
# alone has nobody to trust: the sample account, and a ledger here.
case "$* " in
*' --service-url'* | *' --aws-endpoint'*) export NODE_USE_SYSTEM_CA="${NODE_USE_SYSTEM_CA-1}" ;;
*'program.ts start '* | *' --local '*) ;;
*) export NODE_USE_SYSTEM_CA="${NODE_USE_SYSTEM_CA-1}" ;;
esac
NO_PROXY="${no_proxy:-$NO_PROXY}"
export NO_PROXY="${NO_PROXY:+$NO_PROXY,}localhost,127.0.0.1,[::1]"
export no_proxy="$NO_PROXY"

# Installs the packages where package-lock.json has changed since they were.
[ node_modules/.package-lock.json -nt package-lock.json ] || {
  echo 'Installing the packages (once, about a minute): CDK, the AWS clients, MJML and the tools of the tests …' 1>&2
  npm ci --loglevel=error 1>&2
} || exit

# Node keeps what it compiles of the modules that it loads, and takes it from there the next time: in a short command
# compiling takes most of the time. Where the folder cannot be written nothing is kept.
export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/broadcast-digest-modules"

exec "$@"
