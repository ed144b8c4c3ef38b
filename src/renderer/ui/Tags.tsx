import { type CSSProperties, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { numberText } from './format.ts'
import { orDash } from './nothing.tsx'
import classes from './Tags.module.css'
import { fittingTags, widthOfTags } from './tags.rules.ts'
import { useRoom } from './use-room.ts'

interface TagsProps {
  tags: readonly string[]
  /** Narrows the list to one; without it they are only read. */
  onTag?: ((tag: string) => void) | undefined
  /** In a cell: those that surely fit, and how many others there are. */
  brief?: boolean
}

/** The tags of a row. One that narrows the list does not open the row. */
export function Tags({ tags, onTag, brief = false }: TagsProps) {
  if (tags.length === 0) return orDash(null)
  return brief && tags.length > 1 ? <SomeTags tags={tags} onTag={onTag} /> : <Chips tags={tags} onTag={onTag} />
}

type ChipsProps = Pick<TagsProps, 'tags' | 'onTag'>

function Chips({ tags, onTag }: ChipsProps) {
  const { t } = useTranslation('documents')
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

function SomeTags({ tags, onTag }: ChipsProps) {
  const cell = useRef<HTMLSpanElement>(null)
  const count = fittingTags(tags, useRoom(cell))
  const over = tags.length - count
  const whole: CSSProperties & Record<'--whole', string> = { '--whole': `${widthOfTags(tags)}px` }
  return (
    <span ref={cell} className={classes.some} style={whole} title={over > 0 ? tags.join(', ') : undefined}>
      <Chips tags={tags.slice(0, count)} onTag={onTag} />
      {over > 0 ? <span className={classes.more}>+{numberText(over)}</span> : null}
    </span>
  )
}
