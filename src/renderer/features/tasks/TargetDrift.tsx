import { useTranslation } from 'react-i18next'
import type { TaskPreview } from '../../../contract/task-preview.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { SchemaDrift } from '../../ui/SchemaDrift.tsx'
import classes from './preview.module.css'
import { translateMessage } from '../../i18n/translate.ts'

type Target = NonNullable<TaskPreview['target']>

const differs = ({ exists, drift }: Target): boolean => exists && drift.length > 0

/** Nothing but a remark is to be said of it. */
export const isTakenAsIs = (target: Target): boolean => !target.error && !differs(target)

/** Where the rows and the table that they go into differ, and what the task makes of it. */
export function TargetDrift({ target }: { target: Target }) {
  const { t } = useTranslation('tasks')
  const { table, exists, drift, error } = target
  return (
    <>
      {differs(target) ? <SchemaDrift title={t('preview.target.label', { table })} drift={drift} /> : null}
      {error ? (
        <div className={classes.diff} role="note">
          <span className={classes.removed}>
            <CodeWords
              text={t(exists ? 'preview.target.refuses' : 'preview.target.unseen', {
                table,
                reason: translateMessage(error),
              })}
            />
          </span>
        </div>
      ) : null}
    </>
  )
}
