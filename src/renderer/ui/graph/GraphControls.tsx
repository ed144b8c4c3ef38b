import { Panel, useReactFlow } from '@xyflow/react'
import { ActionIcon, Tooltip } from '@mantine/core'
import {
  IconArrowNarrowDown,
  IconArrowNarrowRight,
  IconFocusCentered,
  IconMinus,
  IconPlus,
  type TablerIcon,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './Graph.module.css'
import type { GraphDirection } from './graph.types.ts'

interface GraphControlsProps {
  direction: GraphDirection
  onDirection(direction: GraphDirection): void
  onFit(): void
}

export function GraphControls({ direction, onDirection, onFit }: GraphControlsProps) {
  const { t } = useTranslation('graph')
  const flow = useReactFlow()
  const other = direction === 'right' ? 'down' : 'right'
  const button = (label: string, Icon: TablerIcon, run: () => void) => (
    <Tooltip label={label} position="left" key={label}>
      <ActionIcon variant="default" size={26} aria-label={label} onClick={run}>
        <Icon size={15} stroke={1.7} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
  return (
    <Panel position="bottom-right" className={classes.controls}>
      {button(t('zoomIn'), IconPlus, () => void flow.zoomIn())}
      {button(t('zoomOut'), IconMinus, () => void flow.zoomOut())}
      {button(t('fit'), IconFocusCentered, onFit)}
      {button(t(other), other === 'right' ? IconArrowNarrowRight : IconArrowNarrowDown, () => onDirection(other))}
    </Panel>
  )
}
