/** What every program gets of the executor's own environment, where it is set. No keys, no passwords. */
const passedOn = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LANGUAGE',
  'TZ',
  // Windows does not start programs without these.
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMFILES',
  'PROGRAMDATA',
])

/** Variables that make a program load or run other code: with a list of allowed programs they would open it again. */
const steering =
  /^(PATH|LD_.*|DYLD_.*|GCONV_PATH|BASH_ENV|ENV|IFS|PS4|SHELLOPTS|NODE_.*|PYTHON.*|PERL.*|RUBY.*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|GIT_.*|RSYNC_RSH|.*_EXEC_PATH)$/i

export function commandEnvironment(
  inherited: Record<string, string | undefined>,
  own: Record<string, string>,
  tempDir: string,
): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && (passedOn.has(name.toUpperCase()) || name.startsWith('LC_'))) env[name] = value
  }
  return { ...env, TMPDIR: tempDir, TEMP: tempDir, TMP: tempDir, ...own }
}

export function steers(name: string): boolean {
  return steering.test(name)
}
