// Files as programs of many countries write them, dropped into a browser: each is read right at once, or after one choice that the
// dialog asks for. What is expected was written by hand; the bytes come from Python (messy/write_files.py).
import type { Locator, Page } from '@playwright/test'
import { join } from 'node:path'
import type { TaskPreview } from '../../src/contract/task-preview.ts'
import type { Upload } from '../../src/contract/uploads.ts'
import { expect, expectAccessible, test } from '../support/e2e.ts'

interface Messy {
  file: string
  /** The one choice, where there is one. */
  choice?: (dialog: Locator) => Promise<void>
  /** Column → type as the executor found it. */
  columns: Record<string, string>
  rows: unknown[][]
  /** What the draft says of the file. */
  source: string[]
}

async function pick(dialog: Locator, label: string, option: string): Promise<void> {
  await dialog.getByRole('combobox', { name: label, exact: true }).click()
  await dialog.page().getByRole('option', { name: option, exact: true }).click()
}

const files: Messy[] = [
  {
    file: 'de-umsatz.csv',
    columns: { Datum: 'DATE', Kunde: 'VARCHAR', Betrag: 'DOUBLE' },
    rows: [
      ['2024-03-05', 'Müller & Söhne', 1234.56],
      ['2024-03-28', 'Café „Größe“ – 5 €', -12345678.9],
      ['2024-03-30', 'Jäger', 7],
    ],
    source: ['encoding: windows-1252', 'decimal: ","', 'thousands: "."', 'date_format: "%d.%m.%Y"'],
  },
  {
    file: 'fr-ventes.csv',
    columns: { jour: 'DATE', client: 'VARCHAR', montant: 'DOUBLE' },
    rows: [
      ['2024-03-25', 'Hélène', 1234.56],
      ['2024-04-02', 'Noël', 987654.3],
    ],
    source: ['decimal: ","', 'thousands: " "', 'date_format: "%d/%m/%Y"'],
  },
  {
    file: 'us-sales.csv',
    columns: { Order: 'BIGINT', Amount: 'DOUBLE', Amount_1: 'BIGINT', Sold: 'TIMESTAMP' },
    rows: [
      [1, 1234.56, 10, '2024-03-25T14:05:00'],
      [2, 12000, 20, '2024-04-02T11:59:00'],
    ],
    source: ['thousands: ","', 'datetime_format: "%m/%d/%Y %I:%M %p"'],
  },
  {
    file: 'ch-lohn.txt',
    columns: { Name: 'VARCHAR', Lohn: 'DOUBLE', Eintritt: 'DATE' },
    rows: [
      ['Zoë', 1234.5, '2024-02-01'],
      ['Örs', 98765, '2023-11-15'],
    ],
    source: ['format: csv', 'delimiter: "\\t"', `thousands: "'"`],
  },
  {
    file: 'jp-uriage.csv',
    columns: { 日付: 'DATE', 商品: 'VARCHAR', 金額: 'BIGINT' },
    rows: [
      ['2024-03-05', 'ソーラー表示器', 1234],
      ['2024-12-31', 'テレビ', 98765],
    ],
    source: ['encoding: shift_jis', 'date_format: "%Y年%m月%d日"'],
  },
  {
    file: 'pl-sprzedaz.csv',
    columns: { data: 'DATE', miasto: 'VARCHAR', kwota: 'DOUBLE' },
    rows: [
      ['2024-03-05', 'Łódź', 1234.56],
      ['2024-12-31', 'Gdańsk', 98765],
      ['2024-06-01', 'Świętochłowice', 5.5],
    ],
    source: ['encoding: windows-1250', 'thousands: " "'],
  },
  {
    file: 'ru-prodazhi.csv',
    choice: async (dialog) => {
      await expect(dialog.getByText(/2 lines don’t have 3 values.*Line 3 is the first of them, with 2/)).toBeVisible()
      await dialog.getByRole('button', { name: 'Reject these rows' }).first().click()
      await expect(dialog.getByText('2 rows are rejected', { exact: false })).toBeVisible()
    },
    columns: { Дата: 'TIMESTAMP', Город: 'VARCHAR', Сумма: 'DOUBLE' },
    rows: [
      ['2024-03-05T14:30:00', 'Москва', 1234.56],
      ['2024-03-07T10:00:00', 'Томск', 8.25],
    ],
    source: ['encoding: windows-1251', 'on_error: quarantine', 'datetime_format: "%d.%m.%Y %H:%M"'],
  },
  {
    file: 'kr-maechul.txt',
    columns: { 날짜: 'DATE', 도시: 'VARCHAR', 금액: 'DOUBLE' },
    rows: [
      ['2024-03-05', '서울', 1234.5],
      ['2024-12-31', '부산', 98.25],
    ],
    source: ['encoding: utf-16', 'delimiter: "\\t"'],
  },
  {
    file: 'in-bikri.csv',
    choice: async (dialog) => {
      await expect(dialog.getByText('“03/04/2024” is ambiguous', { exact: false })).toBeVisible()
      await pick(dialog, 'Dates', '31/12/2024')
    },
    columns: { date: 'DATE', city: 'VARCHAR', amount: 'DOUBLE' },
    rows: [
      ['2024-04-03', 'मुंबई', 1234567.89],
      ['2024-06-05', 'दिल्ली', 98765],
    ],
    source: ['thousands: ","', 'date_format: "%d/%m/%Y"'],
  },
  {
    file: 'cn-xiaoshou.csv',
    columns: { 日期: 'DATE', 城市: 'VARCHAR', 金额: 'DOUBLE' },
    rows: [
      ['2024-03-05', '北京', 1234.5],
      ['2024-12-31', '上海', 98.25],
      ['2024-06-01', '广州', 7],
    ],
    source: ['encoding: gb18030', 'date_format: "%Y/%m/%d"'],
  },
  {
    file: 'br-pedidos.json',
    columns: { id: 'BIGINT', cliente: 'JSON', valor: 'DOUBLE' },
    rows: [
      [1, '{"nome":"João"}', 1234.56],
      [2, '{"nome":"Conceição"}', 7],
    ],
    source: ['records: resposta.pedidos'],
  },
  {
    file: 'es-ventas.xlsx',
    choice: (dialog) => pick(dialog, 'Sheet', 'Año 2024'),
    columns: { ciudad: 'VARCHAR', ventas: 'DOUBLE', ventas_1: 'BIGINT' },
    rows: [
      ['Cádiz', 1234.5, 1],
      ['León', 98.25, 2],
    ],
    source: ['sheet: "Año 2024"'],
  },
]

/** What the last preview of the file has given. */
function previews(page: Page): () => TaskPreview['stages'][number] | undefined {
  let last: TaskPreview | undefined
  page.on('response', (response) => {
    if (!response.url().endsWith('/api/tasks/preview')) return
    // The server answers with what the contract says.
    response.json().then(
      (body: TaskPreview) => (last = body),
      () => undefined,
    )
  })
  return () => last?.stages[0]
}

for (const { file, choice, columns, rows, source } of files) {
  test(`${file} is read right${choice ? ' after one choice' : ' at once'}`, async ({ page }) => {
    const shown = previews(page)
    await page.goto('/')
    await page
      .getByLabel('Open file…')
      .first()
      .setInputFiles(join(import.meta.dirname, 'messy', file))
    const dialog = page.getByRole('dialog', { name: 'Create task from file' })
    await expect(dialog.getByText('Uploaded:', { exact: false })).toBeVisible()
    await choice?.(dialog)
    await expect(() => expect(shown()?.rows).toEqual(rows)).toPass({ timeout: 30_000 })
    expect(Object.fromEntries((shown()?.columns ?? []).map(({ name, type }) => [name, type]))).toEqual(columns)
    await dialog.getByRole('button', { name: 'Open draft' }).click()
    const editor = page.getByRole('textbox').filter({ hasText: 'kind: pipeline' })
    for (const line of source) await expect(editor).toContainText(line)
  })
}

test('names that stand twice in a header are told, and what was found can be changed', async ({ page }) => {
  await page.goto('/')
  await page
    .getByLabel('Open file…')
    .first()
    .setInputFiles(join(import.meta.dirname, 'messy', 'us-sales.csv'))
  const dialog = page.getByRole('dialog', { name: 'Create task from file' })
  await expect(dialog.getByText('`Amount` in column 3 is called `Amount_1`', { exact: false })).toBeVisible()
  await dialog.getByRole('button', { name: 'Columns' }).click()
  await pick(dialog, 'Format of Sold', 'Text, unchanged')
  await expect(dialog.getByText('3/25/2024 2:05 PM').first()).toBeVisible()
  await expectAccessible(page)
})

test('an upload can be stopped, begun again, and done without', async ({ page }) => {
  await page.route('**/api/uploads?*', () => undefined)
  await page.goto('/')
  await page
    .getByLabel('Open file…')
    .first()
    .setInputFiles(join(import.meta.dirname, 'messy', 'de-umsatz.csv'))
  const dialog = page.getByRole('dialog', { name: 'Create task from file' })
  await dialog.getByRole('button', { name: 'Cancel upload' }).click()
  await expect(dialog.getByText('Upload canceled. The file wasn’t kept.')).toBeVisible()
  await page.unroute('**/api/uploads?*')
  await dialog.getByRole('button', { name: 'Upload again' }).click()
  await expect(dialog.getByText('Uploaded:', { exact: false })).toBeVisible()
  await dialog.getByRole('button', { name: 'Enter a path instead' }).click()
  await dialog.getByLabel('Path on the executor’s machine').fill(join(import.meta.dirname, 'messy', 'de-umsatz.csv'))
  await expect(dialog.getByText('Müller & Söhne')).toBeVisible()
})

test('a dialog that is canceled keeps no upload; a draft keeps its own, which can be deleted from the list', async ({
  page,
}) => {
  const listed = async () => {
    const answer = await page.request.get('/api/uploads')
    // The server answers with what the contract says.
    const { result } = (await answer.json()) as { result: Upload[] }
    return result.filter(({ name }) => name.startsWith('stays')).map(({ name }) => name)
  }
  const drop = async () => {
    await page.goto('/')
    await page
      .getByLabel('Open file…')
      .first()
      .setInputFiles({ name: 'stays.csv', mimeType: 'text/csv', buffer: Buffer.from('id,name\n1,one\n') })
    const dialog = page.getByRole('dialog', { name: 'Create task from file' })
    await expect(dialog.getByText('Uploaded:', { exact: false })).toBeVisible()
    return dialog
  }
  const canceled = await drop()
  expect(await listed()).toEqual(['stays.csv'])
  await canceled.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect.poll(listed).toEqual([])

  const opened = await drop()
  await opened.getByRole('button', { name: 'Open draft' }).click()
  await expect(page.getByRole('textbox').filter({ hasText: 'kind: pipeline' })).toContainText('stays.csv')
  expect(await listed()).toEqual(['stays.csv'])

  await page.goto('/connectors')
  await page.getByText('Uploaded files', { exact: true }).first().click()
  await page.getByRole('link', { name: 'Uploads' }).click()
  await expect(page.getByText('stays.csv', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Delete stays.csv' }).click()
  await page.getByRole('button', { name: 'Delete file' }).click()
  await expect.poll(listed).toEqual([])
  await expect(page.getByText('stays.csv', { exact: true })).toBeHidden()
})
