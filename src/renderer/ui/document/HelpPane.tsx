import { Fragment, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Hover } from '../../../language/hover.ts'
import type { JsonSchema } from '../../../language/shape/json-schema.ts'
import { ScrollRegion } from '../ScrollRegion.tsx'
import { SearchField } from '../Toolbar.tsx'
import { InlineText, Markdown } from '../code/Markdown.tsx'
import { isLong } from './reading.ts'
import { type HelpEntry, findHelp, helpEntries } from './schema-help.ts'
import classes from './side.module.css'

/** Offset of the first letter of a 1-based line: what the caret's line is about. */
function lineStart(text: string, line: number): number {
  let offset = 0
  for (let at = 1; at < line; at += 1) {
    const next = text.indexOf('\n', offset)
    if (next < 0) break
    offset = next + 1
  }
  const indent = /^[ -]*/.exec(text.slice(offset, offset + 200))?.[0].length ?? 0
  return offset + indent
}

function Entry({ entry }: { entry: HelpEntry }) {
  const { t } = useTranslation('documents')
  const or = ` ${t('help.or')} `
  return (
    <div className={classes.entry}>
      <code>{entry.path}</code>
      <span className={classes.type}>
        {entry.types.map((type, at) => (
          <Fragment key={JSON.stringify(type)}>
            {at > 0 ? or : ''}
            {'value' in type ? (
              <code>{type.value}</code>
            ) : 'name' in type ? (
              t(`help.types.${type.name}`)
            ) : (
              t('help.listOf', { items: type.listOf.map((name) => t(`help.items.${name}`)).join(or) })
            )}
          </Fragment>
        ))}
      </span>
      {entry.required ? <span className={classes.required}>{t('help.required')}</span> : null}
      {entry.default === undefined ? null : (
        <span className={classes.type}>
          {t('help.default')} <code>{entry.default}</code>
        </span>
      )}
      <div className={classes.description} lang="en">
        <InlineText text={entry.description} />
      </div>
      {entry.choices ? (
        <div className={classes.description}>
          {t('help.oneOf')}{' '}
          {entry.choices.map((choice, at) => (
            <Fragment key={choice}>
              {at > 0 ? ', ' : ''}
              <code>{choice}</code>
            </Fragment>
          ))}
        </div>
      ) : entry.example ? (
        <div className={classes.description}>
          {t('help.example')}: <code>{entry.example}</code>
        </div>
      ) : null}
    </div>
  )
}

/** What the line of the caret means, and every key of the language with its description. */
interface HelpPaneProps {
  text: string
  line: number
  schema: JsonSchema
  hover(text: string, offset: number): Hover | null
}

export function HelpPane({ text, line, schema, hover }: HelpPaneProps) {
  const { t, i18n } = useTranslation('documents')
  const [search, setSearch] = useState('')
  const entries = useMemo(() => helpEntries(schema), [schema])
  const found = findHelp(entries, search)
  // What a line means is found by reading the whole text: of a long one with each letter that is typed.
  const here = useMemo(() => (isLong(text) ? null : hover(text, lineStart(text, line))), [hover, text, line])
  return (
    <>
      <div className={classes.helpBar}>
        <SearchField value={search} onChange={setSearch} label={t('help.search')} width={200} delay={80} />
        <span>{t('help.insert')}</span>
      </div>
      <ScrollRegion className={classes.help} label={t('help.label')}>
        {i18n.language === 'en' ? null : <p className={classes.language}>{t('help.language')}</p>}
        {here && search === '' ? (
          <div className={classes.caret} lang="en">
            <Markdown text={here.markdown} />
          </div>
        ) : null}
        {found.length === 0 ? t('help.none') : null}
        {found.map((entry) => (
          <Entry key={entry.path} entry={entry} />
        ))}
      </ScrollRegion>
    </>
  )
}
