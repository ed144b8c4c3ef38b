import { useTranslation } from 'react-i18next'
import { orDash } from './nothing.tsx'
import classes from './Tags.module.css'

interface TagsProps {
  tags: readonly string[]
  /** Narrows the list to one; without it they are only read. */
  onTag?: (tag: string) => void
}

/** The tags of a row. One that narrows the list does not open the row. */
export function Tags({ tags, onTag }: TagsProps) {
  const { t } = useTranslation('documents')
  if (tags.length === 0) return orDash(null)
  return tags.map((tag) =>
    onTag ? (
      <button
        key={tag}
        type="button"
        className={classes.tag}
        tabIndex={-1}
        title={t('list.tag', { tag })}
        onClick={(event) => {
          event.preventDefault()
          event.stopPropagation()
          onTag(tag)
        }}
      >
        {tag}
      </button>
    ) : (
      <span key={tag} className={classes.tag}>
        {tag}
      </span>
    ),
  )
}
