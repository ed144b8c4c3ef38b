/** What a tab does when its stream of events opens and breaks; the browser's EventSource is played. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type StreamMessage, listenToServer } from '../../../src/renderer/api/event-source.ts'

class PlayedSource extends EventTarget {
  static readonly CLOSED = 2
  static opened: PlayedSource[] = []
  readyState = 0
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
    PlayedSource.opened.push(this)
  }
  open(): void {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }
  tell(id: number): void {
    const event = { id, type: 'task.changed', at: '2026-03-01T06:00:00.000Z', entity_id: 1, data: {} }
    this.dispatchEvent(new MessageEvent('task.changed', { data: JSON.stringify(event), lastEventId: String(id) }))
  }
  /** `refused`: the browser gives up and a new source has to be made. */
  fail(refused: boolean): void {
    this.readyState = refused ? PlayedSource.CLOSED : 0
    this.dispatchEvent(new Event('error'))
  }
  close(): void {
    this.readyState = PlayedSource.CLOSED
  }
}

let messages: StreamMessage[]
let stop: () => void
const kinds = () => messages.map((message) => (message.kind === 'connection' ? message.connection : message.kind))
const newest = () => PlayedSource.opened.at(-1)!

beforeEach(() => {
  vi.useFakeTimers()
  PlayedSource.opened = []
  vi.stubGlobal('EventSource', PlayedSource)
  // One tab alone, as in a browser without locks.
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  messages = []
  stop = listenToServer(7, (message) => messages.push(message))
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the stream begins where the page began, so that nothing is fetched twice', () => {
  expect(newest().url).toBe('/api/events?after=7')
  newest().open()
  newest().tell(8)
  expect(kinds()).toEqual(['online', 'event'])
})

test('a stream that breaks and comes back by itself goes on from what it saw', () => {
  newest().open()
  newest().tell(8)
  newest().fail(false)
  newest().open()
  expect(kinds()).toEqual(['online', 'event', 'offline', 'online'])
})

test('a stream that has to be made anew does not know what it missed: everything shown is fetched again', () => {
  newest().open()
  newest().fail(true)
  vi.advanceTimersByTime(500)
  expect(PlayedSource.opened).toHaveLength(2)
  expect(newest().url).toBe('/api/events')
  newest().open()
  expect(kinds()).toEqual(['online', 'offline', 'reset', 'online'])
  // It has seen no event yet, so the browser cannot say from where it goes on.
  newest().fail(false)
  newest().open()
  expect(kinds().slice(4)).toEqual(['offline', 'reset', 'online'])
  newest().tell(9)
  newest().fail(false)
  newest().open()
  expect(kinds().slice(7)).toEqual(['event', 'offline', 'online'])
})

test('a server that was not there at first is asked from the same place', () => {
  newest().fail(true)
  vi.advanceTimersByTime(500)
  expect(newest().url).toBe('/api/events?after=7')
})
