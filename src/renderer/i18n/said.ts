/** What is said in English elsewhere (by the server, the languages, executors), in the language of the window. */
import { type Phrases, labelBook, phraseBook } from './phrases.ts'
import { type ServerTexts, setServerTexts } from './server-texts.ts'

export interface Said {
  /** Whole texts: settings, connectors, galleries, operations. */
  readonly texts: ServerTexts
  /** Findings and refusals. */
  readonly sentences: Phrases
  readonly fragments: Phrases
  /** Of steps and stages. */
  readonly labels: Phrases
  /** Of the code editor itself. */
  readonly editor: Phrases
}

type Say = (text: string) => string | undefined

const english: Say = () => undefined
let sentence = english
let label = english
let editor: Phrases = {}

/** Sentences are looked up again and again: with every letter that is typed beside them. */
function remembered(say: Say): Say {
  const known = new Map<string, string | undefined>()
  return (text) => {
    if (!known.has(text)) {
      if (known.size > 2_000) known.clear()
      known.set(text, say(text))
    }
    return known.get(text)
  }
}

/** null: nothing is put into another language. */
export function setSaid(words: Said | null): void {
  setServerTexts(words?.texts ?? {})
  sentence = words ? remembered(phraseBook(words.sentences, words.fragments)) : english
  label = words ? labelBook(words.labels) : english
  editor = words?.editor ?? {}
}

/** A finding or a refusal; English where there are no words for it. */
export const said = (text: string): string => sentence(text) ?? text

/** The label of a step or of a stage. */
export const labelSaid = (text: string): string => label(text) ?? text

/** The code editor's own words, as it wants them. */
export const editorWords = (): Phrases => editor
