import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { YamlEditor } from '../../ui/code/YamlEditor.tsx'
import { useDialogKeys } from '../../ui/use-dialog-keys.ts'
import { useFindings } from './use-findings.ts'
import classes from './RerunDialog.module.css'

interface RerunEditorProps {
  taskKey: string
  text: string
  changed: boolean
  /** A question stands above it: its keys rest. */
  resting: boolean
  onText(text: string): void
  onReview(): void
  onClose(): void
}

/** The task's YAML for the new job run alone. */
export function RerunEditor({ taskKey, text, changed, resting, onText, onReview, onClose }: RerunEditorProps) {
  const { t } = useTranslation('jobRuns')
  const { t: word } = useTranslation()
  const findings = useFindings(text)
  useDialogKeys(!resting && changed, ['mod+Enter', 'mod+s'], onReview)
  return (
    <>
      <div className={classes.editor}>
        <YamlEditor
          value={text}
          onChange={onText}
          findings={findings}
          takesFocus
          label={t('rerun.editorLabel', { key: taskKey })}
        />
      </div>
      <div className={classes.foot}>
        <span className={classes.said}>{changed ? null : t('rerun.unchanged')}</span>
        <Button variant="default" onClick={onClose}>
          {word('form.cancel')}
        </Button>
        <Button disabled={!changed} onClick={onReview}>
          {t('rerun.review')}
        </Button>
      </div>
    </>
  )
}
