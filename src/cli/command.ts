import manifest from '../../package.json' with { type: 'json' }
import { InputError, UsageError, exitCodes, type Output } from './output.ts'
import { usage, usageOf, type CommandName } from './usage.ts'

/** Each is loaded when it is asked for: `validate` and `schema` need no database engine. */
const commands: Record<CommandName, () => Promise<(args: string[], output: Output) => Promise<number>>> = {
  validate: async () => (await import('./validate.ts')).validate,
  preview: async () => (await import('./preview.ts')).preview,
  run: async () => (await import('./run.ts')).run,
  schema: async () => (await import('./schema.ts')).schema,
  audit: async () => (await import('./audit.ts')).audit,
  mcp: async () => (await import('./mcp.ts')).mcp,
  metrics: async () => (await import('./metrics.ts')).metrics,
}

function isCommand(word: string | undefined): word is CommandName {
  return word !== undefined && Object.hasOwn(commands, word)
}

/** Runs one command, and ends the process with its exit code. */
export async function runCommand(args: string[]): Promise<never> {
  // Whoever reads our output may have seen enough: `headgate validate … | head`. What comes of the command stays its exit code.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exit(exitCodes.failed)
  })
  // Nobody is left to be told.
  process.stderr.on('error', () => undefined)
  const output: Output = {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    columns: process.stdout.isTTY ? process.stdout.columns : null,
  }
  return end(await exitCodeOf(args, output))
}

async function exitCodeOf(args: string[], output: Output): Promise<number> {
  const [word, ...rest] = args
  if (word === '--version' || word === '-v') {
    output.out(manifest.version)
    return exitCodes.ok
  }
  const command = isCommand(word) ? word : undefined
  if (word === '--help' || word === '-h' || word === 'help' || (command && rest.some(isHelp))) {
    output.out(command ? usageOf(command) : usage)
    return exitCodes.ok
  }
  try {
    if (command) return await (await commands[command]())(rest, output)
    throw new UsageError(word === undefined ? 'Missing command' : `Unknown command \`${word}\``)
  } catch (error) {
    if (!(error instanceof UsageError)) return faultOfOurs(error, output)
    output.err(`headgate: ${error.message}`)
    if (!(error instanceof InputError)) output.err(`\n${command ? usageOf(command) : usage}`)
    return exitCodes.usage
  }
}

function faultOfOurs(error: unknown, output: Output): number {
  output.err(`headgate: Internal error. Please report it: ${error instanceof Error ? error.stack : String(error)}`)
  return exitCodes.failed
}

const isHelp = (word: string): boolean => word === '--help' || word === '-h'

/** What is written to a pipe is on its way yet; what the engine keeps warm would keep the process. */
async function end(code: number): Promise<never> {
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()))
  await new Promise<void>((resolve) => process.stderr.write('', () => resolve()))
  process.exit(code)
}
