import { useTranslation } from 'react-i18next'
import classes from './connectors.module.css'
import type { Environment } from './connector-draft.ts'

/** Where a connector leads. Production is framed, here and around its pages, because mistakes there are dear. */
export function EnvironmentMark({ environment }: { environment: Environment }) {
  const { t } = useTranslation('connectors')
  return (
    <span className={classes.environment} data-environment={environment}>
      {t(`environment.${environment}`)}
    </span>
  )
}
