import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { EngineError } from '../../engine/errors.ts'
import { openLocalStore } from '../file/local.ts'
import type { FileStore, StoreIo } from './store.types.ts'
import { openS3Store } from '../s3/store.ts'
import { openSftpStore } from '../sftp/store.ts'
import { runMessage } from '../../../contract/run-messages.ts'

const stores: Record<string, (connector: BoundConnector, io: StoreIo) => Promise<FileStore>> = {
  file: openLocalStore,
  s3: openS3Store,
  sftp: openSftpStore,
}

export function openFileStore(connector: BoundConnector, io: StoreIo): Promise<FileStore> {
  const open = Object.hasOwn(stores, connector.type) ? stores[connector.type] : undefined
  if (open) return open(connector, io)
  throw new EngineError(
    'CONNECTOR_UNSUITABLE',
    runMessage('connector_keeps_no_files', { connector: connector.name, type: connector.type }),
    { hint: runMessage('connector_keeps_no_files_fix', { types: Object.keys(stores) }) },
  )
}

/** Opens a store for some work and closes it afterwards, however the work ends. */
export async function withFileStore<T>(
  connector: BoundConnector,
  io: StoreIo,
  work: (store: FileStore) => Promise<T>,
): Promise<T> {
  const store = await openFileStore(connector, io)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
