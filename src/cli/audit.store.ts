import Sqlite from 'better-sqlite3'
import type { AuditRecord } from '../contract/audit.ts'

/** The audit records of a database file, oldest first. Reads only, also while a server uses the file. Throws what SQLite throws. */
export function* auditRecordsOf(file: string): Generator<AuditRecord> {
  const sqlite = new Sqlite(file, { readonly: true, fileMustExist: true })
  try {
    yield* sqlite.prepare<[], AuditRecord>('SELECT * FROM audit_records ORDER BY id').iterate()
  } finally {
    sqlite.close()
  }
}
