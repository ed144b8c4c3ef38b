import type { BrowserWindow } from 'electron'
import { expect, test } from 'vitest'
import type { DesktopCommand } from '../../src/contract/desktop-bridge.ts'
import type { AppWindows } from '../../src/main/windows/app-windows.ts'
import { incoming } from '../../src/main/incoming/incoming.ts'
import { FileProblem, type OpenedFiles } from '../../src/main/incoming/opened-files.ts'
import { words } from '../../src/main/words.ts'

function started() {
  const done: string[] = []
  const told: string[][] = []
  const window = { webContents: { id: 7 }, isDestroyed: () => false } as unknown as BrowserWindow
  const windows: Pick<AppWindows, 'focus' | 'navigate' | 'command' | 'current'> = {
    focus: () => void done.push('focus'),
    navigate: (path) => void done.push(`go ${path}`),
    command: (command: DesktopCommand) =>
      void done.push(command.name === 'open-file' ? command.file.path : command.name),
    current: () => window,
  }
  const files: Pick<OpenedFiles, 'open'> = {
    async open(owner, path) {
      if (path.includes('gone')) throw new FileProblem(`Nothing is at ${path}`)
      return { token: String(owner), name: 'x', path, kind: 'data', size: 1 }
    },
  }
  const arrivals = incoming({
    // What incoming uses of them.
    windows: windows as AppWindows,
    files: files as OpenedFiles,
    showProblems: async (_window, problems) => void told.push(problems),
    words: () => words('en'),
    log: (text) => void done.push(text),
  })
  return { open: arrivals.open, done, told }
}

test('a start without anything to open shows the app', async () => {
  const { open, done } = started()
  await open({ links: [], files: [] })
  expect(done).toEqual(['focus'])
})

test('files open in one window in their order; what cannot be opened is told once, all together', async () => {
  const { open, done, told } = started()
  await open({ links: [], files: ['/a.csv', '/gone-1.csv', '/b.csv', '/gone-2.csv'] })
  expect(done).toEqual(['focus', '/a.csv', '/b.csv'])
  expect(told).toEqual([['Nothing is at /gone-1.csv', 'Nothing is at /gone-2.csv']])
})

test('a thousand files at once are not opened all', async () => {
  const { open, done, told } = started()
  await open({ links: [], files: Array.from({ length: 1_000 }, (_, n) => `/${n}.csv`) })
  expect(done).toHaveLength(51)
  expect(told).toEqual([['950 more files weren’t opened: too many at the same time.']])
})

test('a link that leads nowhere leaves a line in the log, in one piece and not for ever long', async () => {
  const { open, done } = started()
  await open({ links: ['headgate://runs/17', `headgate://../x\n${'a'.repeat(5_000)}`], files: [] })
  expect(done[0]).toBe('go /runs/17')
  expect(done[1]).toMatch(/^headgate: refused the link "headgate:\/\/\.\.\/x\\na+"\n$/)
  expect(done[1]!.length).toBeLessThan(300)
})
