import { hasErrors, type Diagnostic } from '../language/diagnostics.ts'
import { parseDashboard } from '../language/dashboard/parse-dashboard.ts'
import { type DocumentLanguage, documentKind } from '../language/document-kind.ts'
import { parseJob } from '../language/job/parse-job.ts'
import { parseTask } from '../language/task/parse-task.ts'
import { readDocument, printDiagnostics } from './documents.ts'
import { InputError, UsageError, exitCodes, type Output } from './output.ts'
import { readCommandLine } from './read-arguments.ts'

interface Checked {
  file: string
  kind: DocumentLanguage
  valid: boolean
  diagnostics: Diagnostic[]
}

const parsers = { task: parseTask, job: parseJob, dashboard: parseDashboard } as const satisfies Record<
  DocumentLanguage,
  unknown
>

/** Checks documents, each by itself: whether what a template names is there is the server's to say. Loads the language and nothing else: it is as fast as Node starts. */
export async function validate(args: string[], output: Output): Promise<number> {
  const { values, positionals } = readCommandLine(args, { json: { type: 'boolean', default: false } })
  if (positionals.length === 0) throw new UsageError('Missing FILE')
  const checked: Checked[] = []
  let unreadable = false
  for (const file of positionals) {
    try {
      const { name, text } = await readDocument(file)
      const kind = documentKind(text)
      const { diagnostics } = parsers[kind](text)
      checked.push({ file: name, kind, valid: !hasErrors(diagnostics), diagnostics })
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      unreadable = true
      output.err(`headgate: ${error.message}`)
    }
  }
  if (values.json) output.out(JSON.stringify(checked, null, 2))
  else {
    for (const { file, diagnostics } of checked) printDiagnostics(file, diagnostics, output.out)
    output.err(summary(checked))
  }
  if (unreadable) return exitCodes.usage
  return checked.every(({ valid }) => valid) ? exitCodes.ok : exitCodes.failed
}

const words: Readonly<Record<DocumentLanguage, string>> = {
  task: 'task',
  job: 'job template',
  dashboard: 'dashboard template',
}

function summary(checked: readonly Checked[]): string {
  const all = checked.flatMap(({ diagnostics }) => diagnostics)
  const errors = all.filter(({ severity }) => severity === 'error').length
  const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`
  const counts = Object.entries(words).map(
    ([kind, word]) => [checked.filter((one) => one.kind === kind).length, word] as const,
  )
  const some = counts.filter(([number]) => number > 0)
  const documents = (some.length > 0 ? some : counts.slice(0, 1)).map(([number, word]) => count(number, word))
  return `${documents.join(', ')}, ${count(errors, 'error')}, ${count(all.length - errors, 'warning')}`
}
