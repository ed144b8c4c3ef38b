import { hasErrors, type Diagnostic } from '../language/diagnostics.ts'
import { documentKind } from '../language/document-kind.ts'
import { parseJob } from '../language/job/parse-job.ts'
import { parseTask } from '../language/task/parse-task.ts'
import { readDocument, printDiagnostics } from './documents.ts'
import { InputError, UsageError, exitCodes, type Output } from './output.ts'
import { readCommandLine } from './read-arguments.ts'

interface Checked {
  file: string
  kind: 'task' | 'job'
  valid: boolean
  diagnostics: Diagnostic[]
}

/** Checks tasks and job templates, each by itself: whether a template's tasks are there is the server's to say. Loads the language and nothing else: it is as fast as Node starts. */
export async function validate(args: string[], output: Output): Promise<number> {
  const { values, positionals } = readCommandLine(args, { json: { type: 'boolean', default: false } })
  if (positionals.length === 0) throw new UsageError('Missing FILE')
  const checked: Checked[] = []
  let unreadable = false
  for (const file of positionals) {
    try {
      const { name, text } = await readDocument(file)
      const kind = documentKind(text)
      const { diagnostics } = kind === 'job' ? parseJob(text) : parseTask(text)
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

function summary(checked: readonly Checked[]): string {
  const all = checked.flatMap(({ diagnostics }) => diagnostics)
  const errors = all.filter(({ severity }) => severity === 'error').length
  const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`
  const jobs = checked.filter(({ kind }) => kind === 'job').length
  const documents = [
    ...(jobs < checked.length || jobs === 0 ? [count(checked.length - jobs, 'task')] : []),
    ...(jobs > 0 ? [count(jobs, 'job template')] : []),
  ]
  return `${documents.join(', ')}, ${count(errors, 'error')}, ${count(all.length - errors, 'warning')}`
}
