// A child for the tests of src/process: answers what it hears, and does on demand what children do.
import { parentChannel } from '../../../src/process/parent.ts'

const channel = parentChannel()
if (!channel) throw new Error('echo.ts runs as a child only')

channel.onDisconnect(() => process.exit(0))
channel.onMessage((message) => {
  const ask = message as { do: string; code?: number; value?: unknown; count?: number }
  if (ask.do === 'echo') channel.send({ echo: ask.value })
  if (ask.do === 'describe') channel.send({ args: process.argv.slice(2), env: process.env, execArgv: process.execArgv })
  if (ask.do === 'exit') process.exit(ask.code)
  if (ask.do === 'print') process.stdout.write('to stdout\n', () => process.stderr.write('to stderr\n'))
  if (ask.do === 'flood') {
    for (let n = 1; n <= (ask.count ?? 0); n++) channel.send({ n })
    void channel.deliver({ n: 'last' }).then(() => process.exit(0))
  }
})
channel.send({ event: 'ready', channel: channel.kind })
