import { msg } from '../../../contract/messages.ts'
import { unavailable } from '../../platform/refusal.ts'
import { createReadingThread } from './reading-thread.ts'
import {
  answer,
  doWork,
  lengthOf,
  readHere,
  type ArgumentsOf,
  type DocumentName,
  type Question,
  type Readings,
  type ResultOf,
  type Surroundings,
  type WorkName,
} from './reading.rules.ts'

/** Shorter texts are read where they are needed: whatever they hold, that takes a few milliseconds. In UTF-16 units. */
export const SHORT_TEXT = 16_384
/** Of texts that wait for the thread; its time is all that they cost, but they are in memory. */
const MAX_WAITING = 32 * 1_048_576
/** Tasks, their versions, and names of everything: a text asks no more than three times. */
const MAX_ROUNDS = 6

/** Lets go of what was read ahead. */
type Release = () => void
const nothing: Release = () => {}

/**
 * Reads the YAML of documents. Long texts can take a second, so they are read in a thread, before the synchronous work that needs them.
 */
export function createReadingsService() {
  const thread = createReadingThread()
  const held = new Map<string, { read: Readings[DocumentName]; holders: number }>()
  const keyOf = (name: DocumentName, text: string, alone: boolean) => `${name} ${alone ? 'alone' : ''}\n${text}`

  function keepLoad(): void {
    if (thread.load() > MAX_WAITING) unavailable(msg('readings_under_way'))
  }
  async function inThread<Name extends DocumentName>(
    name: Name,
    text: string,
    surroundings: Surroundings[Name],
    signal: AbortSignal,
  ): Promise<Readings[Name]> {
    keepLoad()
    const answers = new Map<string, unknown>()
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const outcome = await thread.read({ name, text, alone: surroundings === undefined, answers }, signal)
      // The thread reads the kind that was asked for.
      if ('read' in outcome) return outcome.read as Readings[Name]
      for (const question of outcome.questions) answers.set(key(question), answer(surroundings, question))
    }
    throw new Error(`The ${name} asks for more with every answer`)
  }

  async function ahead<Name extends DocumentName>(
    name: Name,
    text: string,
    surroundings: Surroundings[Name],
    signal: AbortSignal,
  ): Promise<Release> {
    if (text.length <= SHORT_TEXT) return nothing
    return hold(name, text, surroundings, signal)
  }

  async function hold<Name extends DocumentName>(
    name: Name,
    text: string,
    surroundings: Surroundings[Name],
    signal: AbortSignal,
  ): Promise<Release> {
    const read = await inThread(name, text, surroundings, signal)
    const at = keyOf(name, text, surroundings === undefined)
    const known = held.get(at)
    held.set(at, { read, holders: (known?.holders ?? 0) + 1 })
    return () => {
      const left = held.get(at)
      if (left && --left.holders === 0) held.delete(at)
    }
  }

  return {
    /** What a text says, for callers who can wait. */
    async read<Name extends DocumentName>(
      name: Name,
      text: string,
      surroundings: Surroundings[Name],
      signal: AbortSignal,
    ): Promise<Readings[Name]> {
      return text.length <= SHORT_TEXT ? readHere(name, text, surroundings) : inThread(name, text, surroundings, signal)
    },

    /** Other work on texts, in the thread where they are long. */
    async work<Name extends WorkName>(
      work: Name,
      args: ArgumentsOf<Name>,
      signal: AbortSignal,
    ): Promise<ResultOf<Name>> {
      const asked = { work, args }
      if (lengthOf(asked) <= SHORT_TEXT) return doWork(asked)
      keepLoad()
      return thread.work(asked, signal)
    },

    /** Reads a long text, so that `now` has it until the answer is called. UNAVAILABLE: too much waits already. */
    ahead,

    /** As `ahead`, of several tasks, which are long together. */
    async tasksAhead(texts: readonly string[], signal: AbortSignal): Promise<Release> {
      if (texts.reduce((sum, { length }) => sum + length, 0) <= SHORT_TEXT) return nothing
      const releases: Release[] = []
      const release = () => releases.forEach((one) => one())
      try {
        for (const text of texts) releases.push(await hold('task', text, undefined, signal))
      } catch (error) {
        release()
        throw error
      }
      return release
    },

    /** As `ahead`, of a text that is also wanted without its surroundings. */
    async aheadOfBoth<Name extends DocumentName>(
      name: Name,
      text: string,
      surroundings: Surroundings[Name],
      signal: AbortSignal,
    ): Promise<Release> {
      const within = await ahead(name, text, surroundings, signal)
      // No kind needs surroundings.
      const alone = await ahead(name, text, undefined as Surroundings[Name], signal).catch((error: unknown) => {
        within()
        throw error
      })
      return () => {
        within()
        alone()
      }
    },

    /** What a text says, for callers who cannot wait: from `ahead`, or read here. */
    now<Name extends DocumentName>(name: Name, text: string, surroundings: Surroundings[Name]): Readings[Name] {
      const known = held.get(keyOf(name, text, surroundings === undefined))
      // It is kept under the name of its kind.
      return known ? (known.read as Readings[Name]) : readHere(name, text, surroundings)
    },
  }
}
export type ReadingsService = ReturnType<typeof createReadingsService>

const key = (question: Question) => JSON.stringify(question)
