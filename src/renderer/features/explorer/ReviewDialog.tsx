import { Alert, Button, Loader, Modal, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChangeStatement, changeConnectorData } from '../../../contract/changes.ts'
import type { Connector } from '../../../contract/connectors.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { listQueryHistory } from '../../../contract/query-history.ts'
import { ApiFailure, call } from '../../api/client.ts'
import { DialogWays } from '../../ui/DialogFoot.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { Value } from '../../ui/Value.tsx'
import { numberText } from '../../ui/format.ts'
import { cellOf } from '../../ui/grid/cell.rules.ts'
import { EnvironmentMark } from '../connectors/EnvironmentMark.tsx'
import classes from './changes.module.css'

export type Changes = Omit<BodyOf<typeof changeConnectorData>, 'confirmation' | 'connector_name'>

interface ReviewDialogProps {
  connector: Connector
  changes: Changes
  onWritten: () => void
  onClose: () => void
}

/** The statements that would be sent, with their values and counts; one button sends exactly these. */
export function ReviewDialog({ connector, changes, onWritten, onClose }: ReviewDialogProps) {
  const { t } = useTranslation('changes')
  const id = useId()
  const [name, setName] = useState('')
  const client = useQueryClient()
  const params = { id: connector.id }
  const review = useQuery({
    queryKey: ['changes-review', id],
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) => call(changeConnectorData, { params, body: changes, signal }),
  })
  const send = useMutation({
    mutationFn: (confirmation: string) =>
      call(changeConnectorData, {
        params,
        body: { ...changes, confirmation, ...(connector.environment === 'production' && { connector_name: name }) },
      }),
    onSuccess: ({ changed, rows }) => {
      notifications.show({
        color: changed === null || changed === rows ? 'green' : 'yellow',
        message:
          changed === null || changed === rows
            ? t('written', { count: rows, formatted: numberText(rows) })
            : t('writtenFewer', { count: rows, changed: numberText(changed), formatted: numberText(rows) }),
      })
      onWritten()
    },
    onSettled: () => client.invalidateQueries({ queryKey: [listQueryHistory.id] }),
  })
  // While it is counted again, what was reviewed before is out of date: its confirmation may be used up, and sends nothing.
  const data = review.isFetching ? undefined : review.data
  const needsName = data?.connector_name_required === true
  const failure = send.error ?? review.error
  const isUnknown = send.error instanceof ApiFailure && send.error.status === 504
  const isNotSent = failure instanceof ApiFailure && (failure.status === 409 || failure.status === 400)
  const refused = new Set(failure instanceof ApiFailure ? failure.details.map(({ path }) => path) : [])
  const refusedOnes = (review.data?.statements ?? []).filter(({ edit }) => refused.has(`body.edits[${edit}]`))
  const again = () => {
    send.reset()
    void review.refetch()
  }
  return (
    <Modal
      opened
      size={760}
      onClose={() => !send.isPending && onClose()}
      title={<b>{t('review.title')}</b>}
      closeButtonProps={{ 'aria-label': t('review.close') }}
      classNames={{ content: connector.environment === 'production' ? classes.production : undefined }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const confirmation = data?.confirmation
          if (confirmation && !failure && (!needsName || name === connector.name)) send.mutate(confirmation)
        }}
      >
        <Stack gap={12}>
          <div className={classes.where}>
            <span>{connector.name}</span>
            <EnvironmentMark environment={connector.environment} />
          </div>
          {review.isFetching ? (
            <div role="status" className={classes.where}>
              <Loader size={14} aria-hidden /> {t('review.counting')}
            </div>
          ) : null}
          {data && !failure ? (
            <>
              <div>
                {t('review.summary', { count: data.rows, formatted: numberText(data.rows) })}{' '}
                {data.transaction ? t('review.transaction') : t('review.noTransaction')}
              </div>
              <ScrollRegion label={t('review.statements')} className={classes.statements}>
                {data.statements.slice(0, mostShown).map((statement, index) => (
                  // oxlint-disable-next-line react/no-array-index-key -- their order is what they are
                  <Statement key={index} {...statement} />
                ))}
                {data.statements.length > mostShown ? (
                  <p>{t('review.more', { formatted: numberText(data.statements.length - mostShown) })}</p>
                ) : null}
              </ScrollRegion>
              {needsName ? (
                <TextInput
                  label={t('review.name', { name: connector.name })}
                  autoComplete="off"
                  data-autofocus
                  value={name}
                  onChange={(event) => setName(event.currentTarget.value)}
                />
              ) : null}
            </>
          ) : null}
          {failure ? (
            <Alert
              color={isUnknown ? 'yellow' : 'red'}
              variant="light"
              p={8}
              role="group"
              title={isUnknown ? t('review.unknown') : isNotSent ? t('review.nothingSent') : undefined}
            >
              <Failure failure={failure instanceof ApiFailure ? failure : { message: failure.message, details: [] }} />
            </Alert>
          ) : null}
          {refusedOnes.slice(0, mostShown).map((statement) => (
            <Statement key={statement.edit} {...statement} />
          ))}
          <DialogWays>
            <Button variant="default" onClick={onClose} disabled={send.isPending}>
              {t('review.cancel')}
            </Button>
            {failure ? (
              <Button onClick={again}>{t('review.again')}</Button>
            ) : (
              <Button
                type="submit"
                color={connector.environment === 'production' ? 'red' : undefined}
                loading={send.isPending}
                disabled={!data || (needsName && name !== connector.name)}
              >
                {t('review.send', { count: review.data?.statements.length ?? 1 })}
              </Button>
            )}
          </DialogWays>
        </Stack>
      </form>
    </Modal>
  )
}

/** More would slow the dialog down; all are sent. */
const mostShown = 200

function Statement({ statement, values, rows }: ChangeStatement) {
  const { t } = useTranslation('changes')
  return (
    <div className={classes.statement}>
      <div className={classes.head}>
        <code>{statement}</code>
        <span className={classes.rows}>{t('review.rows', { count: rows, formatted: numberText(rows) })}</span>
      </div>
      {values.length > 0 ? (
        <dl className={classes.values}>
          {values.map(({ name, type, value }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a column can be bound twice
            <div key={index}>
              <dt title={type}>{name}</dt>
              <dd>
                <Value value={cellOf(value, 'text').text} />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </div>
  )
}
