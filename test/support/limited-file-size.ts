import { execFileSync } from 'node:child_process'

/** Runs a module's text in a process whose files end at so many KiB, as on a disk that is full there: the first write across it is short. */
export function withLimitedFiles(kib: number, module: string): string {
  const script = `ulimit -f ${kib}; exec "$0" --input-type=module --eval "$1"`
  return execFileSync('bash', ['-c', script, process.execPath, module], { encoding: 'utf8' })
}
