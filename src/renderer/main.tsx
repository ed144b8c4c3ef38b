import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './ui/layers.css'
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '@mantine/spotlight/styles.layer.css'
import './ui/global.css'
import './ui/fields.css'
import './ui/high-contrast.css'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { createQueryClient } from './api/query-client.ts'
import { startI18n } from './i18n/i18n.ts'
import { createRouter } from './routes.tsx'
import { BrandedTheme } from './ui/brand/BrandedTheme.tsx'
import { HintLayer } from './ui/HintLayer.tsx'
import { bringFocusHome } from './ui/focus-home.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

await startI18n()
bringFocusHome()
// Asked for with the first use, it would draw the code of a page twice. A browser that can't have it takes the next one.
void document.fonts.load('1em "JetBrains Mono Variable"').catch(() => undefined)
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <BrandedTheme>
        {/* Beside a dialog, not over the buttons at its foot. */}
        <Notifications position="bottom-right" limit={4} autoClose={5000} containerWidth={340} />
        <RouterProvider router={createRouter()} />
        <HintLayer />
      </BrandedTheme>
    </QueryClientProvider>
  </StrictMode>,
)
