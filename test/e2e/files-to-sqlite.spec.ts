// Files of eleven countries, from the drop in a browser into a table: each is right at once, or after one choice that the dialog shows.
// The bytes come from Python (messy/write_files.py), what is expected was written by hand, and Python's sqlite3 reads the tables.
import type { Locator, Page } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { createConnector } from '../../src/contract/connectors.ts'
import { getRun, triggerRun } from '../../src/contract/runs.ts'
import { pythonProgram } from '../../tools/services/python.mjs'
import { type Api, expect, test } from '../support/e2e.ts'

interface Messy {
  file: string
  table: string
  /** The one choice, where there is one. */
  choice?: (dialog: Locator) => Promise<void>
  columns: string[]
  rows: unknown[][]
  status?: 'completed'
}

async function pick(dialog: Locator, label: string, option: string): Promise<void> {
  await dialog.getByRole('combobox', { name: label, exact: true }).click()
  await dialog.page().getByRole('option', { name: option, exact: true }).click()
}

const files: Messy[] = [
  {
    file: 'tr-satislar.csv',
    table: 'tr_satislar',
    columns: ['Tarih', 'Müşteri', 'Tutar'],
    rows: [
      ['2024-03-05', 'Şule Öztürk', 1234.56],
      ['2024-03-28', 'İbrahim Çağlar', -12345678.9],
      ['2024-03-30', 'Ayşe Işık', 7],
    ],
  },
  {
    file: 'cz-vypis.csv',
    table: 'cz_vypis',
    columns: ['Datum', 'Popis', 'Částka', 'Měna'],
    rows: [
      ['2024-03-01', 'Nákup Žižkov', -1234.5, 'CZK'],
      ['2024-03-15', 'Mzda – březen', 45000, 'CZK'],
      ['2024-03-31', 'Úrok', 0.05, 'CZK'],
    ],
  },
  {
    file: 'ua-zamovlennya.txt',
    table: 'ua_zamovlennya',
    columns: ['Номер', 'Дата', 'Місто', 'Сума'],
    rows: [
      [1, '2024-03-05T14:30:00', 'Київ', 1234.56],
      [2, '2024-12-31T00:00:00', 'Житомир', 98.5],
      [3, '2024-03-06T09:15:00', 'Їжакове', 7],
    ],
  },
  {
    file: 'jp-kokyaku.csv',
    table: 'jp_kokyaku',
    columns: ['番号', '氏名', '住所', '登録日', '残高'],
    rows: [
      ['001', '山田 太郎', '東京都\n千代田区1-1', '2024-03-05', 1234],
      ['002', '鈴木 花子', '大阪府"北区"\n2-2', '2024-12-31', 98765],
    ],
  },
  {
    file: 'cn-dingdan.txt',
    table: 'cn_dingdan',
    columns: ['订单号', '日期', '客户', '金额'],
    rows: [
      [1001, '2024-03-05', '北京“华夏”公司', 1234.5],
      [1002, '2024-12-31', '上海㐂饭店', 98.25],
    ],
  },
  {
    file: 'ch-rechnungen.csv',
    table: 'ch_rechnungen',
    columns: ['Rechnung', 'Datum', 'Kunde', 'Betrag'],
    rows: [
      [1, '2024-02-01', 'Zoë Müller', 1234.5],
      [2, '2023-11-15', 'Örs AG', 98765],
    ],
  },
  {
    file: 'us-shifts.csv',
    table: 'us_shifts',
    columns: ['Employee', 'Start', 'Break', 'Note', 'Note_1'],
    rows: [
      ["O'Neil, Ann", '2024-03-25T14:05:09', '12:30 PM', 'said "hi"', 'a'],
      ['Bob', '2024-04-02T11:59:00', '1:00 PM', null, 'b'],
    ],
  },
  {
    file: 'de-kontoauszug.csv',
    table: 'de_kontoauszug',
    choice: async (dialog) => {
      await expect(dialog.getByText('Line 7 looks like a total and not like a row.')).toBeVisible()
      await dialog.getByRole('button', { name: 'Reject these rows' }).click()
    },
    columns: ['Buchung', 'Text', 'Betrag', 'Saldo'],
    rows: [
      ['2024-03-05', 'Miete März', -1200, 3400.5],
      ['2024-03-28', 'Gehalt', 4500, 7900.5],
    ],
    status: 'completed',
  },
  {
    file: 'br-notas.json',
    table: 'br_notas',
    choice: (dialog) => pick(dialog, 'Records', 'dados.notas'),
    columns: ['numero', 'emissao', 'cliente', 'itens', 'valor'],
    rows: [
      [1, '2024-03-05', '{"nome":"João","uf":"SP"}', '[{"sku":"a","qtd":2}]', 1234.56],
      ['9007199254740993', '2024-12-31', '{"nome":"Conceição","uf":"BA"}', '[]', 7],
    ],
  },
  {
    file: 'it-vendite.xlsx',
    table: 'it_vendite',
    choice: async (dialog) => {
      await pick(dialog, 'Sheet', 'Vendite 2024')
      await expect(dialog.getByText('one cell of a merged range is read as NULL', { exact: false })).toBeVisible()
    },
    columns: ['regione', 'città', 'data', 'importo'],
    rows: [
      ['Lazio', 'Roma', '2024-03-05', 1234.5],
      [null, 'Viterbo', '2024-03-06', 98.25],
      ['Sicilia', 'Catania', '2024-12-31', 7],
    ],
  },
  {
    file: 'gr-polisis.csv',
    table: 'gr_polisis',
    choice: async (dialog) => {
      await expect(dialog.getByText(/2 lines don’t have 3 values/)).toBeVisible()
      await dialog.getByRole('button', { name: 'Reject these rows' }).first().click()
    },
    columns: ['Ημερομηνία', 'Πόλη', 'Ποσό'],
    rows: [
      ['2024-03-05', 'Αθήνα', 1234.56],
      ['2024-03-31', 'Βόλος', 8.25],
    ],
    status: 'completed',
  },
]

/** The table as Python reads it; integers beyond those of JavaScript as text. */
function tableOf(path: string, table: string): { columns: string[]; rows: unknown[][] } {
  const script = `import json, sqlite3, sys
cursor = sqlite3.connect(sys.argv[1]).execute(f'SELECT * FROM "{sys.argv[2]}"')
shown = lambda value: str(value) if isinstance(value, int) and abs(value) > 2 ** 53 else value
print(json.dumps({"columns": [one[0] for one in cursor.description], "rows": [list(map(shown, row)) for row in cursor]}))`
  // The script writes what is asked for.
  return JSON.parse(execFileSync(pythonProgram, ['-c', script, path, table], { encoding: 'utf8' })) as ReturnType<
    typeof tableOf
  >
}

async function connectorsOf(page: Page): Promise<Record<string, number>> {
  const mapping: Record<string, number> = {}
  const answer = await page.request.get('/api/connectors?limit=200')
  // The server answers with what the contract says.
  const { result } = (await answer.json()) as { result: { id: number; name: string }[] }
  for (const { id, name } of result) mapping[name] = id
  return mapping
}

async function finished(api: Api, id: number) {
  const run = await api(getRun, { params: { id }, query: { wait: '1m' } })
  expect(run.error_message).toBeNull()
  return run.status
}

for (const { file, table, choice, columns, rows, status = 'success' } of files) {
  test(`${file} is in the table right ${choice ? 'after one choice' : 'at once'}`, async ({ page, api, server }) => {
    const path = join(server.filesDir, `${table}.db`)
    const name = `db-${table}`
    await api(createConnector, { body: { name, type: 'sqlite', config: { path } } })
    await page.goto('/')
    await page
      .getByLabel('Open file…')
      .first()
      .setInputFiles(join(import.meta.dirname, 'messy', file))
    const dialog = page.getByRole('dialog', { name: 'Create task from file' })
    await expect(dialog.getByText('Uploaded:', { exact: false })).toBeVisible()
    await choice?.(dialog)
    await pick(dialog, 'Write to', `Table ${table} in ${name}`)
    await expect(dialog.getByText(`${rows.length} row`, { exact: false }).first()).toBeVisible()
    await dialog.getByRole('button', { name: 'Open draft' }).click()
    await page.getByRole('button', { name: 'Create task' }).click()
    await expect(page).toHaveURL(/\/tasks\/\d+$/)
    const taskId = Number(/\d+$/.exec(page.url())?.[0])
    const known = await connectorsOf(page)
    const mapping = { source_data: known['Uploaded files'] ?? 0, target_data: known[name] ?? 0 }
    const { id } = await api(triggerRun, { params: { taskId }, body: { connector_mapping: mapping } })
    expect(await finished(api, id)).toBe(status)
    expect(tableOf(path, table)).toEqual({ columns, rows })
  })
}
