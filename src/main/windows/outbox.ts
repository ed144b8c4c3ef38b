import type { DesktopCommand } from '../../contract/desktop-bridge.ts'

/** What must reach the user however long it takes; the rest concerns the page that is there now. */
const KEPT = new Set<DesktopCommand['name']>(['navigate', 'open-file'])

const isFile = ({ command }: { command: DesktopCommand }): boolean => command.name === 'open-file'

export interface Outbox {
  push(command: DesktopCommand): void
  /** The page began or stopped to listen. */
  listening(now: boolean): void
  /** All up to this number reached the page. */
  heard(id: number): void
  /** Another page, which does not listen yet, is in the window. */
  newPage(): void
  waiting(): DesktopCommand[]
  readonly isListening: boolean
}

/**
 * The commands on their way to the page of one window. A page listens when somebody is signed in and its shell stands;
 * until then, and while it is loaded anew, links and files wait. Each is delivered once: it leaves when the page has said
 * that it got it, and the page ignores a number that it knows.
 */
export function outbox(send: (id: number, command: DesktopCommand) => void): Outbox {
  const waiting: { id: number; command: DesktopCommand }[] = []
  let lastId = 0
  let isListening = false

  return {
    push(command) {
      const id = ++lastId
      // Whoever comes back is led to one page: the one asked for last.
      if (command.name === 'navigate' && !isListening) waiting.splice(0, Infinity, ...waiting.filter(isFile))
      if (KEPT.has(command.name)) waiting.push({ id, command })
      if (isListening) send(id, command)
    },
    listening(now) {
      isListening = now
      if (now) for (const { id, command } of waiting) send(id, command)
    },
    heard(id) {
      while (waiting[0] && waiting[0].id <= id) waiting.shift()
    },
    newPage() {
      isListening = false
    },
    waiting: () => waiting.map(({ command }) => command),
    get isListening() {
      return isListening
    },
  }
}
