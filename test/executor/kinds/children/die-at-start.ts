// Runs a task as `run-command.ts` does, and is killed before it can do anything more when it has started as many processes as its last argument says.
import childProcess from 'node:child_process'
import { writeSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { spawn } = childProcess
let left = Number(process.argv.at(-1))

childProcess.spawn = ((...given: Parameters<typeof spawn>) => {
  const child = spawn(...given)
  writeSync(1, `started ${child.pid}\n`)
  if (--left === 0) process.kill(process.pid, 'SIGKILL')
  return child
}) as typeof spawn
syncBuiltinESMExports()

await import('./run-command.ts')
