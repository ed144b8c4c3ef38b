#!/bin/sh
# Runs Chromium (the arguments after the profile's folder) for as long as stdin is open: the stand-in's main process holds
# the other end, and when it is killed its windows must go with it, as Electron's do. Then the profile is removed.
profile=$1
shift
exec 3<&0
"$@" </dev/null 3<&- &
chromium=$!
{
  cat <&3 >/dev/null
  kill -9 "$chromium" 2>/dev/null
} &
wait "$chromium"
status=$?
# Helpers of a Chromium that was killed still write for a moment.
for _ in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf "$profile" 2>/dev/null
  sleep 0.2
  [ -e "$profile" ] || break
done
exit "$status"
