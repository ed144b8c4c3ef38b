import { randomBytes } from 'node:crypto'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { descendants } from '../../support/processes.ts'

/** A secret that is easily recognised wherever it comes out, in whatever clothes. */
interface Canary {
  name: string
  forms: { form: string; bytes: Buffer }[]
}

/** Something that was seen from outside, such as an answer or a file. */
interface Seen {
  where: string
  bytes: Buffer
  /** Canaries that it is there to show. */
  shows: ReadonlySet<string>
}

const nothing: ReadonlySet<string> = new Set()

export function createAviary() {
  const canaries: Canary[] = []
  const seen: Seen[] = []
  return {
    names: () => canaries.map(({ name }) => name),
    /** A new secret; the odd characters are written differently by every encoding, its core is not. */
    plant(name: string): string {
      const core = `cnry${name.replaceAll(/\W/g, '')}${randomBytes(6).toString('hex')}`
      canaries.push({ name, forms: formsOf(Buffer.from(core)) })
      return `${core}/+"'&=<ü>%`
    },
    /** A secret that was made elsewhere. */
    know(name: string, secret: string | Buffer): void {
      canaries.push({ name, forms: formsOf(Buffer.from(secret)) })
    },
    saw(where: string, what: string | Buffer, shows: ReadonlySet<string> = nothing): void {
      seen.push({ where, bytes: Buffer.from(what), shows })
    },
    sawFolder(folder: string, shows: ReadonlySet<string> = nothing): void {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        const file = join(folder, name)
        if (statSync(file).isFile()) this.saw(`file ${name}`, readFileSync(file), shows)
      }
    },
    /** Arguments and environment of a process and of all that it has started. */
    sawProcesses(pid: number, executorKey: string): void {
      for (const one of [pid, ...descendants(pid)]) {
        const [args, variables] = [procFile(one, 'cmdline'), procFile(one, 'environ')]
        if (!args || !variables) continue
        const name = args.toString().replaceAll('\0', ' ')
        this.saw(`arguments of ${name}`, args)
        // Given by it to the server, and by the server to its executor; no worker has it.
        this.saw(`environment of ${name}`, variables, name.includes('worker') ? nothing : new Set([executorKey]))
      }
    },
    /** Where each canary came out that should not have. */
    escaped(): string[] {
      const found = seen.flatMap(({ where, bytes, shows }) =>
        canaries
          .filter(({ name }) => !shows.has(name))
          .flatMap(({ name, forms }) =>
            forms.filter((form) => bytes.includes(form.bytes)).map(({ form }) => `${name} (${form}) in ${where}`),
          ),
      )
      return [...new Set(found)]
    },
  }
}
export type Aviary = ReturnType<typeof createAviary>

function formsOf(secret: Buffer): Canary['forms'] {
  const hex = secret.toString('hex')
  return [
    { form: 'plain', bytes: secret },
    { form: 'UTF-16', bytes: Buffer.from(secret.toString('latin1'), 'utf16le') },
    { form: 'hex', bytes: Buffer.from(hex) },
    { form: 'HEX', bytes: Buffer.from(hex.toUpperCase()) },
    { form: 'URL', bytes: Buffer.from(encodeURIComponent(secret.toString('latin1'))) },
    { form: 'backwards', bytes: Buffer.from(secret.toReversed()) },
    // Base64 looks different at each of three places of what is around it; the first and last characters mix with that.
    ...[0, 1, 2].flatMap((offset) => {
      const shifted = Buffer.concat([Buffer.alloc(offset), secret])
      const text = shifted
        .toString('base64')
        .replaceAll('=', '')
        .slice(offset === 0 ? 0 : offset + 1, -2)
      return [text, text.replaceAll('+', '-').replaceAll('/', '_')].map((one) => ({
        form: `base64 at ${offset}`,
        bytes: Buffer.from(one),
      }))
    }),
  ]
}

function procFile(pid: number, name: string): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`)
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}
