import { msg } from '../../contract/messages.ts'
import type { ErrorDetail } from '../../contract/errors.ts'
import { Refusal, invalid } from './refusal.ts'
import type { SecretBox } from './secret-box.ts'

/** A record's secrets as it keeps them: one sealed object, and their names. */
interface Kept {
  name: string
  sealed_secrets: string | null
  secret_names: string[]
}

/** The secrets of records of one kind, such as `connector`, which are sealed for `context`. */
export function recordSecrets(box: SecretBox, kind: string, context: string) {
  const isLost = ({ sealed_secrets }: Pick<Kept, 'sealed_secrets'>) =>
    sealed_secrets !== null && !box.opens(sealed_secrets, context)
  return {
    /** Their key is not here: they are there, but cannot be used. */
    isLost,
    /** For whoever reads the record. */
    shown: (row: Kept) => Object.fromEntries(row.secret_names.map((name) => [name, { set: !isLost(row) }])),
    /** Refuses, naming record and secrets, when they are lost. */
    open(row: Kept): Record<string, string> {
      if (row.sealed_secrets === null) return {}
      if (isLost(row)) throw new Refusal('CONNECTOR_ERROR', lostMessage(kind, row))
      // What seal() was given: a flat object of strings.
      return JSON.parse(box.open(row.sealed_secrets, context)) as Record<string, string>
    },
    /** What a change begins with. Lost ones have to be given again, every one of them, or taken away. */
    openFor(row: Kept, given: Readonly<Record<string, string | null>>): Record<string, string> {
      if (!isLost(row)) return this.open(row)
      const missing = row.secret_names.filter((name) => !Object.hasOwn(given, name))
      if (missing.length > 0) invalid(missing.map(lostDetail), lostMessage(kind, row))
      return {}
    },
    seal: (secrets: Record<string, string>): string | null =>
      Object.keys(secrets).length > 0 ? box.seal(JSON.stringify(secrets), context) : null,
  }
}

const lostMessage = (kind: string, { name, secret_names }: Kept) =>
  msg('secrets_lost', { secrets: secret_names, kind, name })

const lostDetail = (name: string): ErrorDetail => ({
  path: `body.secrets.${name}`,
  ...msg('secret_lost'),
})
