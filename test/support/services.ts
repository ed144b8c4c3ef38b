import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { serviceFolder } from '../../tools/services/service-folder.mjs'

/** Servers that no Debian package has; `tools/services` builds them. */
export type BuiltService = 'ferretdb' | 'minio'

/** The program, or null where it could not be built: the tests that need it are then skipped by name. */
export function serviceBinary(service: BuiltService): string | null {
  const path = join(serviceFolder, service)
  return existsSync(path) ? path : null
}
