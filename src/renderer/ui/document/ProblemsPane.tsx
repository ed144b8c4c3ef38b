import { Text } from '@codemirror/state'
import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconHourglass, IconInfoCircle } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { diagnosticCodes } from '../../../language/diagnostic-codes.ts'
import { translateHint, translateMessage } from '../../i18n/translate.ts'
import { EmptyState } from '../EmptyState.tsx'
import { HelpLink } from '../HelpLink.tsx'
import { InlineText } from '../code/Markdown.tsx'
import type { TextFinding } from '../code/editor-knowledge.ts'
import { quickFix } from '../code/quick-fix.ts'
import { offsetsOf } from '../code/text-positions.ts'
import { LoadFailure } from '../LoadFailure.tsx'
import classes from './side.module.css'
import type { ServerCheck } from './use-server-check.ts'

const icons = { error: IconCircleX, warning: IconAlertTriangle, info: IconInfoCircle } as const

interface ProblemsPaneProps {
  text: string
  findings: readonly TextFinding[]
  unchecked: ServerCheck['failed']
  /** The text is still being read for the first time. */
  unread: boolean
  onShow(finding: TextFinding): void
  /** Mends it in the text; absent where the text cannot be changed. */
  onFix: ((finding: TextFinding) => void) | undefined
}

/** Everything found in the text; a click puts the caret there, and where a mending is near it is one click, too. */
export function ProblemsPane({ text, findings, unchecked, unread, onShow, onFix }: ProblemsPaneProps) {
  const { t } = useTranslation('documents')
  const { t: word } = useTranslation()
  const doc = useMemo(() => Text.of(text.split('\n')), [text])
  if (unread) {
    return <EmptyState icon={IconHourglass} title={t('problems.reading')} text={t('problems.readingText')} compact />
  }
  const failure = unchecked ? (
    <LoadFailure text={t('problems.unchecked')} error={unchecked.error} onRetry={unchecked.retry} />
  ) : null
  if (findings.length === 0) {
    return (
      failure ?? <EmptyState icon={IconCircleCheck} title={t('problems.none')} text={t('problems.noneText')} compact />
    )
  }
  const fixOf = (finding: TextFinding) => {
    const { from, to } = offsetsOf(doc, finding)
    return onFix ? quickFix(text, finding, from, to) : null
  }
  return (
    <>
      {failure}
      <ul className={classes.problems} aria-label={t('problems.label')}>
        {findings.map((finding) => {
          const Icon = icons[finding.severity]
          const fix = fixOf(finding)
          const hint = translateHint(finding)
          return (
            <li
              key={`${finding.line}:${finding.column} ${finding.path} ${finding.message}`}
              className={classes.problemLine}
            >
              <button
                type="button"
                className={classes.problem}
                data-severity={finding.severity}
                onClick={() => onShow(finding)}
              >
                <Icon size={15} aria-label={t(`problems.severity.${finding.severity}`)} />
                <span>
                  <InlineText text={translateMessage(finding)} />
                  {hint ? (
                    <span className={classes.hint}>
                      <InlineText text={hint} />
                    </span>
                  ) : null}
                </span>
                <span className={classes.place} title={finding.path}>
                  {t('problems.place', { line: finding.line, column: finding.column })}
                </span>
              </button>
              {finding.code && Object.hasOwn(diagnosticCodes, finding.code) ? (
                <HelpLink page="diagnostics" anchor={finding.code} label={word('help.code', { code: finding.code })} />
              ) : null}
              {fix ? (
                <Button size="compact-xs" variant="default" className={classes.fix} onClick={() => onFix?.(finding)}>
                  {word('code.replaceBy', { word: fix.insert })}
                </Button>
              ) : null}
            </li>
          )
        })}
      </ul>
    </>
  )
}
