/**
 * Writes `src/renderer/ui/code/duckdb-functions.json` from the catalogue of the DuckDB that is installed. Run after an update:
 * `node test/renderer/code/update-functions.ts`, then read the difference.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import { writeFileSync } from 'node:fs'

const file = 'src/renderer/ui/code/duckdb-functions.json'

/** Not for SQL of tasks: they see or do more than their arguments, or are the engine's own. */
const left =
  /^(icu_collate_|icu_sort|getenv|current_setting|current_(database|schemas?|query|catalog|role|user)|session_user|user$|write_|nextval|currval|sleep|set_config|setseed|query|pg_|has_|duckdb|txid|getvariable|in_search_path|json_serialize|json_deserialize|variant_|finalize|combine|create_sort_key|get_block|md5_number_|regexp_split_to_table|generate_subscripts|add_parquet|vector_type|constant_or_null|alias$|stats$|error$|st_|parse_duckdb|is_histogram|can_cast|cast_to_type|remap_struct|struct_update|gen_random_uuid|list_(any_value|approx_count|avg|bit_|bool_|count|entropy|first|histogram|kurtosis|last|mad|max|median|min|mode|product|sem|skewness|stddev|string_agg|sum|var_))/

/** Of use though DuckDB itself has no words for them. */
const bare = new Set(
  'array_to_string count_star cume_dist current_date current_localtime current_localtimestamp days_in_month dense_rank date_add first_value from_json json json_array json_array_length json_contains json_exists json_extract json_extract_string json_group_array json_keys json_merge_patch json_object json_pretty json_structure json_transform json_type json_valid json_value lag last_value lead list_sum list_max list_min list_avg list_count make_timestamptz mod nth_value ntile nullif percent_rank rank regexp_extract row_number row_to_json split_part to_json today'.split(
    ' ',
  ),
)

interface Entry {
  name: string
  kind: 'scalar' | 'aggregate'
  signatures: Set<string>
  description: string
  example: string
}

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()
const reader = await connection.runAndReadAll(`
  SELECT function_name, function_type, parameters, coalesce(description, ''), coalesce(examples[1], '')
  FROM duckdb_functions()
  WHERE schema_name = 'main' AND function_type IN ('scalar', 'aggregate', 'macro') AND regexp_matches(function_name, '^[a-z][a-z0-9_]*$')
  ORDER BY 1, len(parameters)`)
const entries = new Map<string, Entry>()
// The five columns that are selected.
for (const [name, type, parameters, description, example] of reader.getRowsJson() as [
  string,
  string,
  string[],
  string,
  string,
][]) {
  if (left.test(name) && !bare.has(name)) continue
  const entry = entries.get(name) ?? {
    name,
    kind: type === 'aggregate' ? 'aggregate' : 'scalar',
    signatures: new Set<string>(),
    description: '',
    example: '',
  }
  entry.signatures.add(parameters.map((one) => one.replace(/[^\w().]/g, '')).join(', '))
  entry.description ||= description.replace(/\s+/g, ' ').trim()
  entry.example ||= example
  entries.set(name, entry)
}
const lines = [...entries.values()]
  .filter((entry) => entry.description !== '' || bare.has(entry.name))
  .map(({ name, kind, signatures, description, example }) => {
    const [longest] = [...signatures].toSorted((a, b) => b.length - a.length)
    return `  ${JSON.stringify({ name, kind, signature: `${name}(${longest ?? ''})`, description, example })}`
  })
writeFileSync(file, `[\n${lines.join(',\n')}\n]\n`)
connection.closeSync()
instance.closeSync()
