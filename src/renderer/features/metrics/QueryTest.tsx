import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { testMetricQuery } from '../../../contract/metrics.ts'
import { useAction } from '../../api/queries.ts'
import { durationText } from '../../ui/time.ts'
import { measureText } from '../../ui/quantity.ts'

interface QueryTestProps {
  connector: string | null
  query: string
  unit: string
}

/** Runs the query once and shows its number, or why there is none. */
export function QueryTest({ connector, query, unit }: QueryTestProps) {
  const { t } = useTranslation('metrics')
  const test = useAction(testMetricQuery)
  const asked = connector !== null && query.trim() !== ''
  // An answer is of what was asked, not of what was typed since.
  const isOf = test.variables?.body?.query === query && String(test.variables.body?.connector_id) === connector
  const failure = test.error?.details[0]?.message ?? test.error?.message
  return (
    <Group gap={10} wrap="nowrap">
      <Button
        variant="default"
        disabled={!asked}
        loading={test.isPending}
        onClick={() => test.mutate({ body: { connector_id: Number(connector), query } })}
      >
        {t('form.test')}
      </Button>
      <Text size="sm" role="status" c={isOf && failure ? 'var(--hg-status-failed-text)' : undefined}>
        {!isOf || test.isPending
          ? null
          : failure
            ? failure
            : test.data
              ? t(test.data.value === null ? 'form.testNull' : 'form.testValue', {
                  value: test.data.value === null ? '' : measureText(test.data.value, unit),
                  time: durationText(test.data.duration_ms),
                })
              : null}
      </Text>
    </Group>
  )
}
