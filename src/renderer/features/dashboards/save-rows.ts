import { notifications } from '@mantine/notifications'
import type { TFunction } from 'i18next'
import { exportWidgetRows } from '../../../contract/dashboards.ts'
import { openStream } from '../../api/client.ts'
import { saveStream } from '../../ui/save-stream.ts'
import { bytesText } from '../../ui/time.ts'
import type { Choice } from './dashboard-choice.rules.ts'

interface Wanted {
  id: number
  widgetId: string
  name: string
  choice: Choice
}

/** Downloads all rows of a widget, and says how far it is. */
export async function saveRows({ id, widgetId, name, choice }: Wanted, t: TFunction<'dashboards'>): Promise<void> {
  const controller = new AbortController()
  const { signal } = controller
  const shown = notifications.show({
    loading: true,
    autoClose: false,
    message: t('widget.exporting', { name }),
    // Closed before its end, it is not wanted any more.
    onClose: () => controller.abort(),
  })
  // Sizes are rounded: most pieces say nothing new.
  let said = ''
  const say = (message: string) => {
    if (message !== said) notifications.update({ id: shown, loading: true, autoClose: false, message })
    said = message
  }
  try {
    const type = { description: name, accept: { 'text/csv': ['.csv'] } }
    const open = () =>
      openStream(exportWidgetRows, { params: { id, widgetId }, body: { ...choice, formula_guard: true }, signal })
    const onBytes = (bytes: number) => say(t('widget.exportingBytes', { name, size: bytesText(bytes) }))
    const isSaved = await saveStream({ name, type }, open, onBytes, signal)
    notifications.hide(shown)
    if (isSaved) notifications.show({ message: t('widget.exported', { name }) })
  } catch (error) {
    // Hiding it is closing it, too.
    const isClosed = signal.aborted
    notifications.hide(shown)
    if (isClosed) return
    notifications.show({ color: 'red', message: error instanceof Error ? error.message : String(error) })
  }
}
