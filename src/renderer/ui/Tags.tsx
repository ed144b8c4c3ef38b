import { useTranslation } from 'react-i18next'
import { numberText } from './format.ts'
import { orDash } from './nothing.tsx'
import classes from './Tags.module.css'
import { fittingTags } from './tags.rules.ts'

interface TagsProps {
  tags: readonly string[]
  /** Narrows the list to one; without it they are only read. */
  onTag?: (tag: string) => void
  /** In a cell: those that surely fit, and how many others there are. */
  brief?: boolean
}

/** The tags of a row. One that narrows the list does not open the row. */
export function Tags({ tags, onTag, brief = false }: TagsProps) {
  const { t } = useTranslation('documents')
  if (tags.length === 0) return orDash(null)
  const shown = brief ? tags.slice(0, fittingTags(tags)) : tags
  const chips = shown.map((tag) =>
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
  if (shown.length === tags.length) return chips
  return (
    <span className={classes.some} title={tags.join(', ')}>
      {chips}
      <span className={classes.more}>+{numberText(tags.length - shown.length)}</span>
    </span>
  )
}
