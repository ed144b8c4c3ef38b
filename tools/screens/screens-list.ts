// Every screen that is looked at: its address, and what is opened on it.
import type { Page } from 'playwright'
import { explorerScreens } from './explorer-screens.ts'
import { usedAi } from './ai-use.ts'
import type { Screen } from './screen.types.ts'
import { signingIn } from './signing-in.ts'
import type { Records } from './workspaces.ts'

const of = (id: number, path: string) => (id > 0 ? path : null)
const full = ['full'] as const
const lists = ['empty', 'full', 'many'] as const
const press = (keys: string) => (page: Page) => page.keyboard.press(keys)
/** Presses the buttons and menu items of these names, one after the other; a menu item says more after its name. */
const choose =
  (...names: string[]) =>
  async (page: Page) => {
    for (const name of names) {
      const item = page.getByRole('menuitem').filter({ hasText: name })
      await page.getByRole('button', { name, exact: true }).or(item).first().click()
    }
  }
/** Discards what another screen has left, types at the end of the text, then presses the tab or button of this name. */
const write = (text: string, name: string | RegExp) => async (page: Page) => {
  const left = page.getByRole('button', { name: 'Discard changes' })
  if (await left.isVisible()) await left.click()
  await page.locator('.cm-content').first().click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText(text)
  await page.getByRole('tab', { name }).or(page.getByRole('button', { name })).first().click()
}
/** Chooses files as the system's dialog would. */
const openFiles = (files: Readonly<Record<string, string>>) => (page: Page) =>
  page
    .locator('input[type=file][multiple]')
    .first()
    .setInputFiles(Object.entries(files).map(([name, text]) => ({ name, mimeType: '', buffer: Buffer.from(text) })))
const people = 'id;name;city\n1;Zoë;Berlin\n2;Ada;London\n'
/** A bundle of what is here, in which some tasks are others: a change, a new one, and a mistake. */
async function openBundle(page: Page): Promise<void> {
  const exported = await (await page.request.get(new URL('/api/export', page.url()).href)).text()
  const text = exported
    .replaceAll('AS wet_days', 'AS rainy_days')
    .replaceAll('flights.export', 'flights.archive')
    .replaceAll('kind: pipeline\\nname: flights.delays', 'kind: pipelinne\\nname: flights.delays')
  await openFiles({ 'nightly-export.ndjson': text })(page)
  await page.getByRole('grid', { name: 'Results' }).getByText('weather.monthly').click()
}
/** The server says that somebody has paused its scheduler. */
const pausedScheduler = async (page: Page) => {
  const json = { paused: true, paused_at: new Date(Date.now() - 1_200_000).toISOString(), paused_by: 'grace' }
  await page.route('**/api/scheduler', (route) => route.fulfill({ json }))
  await page.reload()
}

export const screens: readonly Screen[] = [
  ...signingIn,
  { name: 'home', address: () => '/', in: lists },
  { name: 'tasks', address: () => '/tasks', in: lists },
  { name: 'task', address: ({ task }) => of(task, `/tasks/${task}`), in: full },
  { name: 'task-versions', address: ({ task }) => of(task, `/tasks/${task}/versions`), in: full },
  { name: 'task-runs', address: ({ task }) => of(task, `/tasks/${task}/runs`), in: full },
  ...(
    [
      ['run', choose('Run: more', 'Run with…')],
      ['save', write('\n# reviewed\n', 'Save…')],
      ['preview-none', write('\nsteps: 3\n', 'Preview')],
      ['problems', write('\nsteps: 3\n', /^Problems/)],
      ['help', write('', 'Help')],
    ] as const
  ).map(([name, after]) => ({
    name: `task-${name}`,
    address: ({ task }: Records) => of(task, `/tasks/${task}`),
    after,
    in: full,
  })),
  { name: 'task-new', address: () => '/tasks/new', in: full },
  { name: 'task-gallery', address: () => '/tasks/new?gallery=', in: full },
  { name: 'job-templates', address: () => '/job-templates', in: lists },
  { name: 'job-template', address: ({ template }) => of(template, `/job-templates/${template}`), in: full },
  {
    name: 'job-template-versions',
    address: ({ template }) => of(template, `/job-templates/${template}/versions`),
    in: full,
  },
  { name: 'job-template-jobs', address: ({ template }) => of(template, `/job-templates/${template}/jobs`), in: full },
  {
    name: 'job-template-make',
    address: ({ template }) => of(template, `/job-templates/${template}`),
    after: choose('Create job…'),
    in: full,
  },
  { name: 'job-template-new', address: () => '/job-templates/new', in: full },
  { name: 'job-template-draft', address: () => '/job-templates/new?sample=blank', in: full },
  { name: 'dashboard-templates', address: () => '/dashboard-templates', in: lists },
  { name: 'dashboard-template-new', address: () => '/dashboard-templates/new', in: ['empty', 'full'] },
  { name: 'dashboard-template-draft', address: () => '/dashboard-templates/new?sample=every-run', in: full },
  {
    name: 'dashboard-template',
    address: ({ dashboardTemplate }) => of(dashboardTemplate, `/dashboard-templates/${dashboardTemplate}`),
    in: full,
  },
  { name: 'dashboards', address: () => '/dashboards', in: lists },
  { name: 'dashboard', address: ({ dashboard }) => of(dashboard, `/dashboards/${dashboard}`), in: full },
  {
    name: 'dashboard-share',
    address: ({ dashboard }) => of(dashboard, `/dashboards/${dashboard}`),
    after: choose('Share…'),
    in: full,
  },
  { name: 'kiosk', address: ({ dashboard }) => of(dashboard, `/kiosk?dashboards=${dashboard}`), in: full },
  {
    name: 'public-dashboard',
    address: ({ publicDashboard }) => publicDashboard || null,
    signedOut: true,
    in: full,
  },
  { name: 'jobs', address: () => '/jobs', in: lists },
  { name: 'jobs-of-template', address: ({ template }) => of(template, `/jobs?job_template_id=${template}`), in: full },
  { name: 'jobs-none-found', address: () => '/jobs?q=qqqqq', in: full },
  { name: 'job-dialog-new', address: () => '/jobs?new=yes', in: ['empty', 'full'] },
  {
    name: 'job-dialog-new-of',
    address: ({ template }) => of(template, `/jobs?job_template_id=${template}&new=yes`),
    in: full,
  },
  ...['overview', 'snapshot', 'overrides', 'triggers', 'settings'].map((tab) => ({
    name: `job-${tab}`,
    address: ({ job }: Records) => of(job, `/jobs/${job}?tab=${tab}`),
    in: full,
  })),
  ...(
    [
      ['run', 'Run: more', 'Run with…'],
      ['backfill', 'More actions', 'Backfill…'],
      ['upgrade', 'More actions', 'Upgrade…'],
      ['archive', 'More actions', 'Archive…'],
    ] as const
  ).map(([name, ...names]) => ({
    name: `job-dialog-${name}`,
    address: ({ job }: Records) => of(job, `/jobs/${job}`),
    after: choose(...names),
    in: full,
  })),
  { name: 'job-runs', address: () => '/job-runs', in: lists },
  { name: 'job-runs-none-found', address: () => '/job-runs?status=cancelled', in: full },
  { name: 'job-run', address: ({ jobRun }) => of(jobRun, `/job-runs/${jobRun}`), in: full },
  { name: 'job-run-failed', address: ({ failedJobRun }) => of(failedJobRun, `/job-runs/${failedJobRun}`), in: full },
  { name: 'job-run-paused', address: ({ pausedJobRun }) => of(pausedJobRun, `/job-runs/${pausedJobRun}`), in: full },
  { name: 'job-run-queued', address: ({ queuedJobRun }) => of(queuedJobRun, `/job-runs/${queuedJobRun}`), in: full },
  ...(
    [
      ['menu', 'Rerun'],
      ['failed', 'Rerun', 'From publish…'],
    ] as const
  ).map(([name, ...names]) => ({
    name: `job-run-dialog-${name}`,
    address: ({ failedJobRun }: Records) => of(failedJobRun, `/job-runs/${failedJobRun}`),
    after: choose(...names),
    in: full,
  })),
  {
    name: 'job-run-dialog-compare-menu',
    address: ({ jobRun }) => of(jobRun, `/job-runs/${jobRun}`),
    after: choose('Compare'),
    in: full,
  },
  {
    name: 'job-run-dialog-edit',
    address: ({ failedJobRun }) => of(failedJobRun, `/job-runs/${failedJobRun}`),
    after: press('Control+e'),
    in: full,
  },
  { name: 'job-run-compare-none', address: () => '/job-runs/compare', in: full },
  {
    name: 'job-run-compare',
    address: ({ jobRun, failedJobRun }) => of(jobRun, `/job-runs/compare?a=${failedJobRun}&b=${jobRun}`),
    in: full,
  },
  { name: 'runs', address: () => '/runs', in: lists },
  { name: 'runs-none-found', address: () => '/runs?status=cancelled&trigger_type=api', in: full },
  { name: 'run', address: ({ run }) => of(run, `/runs/${run}`), in: full },
  ...['steps', 'changes', 'yaml'].map((tab) => ({
    name: `run-compare-${tab}`,
    address: ({ earlierRun, laterRun }: Records) =>
      of(
        earlierRun,
        `/runs/compare?a=${Math.min(earlierRun, laterRun)}&b=${Math.max(earlierRun, laterRun)}&tab=${tab}&all=1`,
      ),
    in: full,
  })),
  { name: 'run-compare-none', address: () => '/runs/compare', in: full },
  {
    name: 'run-dialog-compare-menu',
    address: ({ run }) => of(run, `/runs/${run}`),
    after: choose('Compare'),
    in: full,
  },
  { name: 'run-failed', address: ({ failedRun }) => of(failedRun, `/runs/${failedRun}`), in: full },
  { name: 'run-rejects', address: ({ rejectsRun }) => of(rejectsRun, `/runs/${rejectsRun}?tab=rejects`), in: full },
  {
    name: 'run-fix-rejects',
    address: ({ rejectsRun }) => of(rejectsRun, `/runs/${rejectsRun}/fix-rejects`),
    in: full,
  },
  { name: 'triggers', address: () => '/triggers', in: lists },
  ...['week', 'list', 'events'].map((view) => ({
    name: `triggers-${view}`,
    address: () => `/triggers?view=${view}`,
    in: lists,
  })),
  { name: 'triggers-paused', address: () => '/triggers', after: pausedScheduler, in: full },
  { name: 'triggers-dialog-new', address: () => '/triggers', after: choose('Create trigger…'), in: full },
  {
    name: 'triggers-dialog-event',
    address: () => '/triggers?view=events',
    after: choose('Create trigger…'),
    in: full,
  },
  ...explorerScreens,
  { name: 'connectors', address: () => '/connectors', in: lists },
  { name: 'lineage', address: () => '/lineage', awaits: '[data-laid-out]', in: lists },
  { name: 'lineage-task', address: ({ task }) => of(task, `/lineage?node=task%20${task}`), in: full },
  { name: 'metrics', address: () => '/metrics', in: lists },
  { name: 'metrics-custom', address: () => '/metrics/custom', in: ['empty', 'full'] },
  { name: 'metrics-custom-details', address: () => '/metrics/custom?metric=weather_rows', in: full },
  { name: 'metrics-custom-dialog', address: () => '/metrics/custom', after: choose('Create metric…'), in: full },
  { name: 'connector', address: ({ connector }) => of(connector, `/connectors/${connector}`), in: full },
  {
    name: 'connector-resources',
    address: ({ fileConnector }) => of(fileConnector, `/connectors/${fileConnector}/resources`),
    in: full,
  },
  {
    name: 'connector-resource',
    address: ({ fileConnector }) => of(fileConnector, `/connectors/${fileConnector}/resources?resource=airports.csv`),
    in: full,
  },
  {
    name: 'connector-tested',
    address: ({ connector }) => of(connector, `/connectors/${connector}`),
    after: choose('Test connection'),
    in: full,
  },
  { name: 'connector-types', address: () => '/connectors/new', in: full },
  { name: 'connector-new', address: () => '/connectors/new?type=postgres', in: full },
  { name: 'executors', address: () => '/executors', in: ['full', 'many'] },
  { name: 'executors-dialog-add', address: () => '/executors', after: choose('Add executor…'), in: full },
  { name: 'users', address: () => '/users', in: ['full', 'many'] },
  { name: 'user-dialog-new', address: () => '/users', after: choose('Create user…'), in: full },
  { name: 'user', address: ({ user }) => of(user, `/users/${user}`), in: full },
  { name: 'profile', address: () => '/profile', in: full },
  { name: 'profile-dialog-password', address: () => '/profile', after: choose('Change password…'), in: full },
  { name: 'profile-dialog-factor', address: () => '/profile', after: choose('Set up…'), in: full },
  { name: 'import', address: () => '/exchange/import', in: full },
  { name: 'import-dry-run', address: () => '/exchange/import', after: openBundle, in: full },
  { name: 'export', address: () => '/exchange/export', in: full },
  { name: 'audit', address: () => '/audit', in: ['full', 'many'] },
  ...[
    'appearance',
    'desktop',
    'api-keys',
    'notifications',
    'pools',
    'ai-references',
    'ai-usage',
    'public-links',
    'server',
    'configuration',
    'branding',
    'backups',
    'store',
    'secrets',
  ].map((section) => ({
    name: `settings-${section}`,
    address: () => `/settings/${section}`,
    in: section === 'api-keys' ? lists : (['empty', 'full'] as const),
  })),
  {
    name: 'settings-dialog-reference',
    address: () => '/settings/ai-references',
    after: choose('Create reference…'),
    in: full,
  },
  {
    name: 'settings-ai-references-preview',
    address: () => '/settings/ai-references',
    after: async (page) => {
      await choose('Test retrieval…')(page)
      await page.getByRole('dialog').getByRole('textbox').first().fill('When did a flight land?')
      await page.getByRole('dialog').locator('button[type=submit]').click()
    },
    in: full,
  },
  { name: 'settings-ai-usage-month', address: () => '/settings/ai-usage', after: usedAi, in: full },
  { name: 'settings-desktop-app', address: () => '/settings/desktop', desktop: true, in: full },
  {
    name: 'settings-channel',
    address: ({ channel }) => of(channel, `/settings/notifications?channel=${channel}`),
    in: full,
  },
  {
    name: 'settings-dialog-channel',
    address: () => '/settings/notifications',
    after: choose('Create channel…'),
    in: full,
  },
  { name: 'settings-dialog-key', address: () => '/settings/api-keys', after: choose('Create API key…'), in: full },
  { name: 'settings-dialog-pool', address: () => '/settings/pools', after: choose('Create pool…'), in: full },
  { name: 'docs', address: () => '/docs', in: full },
  { name: 'docs-page', address: () => '/docs/task-language', in: full },
  { name: 'docs-search', address: () => '/docs?q=incremental', in: full },
  {
    name: 'docs-found',
    address: () => '/docs?q=incremental',
    after: (page) => page.locator('[data-docs-result]').first().click(),
    in: full,
  },
  { name: 'docs-search-none', address: () => '/docs?q=qqqqq', in: full },
  { name: 'user-menu', address: () => '/', after: choose('Account: ada'), in: full },
  ...(
    [
      ['rows', { 'people.csv': people }],
      ['together', { 'people.csv': people, 'more.csv': people }],
      ['several', { 'people.csv': people, 'letter.txt': 'Dear Sir' }],
      ['refused', { 'letter.txt': 'Dear Sir' }],
    ] as const
  ).map(([name, files]) => ({ name: `incoming-${name}`, address: () => '/', after: openFiles(files), in: full })),
  { name: 'not-found-record', address: () => '/users/9999', in: full },
  { name: 'not-found', address: () => '/nowhere', in: full },
  { name: 'palette', address: () => '/', after: press('Control+k'), in: full },
  { name: 'open-anything', address: () => '/', after: press('Control+p'), in: full },
  { name: 'shortcuts', address: () => '/tasks', after: press('?'), in: full },
]
