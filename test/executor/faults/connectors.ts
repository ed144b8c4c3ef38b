import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import type { MariaDbServer } from '../../support/mariadb.ts'
import type { MinioServer } from '../../support/minio.ts'
import type { PostgresServer } from '../../support/postgres.ts'
import type { SshServer } from '../../support/sshd.ts'

let ids = 700_000

/** The servers as connectors, at their own port or at that of a proxy before them. */
export function postgresConnector(server: PostgresServer, port: number, schema: string, id = ++ids): BoundConnector {
  const { host, database, user, password } = server
  return { id, name: 'dw', type: 'postgres', config: { host, port, database, user, schema }, secrets: { password } }
}

export function mysqlConnector(server: MariaDbServer, port: number, database: string): BoundConnector {
  const { host, user, password } = server
  return { id: ++ids, name: 'shop', type: 'mysql', config: { host, port, database, user }, secrets: { password } }
}

export function mongoConnector(port: number, database: string): BoundConnector {
  // A server that is gone is looked for ten seconds by default.
  const uri = `mongodb://127.0.0.1:${port}/?serverSelectionTimeoutMS=2000`
  return { id: ++ids, name: 'erp', type: 'mongodb', config: { uri, database }, secrets: {} }
}

export function s3Connector(minio: MinioServer, port: number): BoundConnector {
  const config = {
    bucket: minio.bucket,
    endpoint: `http://127.0.0.1:${port}`,
    path_style: true,
    access_key_id: minio.accessKey,
  }
  return { id: ++ids, name: 'lake', type: 's3', config, secrets: { secret_access_key: minio.secretKey } }
}

export function sftpConnector(server: SshServer, port: number, root = server.folder): BoundConnector {
  const config = { host: '127.0.0.1', port, user: server.user, root, host_key: server.fingerprint }
  return { id: ++ids, name: 'inbox', type: 'sftp', config, secrets: { private_key: server.privateKey } }
}
