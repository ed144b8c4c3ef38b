import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** An SSH server of the tests' own that only does SFTP, on a free port of 127.0.0.1. */
export interface SshServer {
  port: number
  user: string
  /** Lets `user` in; in OpenSSH's form. */
  privateKey: string
  /** The same key, locked with `passphrase`. */
  lockedKey: string
  passphrase: string
  /** Of the server, as ssh shows it. */
  fingerprint: string
  /** A folder for the tests' files. */
  folder: string
  stop(): Promise<void>
}

const program = '/usr/sbin/sshd'
export const sshdProgram: string | null = existsSync(program) ? program : null

/** `subsystem`: what answers over SFTP, by default OpenSSH's own. */
export async function startSshd(options: { subsystem?: string; passwords?: boolean } = {}): Promise<SshServer> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-ssh-'))
  chmodSync(folder, 0o755)
  const key = (name: string, phrase: string): string => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', phrase, '-C', 'headgate', '-f', join(folder, name)])
    return readFileSync(join(folder, name), 'utf8')
  }
  key('host', '')
  const privateKey = key('user', '')
  const lockedKey = key('locked', 'pass phrase')
  const authorized = ['user.pub', 'locked.pub'].map((name) => readFileSync(join(folder, name), 'utf8')).join('')
  writeFileSync(join(folder, 'authorized'), authorized)
  const data = join(folder, 'files')
  mkdirSync(data)
  // OpenSSH wants this folder of the system even where it is not used.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const port = await freePort()
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(folder, 'host')}`,
    `AuthorizedKeysFile ${join(folder, 'authorized')}`,
    `PidFile ${join(folder, 'pid')}`,
    'StrictModes no',
    // With many connections that end before they have signed in, it refuses others at random.
    'MaxStartups 1000',
    'UsePAM no',
    'PermitRootLogin yes',
    `PasswordAuthentication ${options.passwords === true ? 'yes' : 'no'}`,
    'KbdInteractiveAuthentication no',
    `Subsystem sftp ${options.subsystem ?? 'internal-sftp'}`,
  ]
  writeFileSync(join(folder, 'config'), `${config.join('\n')}\n`)
  const child = spawn(program, ['-D', '-e', '-f', join(folder, 'config')], { stdio: 'ignore' })
  await listening(port, child)
  const hostKey = Buffer.from(readFileSync(join(folder, 'host.pub'), 'utf8').split(' ')[1] ?? '', 'base64')
  return {
    port,
    user: userInfo().username,
    privateKey,
    lockedKey,
    passphrase: 'pass phrase',
    fingerprint: `SHA256:${createHash('sha256').update(hostKey).digest('base64').replace(/=+$/, '')}`,
    folder: data,
    async stop() {
      const gone = child.exitCode === null ? once(child, 'exit') : null
      child.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function listening(port: number, child: ReturnType<typeof spawn>): Promise<void> {
  const end = Date.now() + 20_000
  for (;;) {
    if (child.exitCode !== null) throw new Error(`sshd ended with ${child.exitCode}`)
    const socket = connect(port, '127.0.0.1')
    const open = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (open) return
    if (Date.now() > end) throw new Error('sshd did not start')
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}
