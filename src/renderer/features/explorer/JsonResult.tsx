import { Alert, Button, Loader, SegmentedControl, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { numberText } from '../../ui/format.ts'
import { durationText } from '../../ui/time.ts'
import { JsonataFailure } from './JsonataFailure.tsx'
import { JsonValue } from './JsonValue.tsx'
import { PartNote } from './PartNote.tsx'
import { RowsTree } from './RowsTree.tsx'
import type { ShownResult } from './use-query.ts'
import { useJsonata } from './use-jsonata.ts'
import classes from './views.module.css'

interface JsonResultProps {
  connectorId: number
  result: ShownResult
  order: readonly number[] | null
  expression: string
  onExpression: (expression: string) => void
}

/** A result as documents, and what a JSONata expression makes of them. */
export function JsonResult({ connectorId, result, order, expression, onExpression }: JsonResultProps) {
  const { t } = useTranslation('explorer')
  const [asTable, setAsTable] = useState(false)
  const jsonata = useJsonata(result, order)
  const { run } = jsonata
  const evaluate = () => (expression.trim() === '' ? jsonata.clear() : jsonata.evaluate(expression))
  return (
    <div className={classes.view}>
      <form
        className={classes.expression}
        aria-label={t('jsonata.form')}
        onSubmit={(event) => {
          event.preventDefault()
          evaluate()
        }}
      >
        <Textarea
          size="xs"
          className={classes.text}
          classNames={{ input: classes.code }}
          aria-label={t('jsonata.expression')}
          placeholder={t('jsonata.placeholder')}
          autosize
          minRows={1}
          maxRows={8}
          spellCheck={false}
          maxLength={100_000}
          value={expression}
          onChange={(event) => onExpression(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            // The same keys run the query.
            event.preventDefault()
            event.stopPropagation()
            evaluate()
          }}
        />
        {run.kind === 'running' ? (
          <Button size="xs" variant="default" onClick={jsonata.clear}>
            {t('cancel')}
          </Button>
        ) : (
          <Button size="xs" variant="default" type="submit" disabled={expression.trim() === ''}>
            {t('jsonata.evaluate')}
          </Button>
        )}
        {run.kind === 'done' || run.kind === 'failed' ? (
          <Button size="xs" variant="default" onClick={jsonata.clear}>
            {t('jsonata.back')}
          </Button>
        ) : null}
      </form>
      {run.kind === 'running' ? (
        <div role="status" className={classes.wait}>
          <Loader size={14} aria-hidden /> {t('jsonata.running')}
        </div>
      ) : null}
      {run.kind === 'failed' ? (
        <Alert color="red" variant="light" m={8} p={8} role="alert">
          <JsonataFailure problem={run.problem} expression={run.expression} />
        </Alert>
      ) : null}
      {run.kind === 'done' ? (
        <>
          <div className={classes.done}>
            <span role="status">
              {t('jsonata.ran', { count: run.rows, formatted: numberText(run.rows), time: durationText(run.ms) })}
              {run.cut > 0 ? ` ${t('jsonata.cut', { count: run.cut, formatted: numberText(run.cut) })}` : ''}
            </span>
            <span className={classes.space} />
            <SegmentedControl
              size="xs"
              aria-label={t('jsonata.as')}
              data={[
                { value: 'tree', label: t('jsonata.tree') },
                { value: 'table', label: t('look.table') },
              ]}
              value={asTable ? 'table' : 'tree'}
              onChange={(next) => setAsTable(next === 'table')}
            />
          </div>
          <JsonValue key={run.number} value={run.value} asTable={asTable} />
        </>
      ) : run.kind === 'running' ? null : (
        <RowsTree key={order ? 'some' : 'all'} connectorId={connectorId} result={result} order={order} />
      )}
      {run.kind === 'done' ? <PartNote kind="jsonata" part={run.part} result={result} /> : null}
    </div>
  )
}
