// What a prompt asks for: commands, hooks, and notifications, by words of it and not by parts of other words.
import { expect, test } from 'vitest'
import { asksFor } from '../../../src/server/features/ai/asked.rules.ts'

test.each([
  ['code', 'Run the command dbt build after that', true],
  ['code', 'Start backup.sh in a shell', true],
  ['code', 'Schreib ein Skript, das aufräumt', true],
  ['code', 'Load subscriptions and their descriptions', false],
  ['code', 'Keep members of the loyalty program', false],
  ['code', 'Write the description: what this task reads, in one sentence.', false],
  ['code', 'Manuskripte nach Autor zählen', false],
  ['hooks', 'Truncate the table before loading, with a hook', true],
  ['hooks', 'Refresh the view after each run', true],
  ['hooks', 'Lösche die Tabelle vorher', true],
  ['hooks', 'Only orders after 2020-01-01 and before May', false],
  ['hooks', 'Keep the rows of the aftermarket', false],
  ['notify', 'Notify the team if it fails', true],
  ['notify', 'Benachrichtige uns, wenn es fehlschlägt', true],
  ['notify', 'Send an e-mail when it is late', true],
  ['notify', 'Load information about satellites and their e-mail addresses', false],
  ['notify', 'Anmeldungen je Tag', false],
] as const)('whether %s is asked for by “%s”: %s', (what, prompt, asked) => {
  expect(asksFor(what, prompt)).toBe(asked)
})
