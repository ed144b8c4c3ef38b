import { Button } from '@mantine/core'
import { IconAlertOctagon } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobRunNode } from '../../../contract/job-runs.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { YamlEditor, type YamlEditorHandle } from '../../ui/code/YamlEditor.tsx'
import { useDialogKeys } from '../../ui/use-dialog-keys.ts'
import classes from './RerunDialog.module.css'
import { useFailure } from './use-failure.ts'
import { useFindings } from './use-findings.ts'

interface RerunEditorProps {
  node: JobRunNode
  /** What this job run ran. */
  ran: string
  text: string
  /** A question stands above it: its keys rest. */
  resting: boolean
  onText(text: string): void
  onReview(): void
  onClose(): void
}

/** The task's YAML for the new job run alone; of one that failed, at the line that failed. */
export function RerunEditor({ node, ran, text, resting, onText, onReview, onClose }: RerunEditorProps) {
  const { t } = useTranslation('jobRuns')
  const { t: word } = useTranslation()
  const changed = text !== ran
  const findings = useFindings(text)
  const failure = useFailure(node, ran)
  const editor = useRef<YamlEditorHandle>(null)
  const line = failure?.line ?? null
  const touched = useRef(false)
  useEffect(() => {
    if (line !== null && !touched.current) editor.current?.reveal(line)
  }, [line])
  const type = (next: string) => {
    touched.current = true
    onText(next)
  }
  useDialogKeys(!resting && changed, ['mod+Enter', 'mod+s'], onReview)
  // It is about the text that ran.
  const mark = changed ? null : failure?.finding
  return (
    <>
      <p className={classes.intro}>{t('rerun.editIntro')}</p>
      {failure ? (
        <p className={classes.failure}>
          <IconAlertOctagon size={15} aria-hidden />
          <span>
            <CodeWords text={failure.cause} />
          </span>
        </p>
      ) : null}
      <div className={classes.editor}>
        <YamlEditor
          value={text}
          onChange={type}
          findings={mark ? [...findings, mark] : findings}
          takesFocus
          label={t('rerun.editorLabel', { key: node.key })}
          ref={editor}
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
