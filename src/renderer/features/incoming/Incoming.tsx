import { IconFolderOpen } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { notifications } from '@mantine/notifications'
import { useCommands } from '../../commands/commands.ts'
import { desktopBridge } from '../../desktop-bridge.ts'
import { DropOverlay } from './DropOverlay.tsx'
import { IncomingFiles } from './IncomingFiles.tsx'
import { ofFile, ofOpened, receiveFiles, useIncoming } from './incoming.store.ts'

/** Files in: dropped anywhere, chosen by command, or opened with Headgate by the system. */
export function Incoming() {
  const { t } = useTranslation('incoming')
  const input = useRef<HTMLInputElement>(null)
  const files = useIncoming()

  const choose = async () => {
    const bridge = desktopBridge()
    if (!bridge) return input.current?.click()
    const paths = await bridge.openFile({ title: t('open'), multiple: true })
    try {
      receiveFiles((await Promise.all(paths.map((path) => bridge.openedFile(path)))).map(ofOpened))
    } catch (error) {
      notifications.show({ color: 'red', message: error instanceof Error ? error.message : String(error) })
    }
  }
  useCommands([
    {
      id: 'open-file',
      title: t('open'),
      group: 'create',
      menu: 'file',
      icon: IconFolderOpen,
      shortcut: 'mod+o',
      keywords: t('keywords'),
      run: () => void choose(),
    },
  ])
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={t('open')}
        onChange={(event) => {
          receiveFiles(Array.from(event.currentTarget.files ?? [], (file) => ofFile(file)))
          // The same file, changed meanwhile, can be chosen again.
          event.currentTarget.value = ''
        }}
      />
      <DropOverlay />
      {files.length > 0 ? <IncomingFiles files={files} /> : null}
    </>
  )
}
