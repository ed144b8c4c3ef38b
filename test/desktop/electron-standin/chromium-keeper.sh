#!/bin/sh
# Runs Chromium (the arguments after the profile's folder) for as long as stdin is open: the stand-in's main process holds
# the other end, and when it is killed its windows must go with it, as Electron's do. Then the profile is removed.
profile=$1
shift
# Chromium alone writes to stderr: a word of the shell's own, with nobody left to read it, would end the shell.
exec 3<&0 4>&2 2>/dev/null
"$@" </dev/null 2>&4 3<&- 4>&- &
chromium=$!
exec 4>&-
{
  cat <&3 >/dev/null
  kill -9 "$chromium"
} &
wait "$chromium"
status=$?
# Helpers of a Chromium that was killed still write for a moment.
for _ in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf "$profile"
  sleep 0.2
  [ -e "$profile" ] || break
done
exit "$status"
