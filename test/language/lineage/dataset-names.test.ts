import { expect, test } from 'vitest'
import { datasetName } from '../../../src/language/lineage/dataset-names.ts'

const named = (type: string, config: Record<string, unknown>, name: string, schema: string | null = null) => {
  const found = datasetName({ kind: 'table', schema, name }, { name: 'my connector', type, config })
  return `${found.namespace} ${found.name}`
}

test.each([
  [
    'postgres',
    { host: 'DB.example', database: 'shop' },
    'orders',
    null,
    'postgres://db.example:5432 shop.public.orders',
  ],
  [
    'postgres',
    { host: '::1', port: 5433, database: 'shop', schema: 'raw' },
    'orders',
    null,
    'postgres://[::1]:5433 shop.raw.orders',
  ],
  [
    'postgres',
    { host: 'db', database: 'shop', schema: 'raw' },
    'orders',
    'public',
    'postgres://db:5432 shop.public.orders',
  ],
  ['mysql', { host: 'db', database: 'shop' }, 'Orders', null, 'mysql://db:3306 shop.Orders'],
  ['sqlite', { path: '/data/a b.db' }, 'Orders', null, 'sqlite:///data/a%20b.db main.orders'],
  ['duckdb', { path: '/data/a.duckdb' }, 'x', 'S', 'duckdb:///data/a.duckdb s.x'],
  [
    'mongodb',
    { uri: 'mongodb://a:27017,b:27017/?replicaSet=r', database: 'shop' },
    'orders',
    null,
    'mongodb://a:27017,b:27017 shop.orders',
  ],
  ['file', { root: '/home/ada/data/' }, 'in/*.csv', null, 'file /home/ada/data/in/*.csv'],
  ['file', { root: '/' }, '/x.csv', null, 'file /x.csv'],
  ['s3', { bucket: 'lake', prefix: 'raw/' }, 'a.csv', null, 's3://lake raw/a.csv'],
  ['s3', { bucket: 'lake', endpoint: 'http://localhost:9000/' }, 'a.csv', null, 's3://lake@localhost:9000 a.csv'],
  ['sftp', { host: 'files.example', root: '/in' }, 'a.csv', null, 'sftp://files.example:22 /in/a.csv'],
  ['http', { base_url: 'https://api.example.com/v1' }, '/orders', null, 'https://api.example.com /v1/orders'],
  ['odata', { base_url: 'https://x.example/odata/' }, 'Products', null, 'https://x.example /odata/Products'],
  ['unknown', {}, 'x', null, 'unknown://my%20connector x'],
] as const)('%s %j %s', (type, config, name, schema, expected) => {
  expect(named(type, config, name, schema)).toBe(expected)
})
