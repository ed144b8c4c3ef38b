import { hasMongo } from '../../support/ferretdb.ts'
import { hasMariaDb } from '../../support/mariadb.ts'
import { minioProgram } from '../../support/minio.ts'
import { postgresPrograms } from '../../support/postgres.ts'
import { sshdProgram } from '../../support/sshd.ts'
import type { Fault, Route } from './faults.ts'

const servers = {
  PostgreSQL: postgresPrograms !== null,
  MariaDB: hasMariaDb,
  FerretDB: hasMongo,
  MinIO: minioProgram !== null,
  sshd: sshdProgram !== null,
}
export type Server = keyof typeof servers

/** What this machine lacks for a cell; null: nothing. There is no test of such a cell: one that is skipped is a failure in CI. */
export function lackingFor({ source, target }: Route, fault: Fault): string | null {
  const missing = [source.server, target.server].find((server) => server !== undefined && !servers[server])
  return missing ?? fault.lacks ?? null
}
