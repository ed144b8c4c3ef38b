import { useTranslation } from 'react-i18next'
import type { AiEvent } from '../../../contract/ai.ts'
import classes from './ai.module.css'

/** Which parts of references a proposal used, behind their number. */
export function UsedReferences({ parts }: { parts: Extract<AiEvent, { event: 'proposal' }>['references'] }) {
  const { t } = useTranslation('ai')
  if (parts.length === 0) return null
  // A long section is several parts, which have one heading; a complete reference has none.
  const names = new Set(parts.map(({ title, heading }) => heading || title))
  return (
    <details className={classes.used}>
      <summary>{t('proposal.references', { count: parts.length })}</summary>
      <ul>
        {[...names].map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </details>
  )
}
