/** The page of a public link: widgets of the window without the window. `tools/public-page.ts` bundles it, and why that is small. */
import './ui/layers.css'
import './features/public-dashboards/styles.ts'
import './ui/global.css'
import './ui/high-contrast.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'
import { PublicDashboardPage, askForDashboard } from './features/public-dashboards/PublicDashboardPage.tsx'
import { startWords } from './i18n/small.ts'

const root = document.getElementById('root')
if (!root) throw new Error('public.html has no #root')

const [, token = ''] = /^\/public\/dashboards\/([^/]+)$/.exec(location.pathname) ?? []
const client = createQueryClient()
askForDashboard(client, token)
await startWords()
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <PublicDashboardPage token={token} />
    </QueryClientProvider>
  </StrictMode>,
)
