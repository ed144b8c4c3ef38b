#!/usr/bin/env node
// The `headgate` command. Only looks whether this Node can run the rest, which is loaded after that.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = 22

if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) {
  const { runCommand } = await import('./command.ts')
  await runCommand(process.argv.slice(2))
} else runUnderOwnNode()

/** The package brings a Node of its own. */
function runUnderOwnNode(): void {
  const own = ['../../node_modules/.bin/node', '../../../.bin/node']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path))
  if (own === undefined) {
    process.stderr.write(
      `headgate: Node ${process.versions.node} is too old. Use Node ${OLDEST_NODE} or newer, or run \`npm install\` in the package folder.\n`,
    )
    process.exit(2)
  }
  const child = spawn(own, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal tells both; what is sent to this process alone is passed on.
  process.on('SIGINT', () => void (process.stdin.isTTY || child.kill('SIGINT')))
  process.on('SIGTERM', () => void child.kill('SIGTERM'))
  child.on('exit', (code) => process.exit(code ?? 1))
}
