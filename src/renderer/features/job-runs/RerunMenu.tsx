import { Button, Menu } from '@mantine/core'
import { IconArrowBarRight, IconChevronDown, IconCircleX, IconPencil, IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { JobRun, JobRunNode } from '../../../contract/job-runs.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import { MenuChoice } from '../../ui/MenuChoice.tsx'
import { useUnreachable } from '../../ui/use-unreachable.ts'
import { type RerunPlan, failedKeys, mayRerun } from './rerun-choice.ts'

interface RerunMenuProps {
  run: JobRun
  nodes: readonly JobRunNode[]
  chosen: JobRunNode | null
  onChoose(plan: RerunPlan): void
}

/** Where a new job run on the same snapshot begins. */
export function RerunMenu({ run, nodes, chosen, onChoose }: RerunMenuProps) {
  const { t } = useTranslation('jobRuns')
  const { can } = useSession()
  const failed = failedKeys(nodes)
  const allowed = can('rerunJobRun')
  const possible = mayRerun(run.status)
  const unreachable = useUnreachable()
  const refused = allowed ? (possible ? undefined : t('actions.stillGoesOn')) : t('actions.notAllowed')
  const why = refused ?? unreachable
  const key = chosen?.key ?? ''
  const isTask = chosen?.kind === 'task'
  // Both would start the same.
  const isSame = failed.length === 1 && failed[0] === key
  const failedText =
    failed.length > 0
      ? t('actions.rerunFailedText', { count: failed.length, keys: failed.join(', ') })
      : t('actions.nothingFailed')
  const choices = {
    failed: () => onChoose({ from: failed, edit: null }),
    here: () => onChoose({ from: [key], edit: null }),
    edit: () => chosen && onChoose({ from: [key], edit: chosen }),
    all: () => onChoose({ from: null, edit: null }),
  }
  useCommands([
    {
      id: 'job-run.rerun-failed',
      title: `${t('actions.rerun')}: ${isSame ? t('actions.rerunHere', { key }) : t('actions.rerunFailed')}`,
      when: why === undefined && failed.length > 0,
      icon: IconCircleX,
      shortcut: 'r',
      run: choices.failed,
    },
    {
      id: 'job-run.rerun-here',
      title: `${t('actions.rerun')}: ${t('actions.rerunHere', { key })}`,
      when: why === undefined && chosen !== null && !isSame,
      icon: IconArrowBarRight,
      shortcut: 'shift+r',
      run: choices.here,
    },
    {
      id: 'job-run.rerun-edit',
      title: t('actions.rerunEdit', { key }),
      when: why === undefined && isTask,
      icon: IconPencil,
      shortcut: 'mod+e',
      run: choices.edit,
    },
    {
      id: 'job-run.rerun-all',
      title: `${t('actions.rerun')}: ${t('actions.rerunAll')}`,
      when: why === undefined,
      icon: IconRefresh,
      run: choices.all,
    },
  ])
  return (
    <Menu withInitialFocusPlaceholder={false} position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconRefresh size={14} />}
          rightSection={<IconChevronDown size={12} />}
          disabled={why !== undefined}
          title={why}
        >
          {t('actions.rerun')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown miw={320}>
        <Menu.Label>{t('actions.rerunLabel')}</Menu.Label>
        <MenuChoice
          needsServer
          icon={IconCircleX}
          title={isSame ? t('actions.rerunHere', { key }) : t('actions.rerunFailed')}
          text={isSame ? t('actions.rerunHereText') : failedText}
          command="job-run.rerun-failed"
          disabled={failed.length === 0}
          onClick={choices.failed}
        />
        {isSame ? null : (
          <MenuChoice
            needsServer
            icon={IconArrowBarRight}
            title={t('actions.rerunHere', { key })}
            text={t('actions.rerunHereText')}
            command="job-run.rerun-here"
            disabled={chosen === null}
            onClick={choices.here}
          />
        )}
        <MenuChoice
          needsServer
          icon={IconPencil}
          title={t('actions.rerunEdit', { key })}
          text={t(isTask ? 'actions.rerunEditText' : 'actions.gateHasNoYaml')}
          command="job-run.rerun-edit"
          disabled={!isTask}
          onClick={choices.edit}
        />
        <MenuChoice
          needsServer
          icon={IconRefresh}
          title={t('actions.rerunAll')}
          text={t('actions.rerunAllText')}
          onClick={choices.all}
        />
      </Menu.Dropdown>
    </Menu>
  )
}
