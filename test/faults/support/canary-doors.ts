// Every door by which a secret comes in, each with a canary.
import { generateKeyPairSync } from 'node:crypto'
import type { Aviary } from './canary.ts'

/** Nobody listens at port 9: what is sent there fails at once. */
const nobody = { host: '127.0.0.1', port: 9 }

/** A connector of every type and every way to sign in that has secrets. */
export function connectorsWithSecrets({ plant, know }: Aviary, echo: string) {
  const web = { base_url: echo, allow_private: true }
  const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  know('sftp private key', key.split('\n')[1]!.slice(24))
  const database = { ...nobody, database: 'sales', user: 'etl' }
  const mongo = { uri: 'mongodb://127.0.0.1:9/?serverSelectionTimeoutMS=500', database: 'sales', user: 'etl' }
  const sftp = { ...nobody, user: 'etl', host_key: 'any' }
  const oauth = (name: string, token_url: string) => ({
    name,
    type: 'http',
    config: { ...web, auth: 'oauth2', token_url, client_id: 'etl' },
    secrets: { client_secret: plant(name) },
  })
  return [
    { name: 'postgres', type: 'postgres', config: database, secrets: { password: plant('postgres') } },
    { name: 'mysql', type: 'mysql', config: database, secrets: { password: plant('mysql') } },
    { name: 'mongodb', type: 'mongodb', config: mongo, secrets: { password: plant('mongodb') } },
    {
      name: 'basic',
      type: 'http',
      config: { ...web, auth: 'basic', user: 'etl' },
      secrets: { password: plant('basic') },
    },
    { name: 'bearer', type: 'http', config: { ...web, auth: 'bearer' }, secrets: { token: ascii(plant('bearer')) } },
    {
      name: 'api_key',
      type: 'http',
      config: { ...web, auth: 'api_key' },
      secrets: { api_key: ascii(plant('api key')) },
    },
    {
      name: 'api_key_in_query',
      type: 'http',
      config: { ...web, auth: 'api_key', api_key_in: 'query', api_key_name: 'key' },
      secrets: { api_key: plant('api key in the query') },
    },
    oauth('oauth2', `${echo}/token`),
    oauth('oauth2_refused', `${echo}/refuses`),
    {
      name: 'odata',
      type: 'odata',
      config: { ...web, auth: 'basic', user: 'etl' },
      secrets: { password: plant('odata') },
    },
    {
      name: 's3',
      type: 's3',
      config: { bucket: 'lake', endpoint: echo, path_style: true, access_key_id: 'etl' },
      secrets: { secret_access_key: plant('s3 secret key'), session_token: ascii(plant('s3 session token')) },
    },
    { name: 'sftp', type: 'sftp', config: sftp, secrets: { password: plant('sftp') } },
    { name: 'sftp_key', type: 'sftp', config: sftp, secrets: { private_key: key, passphrase: plant('passphrase') } },
  ]
}

export function channelsWithSecrets({ plant }: Aviary, echo: string) {
  const secrets = { signing_secret: plant('signing secret'), authorization: ascii(plant('hook authorization')) }
  const mail = { ...nobody, tls: 'none', user: 'etl', from: 'etl@example.com', to: ['ops@example.com'] }
  return [
    { name: 'hook', type: 'webhook', config: { url: `${echo}/hook` }, secrets },
    { name: 'mail', type: 'email', config: mail, secrets: { password: plant('mail') } },
  ]
}

/** What a header can hold. */
function ascii(text: string): string {
  return text.replaceAll(/[^!-~]/g, '')
}

/** A task that reads from a connector of this type. */
export function taskFor(name: string, type: string): string {
  const sources: Record<string, string> = {
    postgres: 'sql: {query: SELECT 1 AS n}',
    mysql: 'sql: {query: SELECT 1 AS n}',
    mongodb: 'mongo: {collection: orders}',
    http: 'http: {path: /rows}',
    odata: 'odata: {entity: Orders}',
    s3: 'files: {glob: "*.csv"}',
    sftp: 'files: {glob: "*.csv"}',
  }
  return `etl: 1
kind: pipeline
name: canary.${name}
connectors:
  far: {type: ${type}, access: read}
  out: {type: file, access: write}
source:
  connector: far
  ${sources[type]}
target:
  connector: out
  file: {path: ${name}.csv}
`
}
