import { shortened } from '../../language/shortened.ts'
import { useTranslation } from 'react-i18next'
import classes from './Value.module.css'
import { bigText, describeValue, mostShown, piecesOf } from './value.ts'

/**
 * One value of data, without loss and without doubt: NULL, empty text and a missing field look different; blanks at the
 * ends of a text, line ends, and tabs are marked; long text is cut for the eye alone.
 */
export function Value({ value }: { value: unknown }) {
  const { t } = useTranslation()
  const shown = describeValue(value)
  if (!('text' in shown)) {
    return (
      <span className={classes.absent} data-kind={shown.kind} title={t(`value.${shown.kind}Title`)}>
        {t(`value.${shown.kind}`)}
      </span>
    )
  }
  if (shown.kind === 'text' && (shown.before || shown.after || /[\r\n\t]/.test(shown.text.slice(0, mostShown)))) {
    return (
      <span title={bigText(shown.text)}>
        {piecesOf(shown).map(({ at, text, mark }) => (
          <span key={at} className={mark ? classes.blank : undefined}>
            {text}
          </span>
        ))}
      </span>
    )
  }
  return (
    <span
      data-kind={shown.kind}
      className={classes.value}
      title={shown.text.length > 20 ? bigText(shown.text) : undefined}
    >
      {shortened(shown.text, mostShown)}
    </span>
  )
}
