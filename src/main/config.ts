import { isAbsolute, join, resolve } from 'node:path'
import { defaultDataDir } from '../process/data-dir.ts'

export interface DesktopConfig {
  /** The server's data folder. */
  dataDir: string
  /** Where Chromium keeps the window's profile, and we its place on the screen and the log. One instance per folder. */
  userDataDir: string
  /** Handed to the server as it is: the server says what is wrong with it. */
  port: string | undefined
  /** `SVC_*` variables, for the server alone. */
  serviceEnv: Record<string, string>
}

export interface Surroundings {
  argv: readonly string[]
  env: Record<string, string | undefined>
  platform: NodeJS.Platform
  home: string
  cwd: string
}

/** Reads what the command line and the environment say: `--data-dir`, `--user-data-dir`, `--port`, `SVC_*`. */
export function readConfig({ argv, env, platform, home, cwd }: Surroundings): DesktopConfig {
  const userDataDir = optionValue(argv, 'user-data-dir')
  const fallback = userDataDir ? join(userDataDir, 'data') : defaultDataDir(env, platform, home)
  const named = optionValue(argv, 'data-dir') ?? (env.SVC_DATA_DIR || fallback)
  const dataDir = isAbsolute(named) ? named : resolve(cwd, named)
  return {
    dataDir,
    userDataDir: userDataDir ? resolve(cwd, userDataDir) : join(dataDir, 'window'),
    port: optionValue(argv, 'port'),
    serviceEnv: serviceVariables(env),
  }
}

/** The value of `--name value` or `--name=value`; the last one counts. */
export function optionValue(argv: readonly string[], name: string): string | undefined {
  for (let at = argv.length - 1; at >= 0; at--) {
    const argument = argv[at] ?? ''
    if (argument.startsWith(`--${name}=`)) return argument.slice(name.length + 3)
    if (argument === `--${name}`) return argv[at + 1]
  }
  return undefined
}

function serviceVariables(env: Record<string, string | undefined>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [key, value] of Object.entries(env)) {
    if (key.startsWith('SVC_') && value !== undefined) found[key] = value
  }
  return found
}
