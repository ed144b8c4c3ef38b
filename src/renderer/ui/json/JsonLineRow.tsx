import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { numberText } from '../format.ts'
import classes from './JsonTree.module.css'
import { type JsonLine, leafText, previewOf } from './json-tree.rules.ts'

interface JsonLineRowProps {
  id: string | undefined
  /** Of the line in the tree. */
  number: number
  /** Of the item; null: there is only one. */
  item: number | null
  /** Of the greatest number of an item. */
  digits: number
  line: JsonLine
  pending: boolean
  current: boolean
}

/** A key and its value, or what is in it. */
export function JsonLineRow({ id, number, item, digits, line, pending, current }: JsonLineRowProps) {
  const { t } = useTranslation()
  const { path, value, size, open } = line
  const key = path.at(-1)
  const Fold = open ? IconChevronDown : IconChevronRight
  const width = `calc(${digits}ch + 18px)`
  const leaf = size === null ? leafText(value) : null
  return (
    <div
      id={id}
      className={classes.line}
      role="treeitem"
      aria-level={path.length + 1}
      aria-expanded={size === null || size === 0 ? undefined : open}
      aria-selected={current}
      data-line={number}
      data-current={current || undefined}
    >
      {item === null ? null : (
        <span className={classes.number} style={{ width }}>
          {path.length === 0 ? numberText(item + 1) : ''}
        </span>
      )}
      <span style={{ width: path.length * 16, flex: 'none' }} />
      <span className={classes.fold} data-fold={size ? true : undefined} aria-hidden>
        {size ? <Fold size={13} /> : null}
      </span>
      {pending ? (
        <span className={classes.pending}>{t('loading')}</span>
      ) : (
        <span>
          {key === undefined ? null : <span className={classes.key}>{key}: </span>}
          {leaf ? (
            <span className={classes.leaf} data-kind={leaf.kind}>
              {leaf.text}
            </span>
          ) : open ? (
            <span className={classes.count}>
              {Array.isArray(value)
                ? t('jsonTree.items', { count: size ?? 0 })
                : t('jsonTree.keys', { count: size ?? 0 })}
            </span>
          ) : (
            previewOf(value)
          )}
        </span>
      )}
    </div>
  )
}
