import { expect, test } from 'vitest'
import { backgroundWords } from '../../src/main/background/background-words.ts'
import { desktopNotifications } from '../../src/main/background/desktop-notifications.ts'

function world() {
  const shown: { title: string; path: string }[] = []
  const timers: (() => void)[] = []
  const state = { focus: false, wanted: true, span: 0, language: 'en' }
  const tell = desktopNotifications({
    show(news) {
      const one = { title: news.title, path: news.path }
      shown.push(one)
      return { close: () => void shown.splice(shown.indexOf(one), 1) }
    },
    words: () => backgroundWords(state.language),
    language: () => state.language,
    hasFocus: () => state.focus,
    wantsFailures: () => state.wanted,
    after: (ms, callback) => {
      state.span = ms
      timers.push(callback)
    },
  })
  let run = 0
  return {
    state,
    titles: () => shown.map(({ title }) => title),
    shown,
    fail(times = 1) {
      for (let n = 0; n < times; n++) tell({ kind: 'failure', title: 'load', body: 'e', path: `/runs/${++run}` })
    },
    channel: () =>
      tell({
        kind: 'channel',
        title: 'Job nightly failed',
        body: '',
        path: '/job-runs/1',
        translations: { de: { title: 'Job nightly ist fehlgeschlagen', body: '' } },
      }),
    /** The span is over. */
    pass: () => timers.splice(0).forEach((timer) => timer()),
  }
}

test('a failure is told with its name and page', () => {
  const { fail, shown, state } = world()
  fail()
  expect(shown).toEqual([{ title: 'load failed', path: '/runs/1' }])
  expect(state.span).toBe(10_000)
})

test('more than three in ten seconds become one, which leads to the list', () => {
  const { fail, pass, shown, titles } = world()
  fail(12)
  expect(titles()).toEqual(['load failed', 'load failed', 'load failed'])
  pass()
  expect(shown).toEqual([{ title: '12 runs failed', path: '/runs?status=failed' }])
})

test('three in ten seconds stay three, and the next ten seconds begin anew', () => {
  const { fail, pass, titles } = world()
  fail(3)
  pass()
  fail(1)
  expect(titles()).toHaveLength(4)
})

test('a flood that goes on is one piece of news each ten seconds; when it is over nothing of its end is lost', () => {
  const { fail, pass, titles } = world()
  fail(5)
  pass()
  fail(7)
  expect(titles()).toEqual(['5 runs failed'])
  pass()
  expect(titles()).toEqual(['5 runs failed', '7 runs failed'])
  fail(1)
  pass()
  expect(titles().at(-1)).toBe('load failed')
  expect(titles()).toHaveLength(3)
})

test('who looks at a window is not told of failures, nor who does not want it; channels always tell', () => {
  const { fail, channel, state, titles } = world()
  state.focus = true
  fail(9)
  channel()
  state.focus = false
  state.wanted = false
  fail()
  expect(titles()).toEqual(['Job nightly failed'])
})

test('a channel is told in the language of the app', () => {
  const { channel, titles, state } = world()
  channel()
  state.language = 'de'
  channel()
  expect(titles()).toEqual(['Job nightly failed', 'Job nightly ist fehlgeschlagen'])
})
