// The machine's power: a spec emits what the system would say, and asks what was blocked.
import { EventEmitter } from 'node:events'

export const powerMonitor = new EventEmitter()

const blockers = new Set<number>()
let lastBlocker = 0

export const powerSaveBlocker = {
  start(_type: 'prevent-app-suspension' | 'prevent-display-sleep'): number {
    blockers.add(++lastBlocker)
    return lastBlocker
  },
  stop: (id: number): boolean => blockers.delete(id),
  isStarted: (id: number): boolean => blockers.has(id),
}
