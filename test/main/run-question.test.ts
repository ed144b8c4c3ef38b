import type { App } from 'electron'
import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import { askAboutRuns } from '../../src/main/background/run-question.ts'

/** An app whose user answers; `runs`: under way, null when nobody knows. */
function started(answer: 'wait' | 'now' | 'stay') {
  const app = new EventEmitter()
  const told: string[] = []
  const state = { runs: 1 as number | null }
  const quit = (): void => {
    const event = { defaultPrevented: false, preventDefault: () => void (event.defaultPrevented = true) }
    app.emit('before-quit', event)
    told.push(event.defaultPrevented ? 'stays' : 'quits')
  }
  const question = askAboutRuns({
    // An emitter is what it uses of Electron's app.
    app: Object.assign(app, { quit }) as unknown as App,
    running: () => state.runs,
    ask: () => Promise.resolve(answer),
    handOut: (on) => told.push(on ? 'hands out' : 'holds'),
    onStay: () => app.emit('answered'),
    onChange() {},
  })
  return { app, told, state, question, quit }
}

test('who waits for his runs keeps waiting while the server starts again, and the new one hands out nothing either', async () => {
  const { app, told, state, question, quit } = started('wait')
  const answered = once(app, 'answered')
  quit()
  await answered
  expect(told).toEqual(['stays', 'holds'])
  state.runs = null
  question.look()
  expect(question.waits).toBe(true)
  question.serverReady()
  question.look()
  state.runs = 1
  question.look()
  expect(told).toEqual(['stays', 'holds', 'holds'])
  state.runs = 0
  question.look()
  expect(told).toEqual(['stays', 'holds', 'holds', 'quits'])
})

test('a server that starts again hands out runs when nobody waits for their end', async () => {
  const { app, told, question, quit } = started('stay')
  const answered = once(app, 'answered')
  quit()
  await answered
  question.serverReady()
  expect(told).toEqual(['stays', 'hands out'])
})

test('the app of a server that cannot be asked ends at once', () => {
  const { told, state, quit } = started('wait')
  state.runs = null
  quit()
  expect(told).toEqual(['quits'])
})
