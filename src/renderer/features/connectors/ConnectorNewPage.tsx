import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { type ConnectorTypeInfo, listConnectorTypes } from '../../../contract/connectors.ts'
import { useOperation } from '../../api/queries.ts'
import { connectorTypeTexts, useInLanguage } from '../../i18n/server-texts.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { ConnectorForm } from './ConnectorForm.tsx'
import { UrlField } from './UrlField.tsx'
import type { ReadUrl } from './connection-url.ts'
import { formOf } from './connector-draft.ts'
import classes from './connectors.module.css'
import { ConnectorIcon, typeGroup, typeGroups } from './type-looks.tsx'

interface TypeChoiceProps {
  types: readonly ConnectorTypeInfo[]
  onRead: (read: ReadUrl) => undefined
}

function TypeChoice({ types, onRead }: TypeChoiceProps) {
  const { t } = useTranslation('connectors')
  return (
    <>
      <div className={classes.paste}>
        <UrlField placeholder="postgres://user:password@host:5432/database" hint={t('url.hintNew')} onRead={onRead} />
      </div>
      <p className={classes.muted}>{t('choose.text')}</p>
      {typeGroups.map((group) => {
        const offered = types.filter((type) => typeGroup(type.type) === group)
        if (offered.length === 0) return null
        return (
          <section key={group} aria-labelledby={`types-${group}`}>
            <h2 id={`types-${group}`} className={classes.typeGroup}>
              {t(`choose.group.${group}`)}
            </h2>
            <ul className={classes.types}>
              {offered.map((type) => (
                <li key={type.type}>
                  <Link to={paths.connectorNew({ type: type.type })} className={classes.type}>
                    <ConnectorIcon type={type.type} size={18} />
                    <span>
                      <span className={classes.typeTitle}>{type.title}</span>
                      <span className={classes.typeText}>{type.description}</span>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </>
  )
}

function NewForm({ type, pasted }: { type: ConnectorTypeInfo; pasted: ReadUrl | null }) {
  const navigate = useNavigate()
  const form = useMemo(() => formOf(type), [type])
  return (
    <ConnectorForm
      form={form}
      pasted={pasted}
      onSaved={(saved) => void navigate(paths.connector(saved.id), { replace: true })}
      onCancel={() => void navigate(paths.connectors())}
    />
  )
}

/** First the type, then the form that its schema makes. */
export function ConnectorNewPage() {
  const { t } = useTranslation('connectors')
  const [search] = useSearchParams()
  const navigate = useNavigate()
  // Never in the address or the history: it may hold a password.
  const [pasted, setPasted] = useState<ReadUrl | null>(null)
  const read = (url: ReadUrl) => {
    setPasted(url)
    void navigate(paths.connectorNew({ type: url.types[0] ?? '' }))
    return undefined
  }
  const types = useOperation(listConnectorTypes)
  const offered = useInLanguage(types.data, connectorTypeTexts)
  const chosen = offered?.find((type) => type.type === search.get('type'))
  const crumbs = [{ label: t('title'), to: paths.connectors() }]
  return (
    <Page
      title={chosen ? `${t('choose.title')}: ${chosen.title}` : t('choose.title')}
      crumbs={crumbs}
      actions={
        chosen ? (
          <CommandButton
            id="connector.other-type"
            label={t('choose.change')}
            to={paths.connectorNew()}
            variant="default"
          />
        ) : null
      }
    >
      {types.error ? (
        <ErrorState what="connector-types" error={types.error} onRetry={() => void types.refetch()} />
      ) : null}
      {chosen ? (
        <NewForm
          key={chosen.type}
          type={chosen}
          pasted={pasted?.types.some((type) => type === chosen.type) ? pasted : null}
        />
      ) : offered ? (
        <TypeChoice types={offered} onRead={read} />
      ) : null}
    </Page>
  )
}
