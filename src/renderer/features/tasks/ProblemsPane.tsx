import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Diagnostic } from '../../../language/diagnostics.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { InlineText } from '../../ui/code/Markdown.tsx'
import classes from './side.module.css'

const icons = { error: IconCircleX, warning: IconAlertTriangle, info: IconInfoCircle } as const

interface ProblemsPaneProps {
  diagnostics: readonly Diagnostic[]
  onShow(diagnostic: Diagnostic): void
}

/** Everything found in the text; a click puts the caret there. */
export function ProblemsPane({ diagnostics, onShow }: ProblemsPaneProps) {
  const { t } = useTranslation('tasks')
  if (diagnostics.length === 0) {
    return <EmptyState icon={IconCircleCheck} title={t('problems.none')} text={t('problems.noneText')} compact />
  }
  return (
    <ul className={classes.problems} aria-label={t('problems.label')}>
      {diagnostics.map((diagnostic) => {
        const Icon = icons[diagnostic.severity]
        return (
          <li key={`${diagnostic.line}:${diagnostic.column} ${diagnostic.path} ${diagnostic.message}`}>
            <button
              type="button"
              className={classes.problem}
              data-severity={diagnostic.severity}
              onClick={() => onShow(diagnostic)}
            >
              <Icon size={15} aria-label={t(`problems.severity.${diagnostic.severity}`)} />
              <span>
                <InlineText text={diagnostic.message} />
                {diagnostic.hint ? (
                  <span className={classes.hint}>
                    <InlineText text={diagnostic.hint} />
                  </span>
                ) : null}
              </span>
              <span className={classes.place} title={diagnostic.path}>
                {t('problems.place', { line: diagnostic.line, column: diagnostic.column })}
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
