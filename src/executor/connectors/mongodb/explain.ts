import type { ResultRequest } from '../results.types.ts'
import type { CallIo } from '../../worker-protocol.ts'
import { withMongo } from './client.ts'
import { readQuery } from './results.ts'

/** The plan of a query that only reads, as the server answers, in JSON. */
export const explainMongo = (
  { connector, query, timeoutMs }: ResultRequest,
  analyze: boolean,
  { signal }: CallIo,
): Promise<string> =>
  withMongo(connector, signal, async (mongo) => {
    const { kind, collection, parts } = readQuery(query, mongo)
    const command = { [kind]: collection, ...parts, ...(kind === 'aggregate' && { cursor: {} }) }
    const verbosity = analyze ? 'executionStats' : 'queryPlanner'
    const answer = await mongo.db.command({ explain: command, verbosity, maxTimeMS: timeoutMs }, mongo.within)
    return mongo.driver.BSON.EJSON.stringify(answer, { relaxed: true })
  })
