import { useReactFlow } from '@xyflow/react'
import { ActionIcon } from '@mantine/core'
import {
  IconArrowNarrowDown,
  IconArrowNarrowRight,
  IconFocusCentered,
  IconMap2,
  IconMinus,
  IconPlus,
  type TablerIcon,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Command, useCommands } from '../../commands/commands.ts'
import { Hint } from '../Hint.tsx'
import classes from './Graph.module.css'
import type { GraphDirection } from './graph.types.ts'

interface Deed extends Command {
  icon: TablerIcon
}

interface GraphControlsProps {
  direction: GraphDirection
  onDirection(direction: GraphDirection): void
  onFit(): void
  /** Whether the map is shown; null where all nodes are. */
  map: boolean | null
  onMap(shown: boolean): void
}

/** In a strip of their own, so that no node is ever below them. */
export function GraphControls({ direction, onDirection, onFit, map, onMap }: GraphControlsProps) {
  const { t } = useTranslation('graph')
  const flow = useReactFlow()
  const other = direction === 'right' ? 'down' : 'right'
  const deeds: Deed[] = [
    { id: 'graph.zoom-in', title: t('zoomIn'), icon: IconPlus, shortcut: '+', run: () => void flow.zoomIn() },
    { id: 'graph.zoom-out', title: t('zoomOut'), icon: IconMinus, shortcut: '-', run: () => void flow.zoomOut() },
    { id: 'graph.fit', title: t('fit'), icon: IconFocusCentered, shortcut: '0', run: onFit },
    {
      id: 'graph.direction',
      title: t(other),
      icon: other === 'right' ? IconArrowNarrowRight : IconArrowNarrowDown,
      run: () => onDirection(other),
    },
    ...(map === null
      ? []
      : [
          {
            id: 'graph.map',
            title: t(map ? 'hideMap' : 'showMap'),
            icon: IconMap2,
            run: () => onMap(!map),
          },
        ]),
  ]
  useCommands(deeds.map((deed) => ({ ...deed, group: 'view' })))
  return (
    <div className={classes.controls}>
      {deeds.map(({ id, title, icon: Icon, run }) => (
        <Hint label={title} command={id} position="left" key={id}>
          <ActionIcon size={24} aria-label={title} onClick={run}>
            <Icon size={15} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Hint>
      ))}
    </div>
  )
}
