import { constants } from 'node:fs'
import { access, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { EngineError, codeOf, messageOf } from '../../engine/errors.ts'
import { runChecks } from '../checks.ts'
import type { ConnectorRunner } from '../connector.types.ts'
import { folderOf } from '../stores/paths.ts'
import { fileResources } from '../stores/resources.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export const fileConnector: ConnectorRunner = {
  type: 'file',
  async test(connector) {
    let folder = ''
    let files: string[] = []
    return runChecks([
      { name: 'resolve', run: async () => (folder = await folderOf(connector)) },
      { name: 'list', run: async () => (files = await friendly(() => readdir(folder), `${folder} cannot be listed`)) },
      { name: 'read_probe', run: () => readProbe(folder, files) },
      { name: 'write_probe', run: () => friendly(() => writeProbe(folder), `${folder} cannot be written`) },
    ])
  },
  ...fileResources,
}

async function friendly<T>(work: () => Promise<T>, what: string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new EngineError(
      'FILE_UNREADABLE',
      runMessage('folder_check_failed', { folder: what, cause: messageOf(error) }),
      {
        hint:
          codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM'
            ? runMessage('folder_check_failed_fix')
            : runMessage('folder_check_failed_fix_2'),
        cause: error,
      },
    )
  }
}

async function readProbe(folder: string, files: string[]): Promise<void> {
  await friendly(() => access(folder, constants.R_OK | constants.X_OK), `${folder} cannot be read`)
  for (const name of files) {
    const path = join(folder, name)
    if (!(await stat(path).catch(() => null))?.isFile()) continue
    await friendly(async () => (await open(path, 'r')).close(), `${path} cannot be read`)
    return
  }
}

async function writeProbe(folder: string): Promise<void> {
  const probe = join(folder, `.headgate-probe-${randomBytes(6).toString('hex')}`)
  try {
    await writeFile(probe, 'headgate', { flag: 'wx' })
  } finally {
    await rm(probe, { force: true })
  }
}
