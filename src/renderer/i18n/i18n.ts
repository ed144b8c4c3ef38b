import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { apiKeys } from './en/api-keys.ts'
import { audit } from './en/audit.ts'
import { backups } from './en/backups.ts'
import { branding } from './en/branding.ts'
import { configuration } from './en/configuration.ts'
import { exchange } from './en/exchange.ts'
import { secrets } from './en/secrets.ts'
import { storeCare } from './en/store-care.ts'
import { connectors } from './en/connectors.ts'
import { documents } from './en/documents.ts'
import { executors } from './en/executors.ts'
import { graph } from './en/graph.ts'
import { home } from './en/home.ts'
import { jobRuns } from './en/job-runs.ts'
import { jobTemplates } from './en/job-templates.ts'
import { notifications } from './en/notifications.ts'
import { pools } from './en/pools.ts'
import { jobs } from './en/jobs.ts'
import { profile } from './en/profile.ts'
import { runs } from './en/runs.ts'
import { settings } from './en/settings.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { tasks } from './en/tasks.ts'
import { triggers } from './en/triggers.ts'
import { ui } from './en/ui.ts'
import { users } from './en/users.ts'
import { welcome } from './en/welcome.ts'

/** One namespace a feature; `t('key')` of a component uses the namespace it asked for. */
export const resources = {
  en: {
    ui,
    documents,
    graph,
    shell,
    signIn,
    home,
    tasks,
    jobTemplates,
    runs,
    connectors,
    executors,
    settings,
    notifications,
    jobs,
    pools,
    triggers,
    jobRuns,
    audit,
    backups,
    branding,
    configuration,
    exchange,
    secrets,
    storeCare,
    apiKeys,
    profile,
    users,
    welcome,
  },
} as const

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'ui'
    resources: (typeof resources)['en']
  }
}

export async function startI18n(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    defaultNS: 'ui',
    resources,
    interpolation: { escapeValue: false },
    returnNull: false,
  })
}
