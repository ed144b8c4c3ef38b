import { ActionIcon } from '@mantine/core'
import type { ViewParts } from '../dashboards/dashboard-source.ts'

/** The actions themselves: a menu for the one or two that there are would be a fifth of the page's code. */
export const ActionButtons: ViewParts['Actions'] = ({ title, actions }) =>
  actions.map(({ id, label, icon: Icon, run }) => (
    <ActionIcon key={id} size="sm" title={label} aria-label={`${label}: ${title}`} onClick={run}>
      <Icon size={14} aria-hidden />
    </ActionIcon>
  ))
