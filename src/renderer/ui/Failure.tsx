import { useTranslation } from 'react-i18next'
import type { ApiFailure } from '../api/client.ts'
import { CodeWords } from './CodeWords.tsx'
import classes from './document/dialogs.module.css'

/** So many places are named: more would push the buttons of a dialog away. */
const most = 12

/** What the server refused, with every place it names. */
export function Failure({ failure }: { failure: Pick<ApiFailure, 'message' | 'details'> }) {
  const { t } = useTranslation()
  return (
    <div className={classes.error} role="alert">
      <CodeWords text={failure.message} />
      {failure.details.length > 0 ? (
        <ul className={classes.details}>
          {failure.details.slice(0, most).map((detail) => (
            <li key={`${detail.path} ${detail.line ?? ''} ${detail.message}`}>
              <CodeWords text={detail.message} />
              {detail.line ? ` (${t('error.where', { line: detail.line, column: detail.column ?? 1 })})` : null}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
