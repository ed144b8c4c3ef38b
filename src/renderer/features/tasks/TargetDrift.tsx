import { useTranslation } from 'react-i18next'
import type { TaskPreview } from '../../../contract/task-preview.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { SchemaDrift } from '../../ui/SchemaDrift.tsx'
import classes from './preview.module.css'
import { translateMessage } from '../../i18n/translate.ts'

/** Where the rows and the table that they go into differ, and what the task makes of it. */
export function TargetDrift({ target }: { target: NonNullable<TaskPreview['target']> }) {
  const { t } = useTranslation('tasks')
  const { table, exists, drift, error } = target
  const differs =
    exists && drift.length > 0 ? <SchemaDrift title={t('preview.target.label', { table })} drift={drift} /> : null
  if (differs && !error) return differs
  return (
    <>
      {differs}
      <div className={classes.diff} role="note">
        {error ? (
          <span className={classes.removed}>
            <CodeWords
              text={t(exists ? 'preview.target.refuses' : 'preview.target.unseen', {
                table,
                reason: translateMessage(error),
              })}
            />
          </span>
        ) : (
          <span>{t(exists ? 'preview.target.fits' : 'preview.target.new', { table })}</span>
        )}
      </div>
    </>
  )
}
