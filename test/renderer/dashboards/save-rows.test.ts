import { notifications } from '@mantine/notifications'
import type { TFunction } from 'i18next'
import { expect, onTestFinished, test, vi } from 'vitest'
import { saveRows } from '../../../src/renderer/features/dashboards/save-rows.ts'

// Words by their keys: which ones they are in a language doesn't matter here.
const inKeys = ((key: string) => key) as unknown as TFunction<'dashboards'>

test('an export that fails says why, and one that was closed says nothing', async () => {
  const show = vi.spyOn(notifications, 'show')
  const fetched = vi.fn<typeof fetch>()
  vi.stubGlobal('fetch', fetched)
  onTestFinished(() => {
    show.mockRestore()
    vi.unstubAllGlobals()
  })
  const save = () => saveRows({ id: 1, widgetId: 'rows', name: 'rows.csv', choice: {} }, inKeys)
  fetched.mockRejectedValueOnce(new TypeError('The line is cut'))
  await save()
  expect(show).toHaveBeenLastCalledWith(expect.objectContaining({ color: 'red' }))
  show.mockClear()
  fetched.mockImplementationOnce(() => {
    // Whoever waits closes the notification.
    notifications.clean()
    show.mock.calls[0]?.[0].onClose?.({ message: '' })
    return Promise.reject(new DOMException('Aborted', 'AbortError'))
  })
  await save()
  expect(show).toHaveBeenCalledTimes(1)
})
