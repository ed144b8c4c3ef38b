import { useTranslation } from 'react-i18next'
import { numberText } from '../../ui/format.ts'
import type { JsonataProblem } from './jsonata.types.ts'
import classes from './views.module.css'

/** Characters on either side of a mistake. */
const around = 40

/** Why an expression gave nothing, and where. */
export function JsonataFailure({ problem, expression }: { problem: JsonataProblem | Error; expression: string }) {
  const { t } = useTranslation('explorer')
  if (problem instanceof Error) return <>{problem.message}</>
  if (problem.kind === 'late') return <>{t('jsonata.late', { count: problem.seconds })}</>
  if (problem.kind === 'tooMuch') return <>{t('jsonata.tooMuch')}</>
  if (problem.kind === 'tooLong') return <>{t('jsonata.tooLong', { most: numberText(problem.characters) })}</>
  const { message, position } = problem
  if (position === null) return <>{message}</>
  // JSONata counts the characters up to the end of what it stumbled over.
  const end = Math.min(position, expression.length)
  const lines = expression.slice(0, end).split('\n')
  const place = { line: lines.length, column: lines.at(-1)?.length ?? 0 }
  const start = Math.max(0, end - around)
  return (
    <>
      {message} <span className={classes.at}>{t('jsonata.at', place)}</span>
      <pre className={classes.excerpt}>
        {start > 0 ? '…' : ''}
        {expression.slice(start, Math.max(start, end - 1))}
        <mark>{expression.slice(Math.max(start, end - 1), end) || ' '}</mark>
        {expression.slice(end, end + around)}
        {end + around < expression.length ? '…' : ''}
      </pre>
    </>
  )
}
