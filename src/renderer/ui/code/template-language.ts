import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import type { Completion } from '../../../language/complete.ts'
import type { Hover } from '../../../language/hover.ts'
import type { EditorLanguage } from './editor-language.ts'
import { hoverWith } from './language-support.ts'
import { offersHere, stillFits, toOption } from './task-completion.ts'

export interface LiveWorld<World> {
  /** What a text can name. */
  world: World
  /** The wait for what was asked for and is on its way; null: nothing is. */
  pending(): Promise<unknown> | null
}

/** A language whose texts name records of the server. */
export interface TemplateLanguage<World> {
  complete(text: string, offset: number, world: World): Completion[]
  hover(text: string, offset: number, world: World): Hover | null
}

async function complete<World>(
  context: CompletionContext,
  language: TemplateLanguage<World>,
  { world, pending }: LiveWorld<World>,
): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w.$-]*/)
  if (!context.explicit && !offersHere(context, word)) return null
  const text = context.state.doc.toString()
  // Nothing is offered in a comment: in a long text every answer costs a reading of it.
  if (context.matchBefore(/(?:^|\s)#[^\n]*$/)) return null
  let found = language.complete(text, context.pos, world)
  // The question may be what made more of the world be fetched.
  const coming = pending()
  if (coming) {
    await coming
    if (context.aborted) return null
    found = language.complete(text, context.pos, world)
  }
  const [first] = found
  if (!first) return null
  // What is typed is compared with the labels, and these have no quotes.
  const quote = /["']/.test(text[first.from] ?? '') && first.from < context.pos ? 1 : 0
  const from = Math.min(first.from + quote, context.pos)
  return {
    from,
    options: found.map((one) => toOption(one)),
    validFor: stillFits(text.slice(from, context.pos)),
  }
}

/** Completion and hover of a language in what is known at that moment. */
export const languageIn = <World>(language: TemplateLanguage<World>, live: () => LiveWorld<World>): EditorLanguage => {
  // One function for good: the editor takes another one for another source, and drops what the first one finds.
  const autocomplete = (context: CompletionContext) => complete(context, language, live())
  return () => [
    EditorState.languageData.of(() => [{ autocomplete }]),
    hoverWith((text, position) => language.hover(text, position, live().world)),
  ]
}
