// Where the test servers that are built from source are kept: outside node_modules, which `npm ci` empties.
import { homedir } from 'node:os'
import { join } from 'node:path'

export const serviceFolder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'headgate', 'services')
