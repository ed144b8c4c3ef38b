import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** As most systems have it. */
const program = 'openssl'
const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'

/** A certificate for localhost that nobody vouches for, and its key. */
export function selfSignedCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-tls-'))
  const key = join(folder, 'key.pem')
  try {
    const cert = execFileSync(program, [...request.split(' '), '-keyout', key], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return { key: readFileSync(key, 'utf8'), cert }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
