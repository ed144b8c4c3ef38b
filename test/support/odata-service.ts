import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** A real OData v4 service: SAP's CAP server over SQLite in memory, on a free port, from a model and CSV files. */
export interface ODataServer {
  /** Root of the service. */
  url: string
  stop(): Promise<void>
}

const modules = resolve(import.meta.dirname, '../../node_modules')

const project = {
  name: 'shop',
  version: '1.0.0',
  dependencies: { '@sap/cds': '*', '@cap-js/sqlite': '*' },
  cds: { requires: { db: { kind: 'sqlite', credentials: { url: ':memory:' } }, auth: { kind: 'dummy' } } },
}

const schema = `namespace sales;
type Address { city : String; zip : String; }
entity Orders {
  key ID : Integer;
  guid : UUID;
  number : Int64;
  total : Decimal(18, 4);
  free : Decimal;
  rate : Double;
  paid : Boolean;
  day : Date;
  at : Time;
  updated_at : Timestamp;
  note : String;
  data : Binary;
  never : Int64;
  customer : Association to Customers;
  items : Composition of many Items on items.order = $self;
}
entity Customers { key code : String; name : String; address : Address; }
entity Items { key ID : Integer; order : Association to Orders; qty : Int64; price : Decimal(9, 2); }
entity Nothing { key guid : UUID; total : Decimal(10, 2); free : Decimal; }
`

/** Pages of three, whatever is asked for. */
const service = `using sales from '../db/schema';
@path: '/odata/v4/shop'
service Shop {
  @cds.query.limit.max: 3
  entity Orders as projection on sales.Orders;
  entity Customers as projection on sales.Customers;
  entity Items as projection on sales.Items;
  entity Nothing as projection on sales.Nothing;
}
`

const files: Record<string, string> = {
  'package.json': JSON.stringify(project),
  'db/schema.cds': schema,
  'srv/shop.cds': service,
  'db/data/sales-Customers.csv': `code;name;address_city;address_zip\nO'Hara;Ada 😀;Oslo;0150\nB/2;Bob;;\n`,
  'db/data/sales-Orders.csv': [
    'ID;guid;number;total;free;rate;paid;day;at;updated_at;note;data;customer_code',
    "1;3f2b1c1e-7b1a-4c7e-9d56-0c2c6f3f0a11;9007199254740993;1234567.8901;1.5;2;true;2024-02-29;10:11:12;2024-01-01T10:00:00.123Z;it's;AAH/;O'Hara",
    '2;;-5;0.5;;1.25;false;2024-03-01;;2024-01-02T10:00:00.000Z;2024-01-01;;B/2',
    '3;;;;;;;;;;;;',
    ...[4, 5, 6, 7].map((id) => `${id};;${id};${id};;;;;;2024-02-0${id}T00:00:00.000Z;;;O'Hara`),
    '',
  ].join('\n'),
  'db/data/sales-Items.csv': 'ID;order_ID;qty;price\n1;1;9007199254740993;9.90\n2;1;2;1.00\n3;2;7;0.10\n',
}

export async function startODataServer(): Promise<ODataServer> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-odata-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  symlinkSync(modules, join(folder, 'node_modules'))
  const child = spawn(process.execPath, [join(modules, '@sap/cds/bin/serve.js'), 'all', '--in-memory', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1' },
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  let said = ''
  const root = await new Promise<string>((found, fail) => {
    const hear = (part: Buffer): void => {
      said += part.toString()
      const url = /listening on \{ url: '([^']+)'/.exec(said)?.[1]
      if (url !== undefined) found(url)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('error', fail)
    child.once('exit', (code) => fail(new Error(`The OData server ended with ${code}: ${said}`)))
  }).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { url: `${root}/odata/v4/shop`, stop }
}
