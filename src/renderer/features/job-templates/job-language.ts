import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { type JobWorld, completeJob } from '../../../language/complete-job.ts'
import { hoverJob } from '../../../language/hover-job.ts'
import type { EditorLanguage } from '../../ui/code/editor-language.ts'
import { hoverWith } from '../../ui/code/language-support.ts'
import { offersHere, stillFits, toOption } from '../../ui/code/task-completion.ts'

export interface LiveWorld {
  /** What a template can name. */
  world: JobWorld
  /** The wait for what was asked for and is on its way; null: nothing is. */
  pending(): Promise<unknown> | null
}

async function complete(context: CompletionContext, { world, pending }: LiveWorld): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w.$-]*/)
  if (!context.explicit && !offersHere(context, word)) return null
  const text = context.state.doc.toString()
  // Nothing is offered in a comment: in a long text every answer costs a reading of it.
  if (context.matchBefore(/(?:^|\s)#[^\n]*$/)) return null
  let found = completeJob(text, context.pos, world)
  // The question may be what made a task’s slots be fetched.
  const coming = pending()
  if (coming) {
    await coming
    if (context.aborted) return null
    found = completeJob(text, context.pos, world)
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

/** Completion and hover of job templates in what is known at that moment. */
export const jobLanguageIn = (live: () => LiveWorld): EditorLanguage => {
  // One function for good: the editor takes another one for another source, and drops what the first one finds.
  const autocomplete = (context: CompletionContext) => complete(context, live())
  return () => [
    EditorState.languageData.of(() => [{ autocomplete }]),
    hoverWith((text, position) => hoverJob(text, position, live().world)),
  ]
}

/** For texts that are only looked at. */
export const jobLanguage = jobLanguageIn(() => ({ world: {}, pending: () => null }))
