#!/bin/sh
# /usr/bin/fordra: the command line with the settings of the service, where they may be read.
settings=/etc/fordra/fordra.env
if [ -r "$settings" ]; then set -- --env-file="$settings" /usr/lib/fordra/cli/main.js "$@"
else set -- /usr/lib/fordra/cli/main.js "$@"; fi
exec /usr/lib/fordra/node --disable-warning=ExperimentalWarning "$@"
