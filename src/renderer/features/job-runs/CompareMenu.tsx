import { Button, Menu } from '@mantine/core'
import { IconArrowsDiff, IconChevronDown, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type JobRun, listAllJobRuns } from '../../../contract/job-runs.ts'
import { useOperation } from '../../api/queries.ts'
import { useCommands } from '../../commands/commands.ts'
import { paths } from '../../paths.ts'
import { MenuChoice } from './MenuChoice.tsx'

/** The job run of the same job that was created before this one, once it is asked for. */
function usePrevious(run: JobRun, enabled: boolean) {
  const query = { job_id: run.job_id, to: run.created_at, limit: 2 }
  const found = useOperation(listAllJobRuns, { query }, { enabled })
  return { loaded: found.data !== undefined, id: found.data?.result.find((one) => one.id < run.id)?.id ?? null }
}

/** Beside which other job run this one is put. */
export function CompareMenu({ run }: { run: JobRun }) {
  const { t } = useTranslation('jobRuns')
  const navigate = useNavigate()
  const [opened, setOpened] = useState(false)
  const previous = usePrevious(run, opened)
  const original = run.rerun_of
  useCommands([
    {
      id: 'job-run.compare',
      title: t('actions.compareWith'),
      icon: IconArrowsDiff,
      shortcut: 'd',
      run: () => setOpened(true),
    },
  ])
  return (
    <Menu withInitialFocusPlaceholder={false} position="bottom-end" width={280} opened={opened} onChange={setOpened}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconArrowsDiff size={14} />}
          rightSection={<IconChevronDown size={12} />}
        >
          {t('actions.compare')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuChoice
          icon={IconArrowsDiff}
          title={t('actions.comparePrevious')}
          text={
            previous.id === null
              ? previous.loaded
                ? t('actions.noPrevious')
                : '…'
              : t('page.link', { id: previous.id })
          }
          disabled={previous.id === null}
          onClick={() => previous.id !== null && void navigate(paths.jobRunCompare(previous.id, run.id))}
        />
        {original === null ? null : (
          <MenuChoice
            icon={IconRefresh}
            title={t('actions.compareOriginal', { id: original })}
            text={t('page.link', { id: original })}
            onClick={() => void navigate(paths.jobRunCompare(original, run.id))}
          />
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
