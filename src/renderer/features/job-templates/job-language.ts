import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { type JobWorld, completeJob } from '../../../language/complete-job.ts'
import { hoverJob } from '../../../language/hover-job.ts'
import type { EditorLanguage } from '../../ui/code/editor-language.ts'
import { hoverWith } from '../../ui/code/language-support.ts'
import { afterSeparator, toOption } from '../../ui/code/task-completion.ts'

/** What a template can name, and the wait for what was asked for and is on its way. */
export interface LiveWorld {
  world: JobWorld
  settled(): Promise<unknown>
}

async function complete(context: CompletionContext, { world, settled }: LiveWorld): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w.$-]*/)
  if (!context.explicit && (!word || word.from === word.to) && !afterSeparator(context)) return null
  const text = context.state.doc.toString()
  // The first question may be what makes a task’s slots be fetched.
  completeJob(text, context.pos, world)
  await settled()
  if (context.aborted) return null
  const found = completeJob(text, context.pos, world)
  const [first] = found
  if (!first) return null
  // What is typed is compared with the labels, and these have no quotes.
  const quote = /["']/.test(text[first.from] ?? '') && first.from < context.pos ? 1 : 0
  return {
    from: Math.min(first.from + quote, context.pos),
    options: found.map((one) => toOption(one)),
    validFor: /^[\w.$-]*$/,
  }
}

/** Completion and hover of job templates in what is known at that moment. */
export const jobLanguageIn =
  (live: () => LiveWorld): EditorLanguage =>
  () => [
    EditorState.languageData.of(() => [{ autocomplete: (context: CompletionContext) => complete(context, live()) }]),
    hoverWith((text, position) => hoverJob(text, position, live().world)),
  ]

/** For texts that are only looked at. */
export const jobLanguage = jobLanguageIn(() => ({ world: {}, settled: () => Promise.resolve() }))
