import { expect, test } from 'vitest'
import { usage } from '../../src/cli/usage.ts'
import { commandWords, readCommand } from '../../src/main/command-line.ts'

test('an installed app that is called with a command is the command', () => {
  const app = '/opt/Headgate/headgate'
  expect(readCommand([app, 'validate', 'orders.yaml', '--json'], true)).toEqual(['validate', 'orders.yaml', '--json'])
  expect(readCommand([app, '--no-sandbox', 'run', 'orders.yaml'], true)).toEqual(['run', 'orders.yaml'])
  expect(readCommand([app, '--version'], true)).toEqual(['--version'])
})

test('files, links and switches of the app are none', () => {
  const app = '/opt/Headgate/headgate'
  for (const args of [[], ['/home/ada/run'], ['./validate'], ['headgate://runs/7'], ['--data-dir', 'run']])
    expect(readCommand([app, ...args], true)).toBeNull()
  expect(readCommand(['electron', 'run', 'x.yaml'], false)).toBeNull()
})

test('it knows each command that the command line explains', () => {
  const explained = [...usage.matchAll(/^headgate (\w+)/gm)].map(([, word]) => word)
  expect(explained.length).toBeGreaterThan(3)
  expect(commandWords).toEqual(expect.arrayContaining(explained))
})
