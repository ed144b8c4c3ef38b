import { afterEach, describe, expect, test, vi } from 'vitest'
import { parseJob } from '../../../src/language/job/parse-job.ts'
import { galleryTasks } from '../../../src/renderer/features/tasks/gallery.ts'
import { readTask } from '../../../src/renderer/features/tasks/read-task.ts'
import { stageIn, stageLines } from '../../../src/renderer/features/tasks/stage-lines.ts'
import { createReader, shortText } from '../../../src/renderer/ui/document/reading.ts'
import { askWorker } from '../../../src/renderer/ui/worker-questions.ts'

type Asked = { id: number; question: string }

/** A worker that keeps what it is asked until it is told to answer. */
class HeldWorker extends EventTarget implements Worker {
  asked: Asked[] = []
  ended = false
  onmessage = null
  onmessageerror = null
  onerror = null
  postMessage(message: Asked): void {
    // As between threads: what cannot be copied is refused.
    this.asked.push(structuredClone(message))
  }
  answer(message: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: structuredClone(message) }))
  }
  terminate(): void {
    this.ended = true
  }
}

function workers() {
  const started: HeldWorker[] = []
  const start = () => {
    const worker = new HeldWorker()
    started.push(worker)
    return worker
  }
  return { started, start }
}

const long = (line: string) => line.repeat(Math.ceil((shortText + 1) / line.length))

afterEach(() => vi.unstubAllGlobals())

describe('questions to a worker', () => {
  test('each gets its own answer, in whatever order they come', async () => {
    const { started, start } = workers()
    const ask = askWorker<(text: string) => string>(start)
    const answers = Promise.all([ask('a'), ask('b')])
    const [worker] = started
    expect(worker?.asked.map(({ question }) => question)).toEqual(['a', 'b'])
    for (const { id, question } of worker?.asked.toReversed() ?? []) worker?.answer({ id, answer: `${question}!` })
    await expect(answers).resolves.toEqual(['a!', 'b!'])
    expect(started).toHaveLength(1)
  })

  test('a worker that fails answers everybody who waits, and the next question starts another', async () => {
    const { started, start } = workers()
    const ask = askWorker<(text: string) => string>(start)
    const waiting = [ask('a'), ask('b')]
    started[0]?.dispatchEvent(new Event('error'))
    for (const one of waiting) await expect(one).rejects.toThrow('could not be loaded')
    expect(started[0]?.ended).toBe(true)
    const next = ask('c')
    const [question] = started[1]?.asked ?? []
    started[1]?.answer({ id: question?.id, answer: 'c!' })
    await expect(next).resolves.toBe('c!')
  })
})

describe('reading a text', () => {
  const parse = vi.fn<(text: string) => { diagnostics: []; letters: number }>((text) => ({
    diagnostics: [],
    letters: text.length,
  }))

  test('a short one is read at once, without a worker', async () => {
    const { started, start } = workers()
    await expect(createReader(parse, start).read('name: a')).resolves.toEqual({ diagnostics: [], letters: 7 })
    expect(started).toHaveLength(0)
  })

  test('a long one is read beside the window, and once as long as it stays the same', async () => {
    const { started, start } = workers()
    const reader = createReader(parse, start)
    parse.mockClear()
    const text = long('name: a\n')
    const readings = [reader.read(text), reader.read(text)]
    // `read` is asynchronous: it asks a moment later.
    await expect.poll(() => started[0]?.asked).toHaveLength(1)
    const answer = { diagnostics: [], letters: 1 }
    started[0]?.answer({ id: started[0].asked[0]?.id, answer })
    await expect(Promise.all(readings)).resolves.toEqual([answer, answer])
    expect(parse).not.toHaveBeenCalled()
  })

  test('where no worker can be had it is read here, and that is reported', async () => {
    const { started, start } = workers()
    const reported = vi.fn<(error: unknown) => void>()
    vi.stubGlobal('reportError', reported)
    const text = long('name: a\n')
    const reading = createReader(parse, start).read(text)
    await expect.poll(() => started).toHaveLength(1)
    started[0]?.dispatchEvent(new Event('error'))
    await expect(reading).resolves.toEqual({ diagnostics: [], letters: text.length })
    expect(reported).toHaveBeenCalledOnce()
  })

  test('what is read of any task or job template can be handed from one thread to another', () => {
    for (const { yaml } of galleryTasks()) expect(structuredClone(readTask(yaml))).toEqual(readTask(yaml))
    const template = parseJob('etl: 1\nkind: job\nname: a\ntasks:\n  b: {task: c, when: "${{ failed() }}"}\n')
    expect(structuredClone(template)).toEqual(template)
  })
})

describe('a text of tens of thousands of lines', () => {
  test('has its stages by lines, and a line its stage', () => {
    const steps = 20_000
    const text = `etl: 1\nkind: pipeline\nname: a\nsource: {inline: {rows: []}}\nsteps:\n${'  - filter: a > 1\n'.repeat(steps)}`
    const stages = stageLines(text)
    expect(stages).toHaveLength(steps + 1)
    expect(stages.at(-1)).toMatchObject({ stage: steps, from: steps + 5, to: steps + 5 })
    expect(stageIn(stages, 6)).toBe(1)
    expect(stageIn(stages, 2)).toBeNull()
  })

  test('of keys is read as one of steps is: no key is compared with all the others', () => {
    const keys = Array.from({ length: 40_000 }, (_, n) => `  k${n}: 1\n`).join('')
    expect(stageLines(`source:\n${keys}`)).toMatchObject([{ stage: 0, from: 1, to: 40_001 }])
  })
})
