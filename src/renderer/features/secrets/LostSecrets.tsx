import { translateKept } from '../../i18n/translate.ts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { SecretsState } from '../../../contract/server-config.ts'
import { paths } from '../../paths.ts'
import classes from './secrets.module.css'

type Lost = SecretsState['lost'][number]

/** Where it is entered again; a second factor is enrolled by its owner. */
function placeOf(lost: Lost): string | null {
  switch (lost.kind) {
    case 'connector':
      return lost.id === null ? null : paths.connector(lost.id)
    case 'notification':
      return paths.settings('notifications')
    case 'setting':
      return paths.settings('configuration', { find: lost.name })
    case 'totp':
      return null
  }
}

/** What was encrypted with a key that is not here, each with the way to where it is entered again. */
export function LostSecrets({ state }: { state: SecretsState }) {
  const { t } = useTranslation('secrets')
  return (
    <section className={classes.lost} aria-label={t('lostTitle', { count: state.lost.length })}>
      <h2>
        <IconAlertTriangle size={15} aria-hidden />
        {t('lostTitle', { count: state.lost.length })}
      </h2>
      <p>{translateKept(state.remedy, state.remedy_params) ?? t('lostText')}</p>
      <ul>
        {state.lost.map((lost) => {
          const to = placeOf(lost)
          const name = `${t(`kinds.${lost.kind}`)} ${lost.name}`
          return (
            <li key={`${lost.kind} ${lost.id ?? ''} ${lost.name}`}>
              {to ? <Link to={to}>{name}</Link> : <b>{name}</b>}
              {lost.kind === 'setting' ? null : <span>{lost.secrets.join(', ')}</span>}
              <span>{to ? null : t('enrolAgain')}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
