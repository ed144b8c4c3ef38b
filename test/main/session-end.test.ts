import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { endWithSession } from '../../src/main/lifecycle/session-end.ts'

function world() {
  const done: string[] = []
  const later: (() => void)[] = []
  const watch = endWithSession({
    drain: () => void done.push('drain'),
    quit: () => void done.push('quit'),
    log: () => {},
    soon: (act) => void later.push(act),
  })
  const windows = [new EventEmitter(), new EventEmitter()]
  windows.forEach(watch)
  const tell = (event: string): boolean[] =>
    windows.map((window) => {
      let prevented = false
      window.emit(event, { preventDefault: () => void (prevented = true) })
      return prevented
    })
  return { done, tell, answered: () => later.splice(0).forEach((act) => act()) }
}

test('asked whether the session may end, every window puts it off and the processes end at once; the app quits after the answer', () => {
  const { done, tell, answered } = world()
  expect(tell('query-session-end')).toEqual([true, true])
  expect(done).toEqual(['drain'])
  answered()
  // Asked again before it is gone.
  expect(tell('query-session-end')).toEqual([true, true])
  tell('session-end')
  answered()
  expect(done).toEqual(['drain', 'quit'])
})

test('a session that ends without asking leaves what time there is to the processes', () => {
  const { done, tell, answered } = world()
  expect(tell('session-end')).toEqual([false, false])
  expect(done).toEqual(['drain'])
  answered()
  expect(done).toEqual(['drain', 'quit'])
})
