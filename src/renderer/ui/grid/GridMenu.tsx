import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { MenuEntry } from '../MenuEntry.tsx'
import { type Point, PointMenu } from '../PointMenu.tsx'
import { type CopyFormat, copyFormats } from './copy.rules.ts'
import type { GridLinks } from './grid.types.ts'

interface GridMenuProps {
  at: Point | null
  onClose: () => void
  /** Of the cell where the keyboard stands; what is absent can’t be done. */
  onOpen: (() => void) | undefined
  onProfile: (() => void) | undefined
  links: ReturnType<GridLinks['of']>
  edits: { edit(): void; deleteRows(): void } | undefined
  onCopy: (format: CopyFormat) => void
}

/** What can be done with the selected cells. */
export function GridMenu({ at, onClose, onOpen, onProfile, links, edits, onCopy }: GridMenuProps) {
  const { t } = useTranslation()
  return (
    <PointMenu at={at} onClose={onClose} label={t('grid.actions')}>
      {onOpen ? <Menu.Item onClick={onOpen}>{t('grid.openCell')}</Menu.Item> : null}
      {onProfile ? (
        <MenuEntry needsServer onClick={onProfile}>
          {t('grid.profile')}
        </MenuEntry>
      ) : null}
      {links.map((link) => (
        <Menu.Item key={link.label} onClick={link.follow}>
          {link.label}
        </Menu.Item>
      ))}
      {edits ? (
        <>
          <Menu.Item onClick={edits.edit}>{t('grid.editCell')}</Menu.Item>
          <Menu.Item onClick={edits.deleteRows}>{t('grid.deleteRows')}</Menu.Item>
          <Menu.Divider />
        </>
      ) : null}
      {copyFormats.map((format) => (
        <Menu.Item key={format} onClick={() => onCopy(format)}>
          {t(`grid.copy.${format}`)}
        </Menu.Item>
      ))}
    </PointMenu>
  )
}
