import { useTranslation } from 'react-i18next'
import classes from './builder.module.css'

/** A statement, and the values that are sent with it. */
export function Statement({ text, values }: { text: string; values: Readonly<Record<string, unknown>> }) {
  const { t } = useTranslation('explorer')
  const bound = Object.entries(values)
  return (
    <>
      <pre className={classes.text}>{text}</pre>
      {bound.length > 0 ? (
        <dl className={classes.values} aria-label={t('builder.values')}>
          {bound.map(([name, value]) => (
            <div key={name}>
              <dt>:{name}</dt>
              <dd>{String(value)}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </>
  )
}
