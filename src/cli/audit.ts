import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditRecord } from '../contract/audit.ts'
import { createChainVerifier } from '../server/platform/audit-chain.ts'
import { headFile, readHead } from '../server/platform/store-head.ts'
import { readDocument } from './documents.ts'
import { InputError, UsageError, exitCodes, type Output } from './output.ts'
import { readCommandLine } from './read-arguments.ts'

const DATABASE = 'headgate.db'

/** `headgate audit verify`: whether an exported audit log, or that of a data folder, is what was written. */
export async function audit(args: string[], output: Output): Promise<number> {
  const { values, positionals } = readCommandLine(args, {
    'data-dir': { type: 'string' },
    head: { type: 'string' },
    json: { type: 'boolean' },
  })
  const [word, file, more] = positionals
  if (word !== 'verify') throw new UsageError('The only audit command is `headgate audit verify`')
  const folder = values['data-dir']
  if (more !== undefined || (file === undefined) === (folder === undefined)) {
    throw new UsageError('Pass either one exported FILE or --data-dir DIR')
  }
  // Read first: a server that runs only adds to the log.
  const noted = folder === undefined ? undefined : readHead(headFile(folder))?.audit_hash
  const known = [values.head, noted].filter((hash) => hash !== undefined && hash !== '') as string[] // as filtered
  const verifier = createChainVerifier(known)
  for (const record of folder === undefined ? await exported(file ?? '-') : await stored(folder)) {
    if (!verifier.take(record)) break
  }
  const verdict = verifier.verdict()
  if (verdict.ok && known.length === 0) {
    output.err(
      'Without --head, records removed from the end aren’t detected. GET /api/audit/verify returns the last hash.',
    )
  }
  if (values.json) output.out(JSON.stringify(verdict))
  else if (verdict.ok) output.out(`${verdict.records} records verified. Last hash: ${verdict.head ?? 'none'}`)
  else output.out(`Verification failed: ${verdict.reason}. The ${verdict.records} records before it are intact.`)
  return verdict.ok ? exitCodes.ok : exitCodes.failed
}

async function stored(folder: string): Promise<Iterable<AuditRecord>> {
  const file = join(folder, DATABASE)
  if (!existsSync(file)) throw new InputError(`${folder} is not a data folder: it has no ${DATABASE}`)
  // Loaded only here: the native part costs start time.
  const { auditRecordsOf } = await import('./audit.store.ts')
  return readable(auditRecordsOf(file), file)
}

function* readable(records: Iterable<AuditRecord>, file: string): Generator<AuditRecord> {
  try {
    yield* records
  } catch (error) {
    throw new InputError(`Can’t read an audit log from ${file}: ${String(error)}`)
  }
}

async function exported(name: string): Promise<Iterable<AuditRecord>> {
  const document = await readDocument(name)
  const lines = document.text.split('\n').map((line, index) => ({ line, number: index + 1 }))
  const records = lines.filter(({ line }) => line.trim() !== '')
  // Signing in to make the export left a record already.
  if (records.length === 0) throw new InputError(`${document.name} has no audit records: the export is incomplete`)
  return records.map(({ line, number }) => recordOf(document.name, number, line))
}

function recordOf(name: string, line: number, text: string): AuditRecord {
  try {
    const value: unknown = JSON.parse(text)
    // A record with other fields has another hash: the chain says so.
    if (typeof value === 'object' && value !== null && 'id' in value && 'hash' in value) return value as AuditRecord
  } catch {
    // Told below, with its place.
  }
  throw new InputError(
    `${name}:${line}: not an audit record. Pass the output of GET /api/audit/export without filters.`,
  )
}
