import { DatabaseSync } from 'node:sqlite'

/** Each loads a table of a shop; every tenth reads what nine others have written. */
const taskText = `'etl: 1' || char(10) || 'kind: pipeline' || char(10) || 'name: warehouse.table_' || printf('%05d', v) || char(10) ||
        'connectors: {shop: {type: postgres, access: read}, warehouse: {type: postgres, access: write}}' || char(10) ||
        'source: {connector: shop, sql: {query: "SELECT * FROM shop_' || (v / 10) || '.t' || (v % 10) || CASE WHEN v % 10 THEN '' ELSE ' JOIN shop_' || (v / 10) || '.t1 USING (id)' END || '"}}' || char(10) ||
        'steps: []' || char(10) || 'target: {connector: warehouse, table: shop_' || (v / 10) || '.w' || (v % 10) || ', mode: replace}' || char(10)`

/** Ten thousand of everything, written by SQL: what it shows is how lists look and scroll, not how they came about. Runs are of tasks alone: those that fail are others than the job runs that do. */
export function multiply(path: string): void {
  const count = 10_000
  const store = new DatabaseSync(path)
  const numbers = `WITH RECURSIVE n (v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < ${count})`
  const at = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || (${count} - v) || ' minutes')`
  store.exec(`BEGIN;
    ${numbers} INSERT INTO tasks (name, description, current_version, search_text, created_at, updated_at)
      SELECT 'warehouse.table_' || printf('%05d', v), 'Brings table ' || v || ' of the shop into the warehouse', 1, 'warehouse', ${at}, ${at} FROM n;
    ${numbers} INSERT INTO task_versions (task_id, version, yaml_content, connector_refs, created_at)
      SELECT v, 1, ${taskText}, '{"shop":{"types":["postgres"],"access":"read"},"warehouse":{"types":["postgres"],"access":"write"}}', ${at} FROM n;
    ${numbers} INSERT INTO runs (task_id, task_name, task_version, trigger_type, status, logical_date, ready_at, started_at, completed_at, duration_ms,
        item_count, reject_count, log_lines, created_at, updated_at, executor_name, error_message)
      SELECT v, 'warehouse.table_' || printf('%05d', v), 1, CASE WHEN v % 3 THEN 'cron' ELSE 'manual' END,
        CASE WHEN v % 41 = 0 THEN 'failed' WHEN v % 29 = 0 THEN 'completed' WHEN v % 97 = 0 THEN 'cancelled' ELSE 'success' END,
        ${at}, ${at}, ${at}, ${at}, v % 90000, v * 37 % 1000000, CASE WHEN v % 29 THEN 0 ELSE v % 500 END, 0, ${at}, ${at}, 'local',
        CASE WHEN v % 41 = 0 THEN 'The server db.example.org refuses connections (ECONNREFUSED).' END FROM n;
    ${numbers} INSERT INTO job_templates (name, description, current_version, task_count, tags, search_text, revision, created_at, updated_at)
      SELECT 'warehouse.load_' || printf('%05d', v), 'Loads the tables of shop ' || v, 1 + v % 3, 1 + v % 9, '["warehouse"]', 'warehouse', 1, ${at}, ${at} FROM n;
    ${numbers} INSERT INTO jobs (job_template_id, name, connector_mapping, parameters, status, snapshot_id, template_version, search_text, revision,
        last_run_id, last_run_status, last_run_at, next_fire_at, created_at, updated_at)
      SELECT v, 'shop ' || printf('%05d', v), '{}', '{}', 'active', v, 1, 'shop', 1, v, CASE WHEN v % 41 = 20 THEN 'failed' ELSE 'completed' END,
        ${at}, CASE WHEN v % 5 THEN strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+' || v || ' minutes') END, ${at}, ${at} FROM n;
    ${numbers} INSERT INTO job_snapshots (job_id, job_template_id, template_version, yaml_content, tasks, dashboard_templates, created_at)
      SELECT v, v, 1, '', '{}', '[]', ${at} FROM n;
    ${numbers} INSERT INTO job_runs (job_id, job_name, snapshot_id, template_version, status, trigger_type, logical_date, parameters, connector_mapping,
        on_overlap, max_tasks, success, error_message, started_at, completed_at, duration_ms, created_at, updated_at)
      SELECT v, 'shop ' || printf('%05d', v), v, 1, CASE WHEN v % 41 = 20 THEN 'failed' WHEN v % 97 = 0 THEN 'cancelled' ELSE 'completed' END,
        CASE WHEN v % 3 THEN 'cron' ELSE 'manual' END, ${at}, '{}', '{}', 'skip', 4, v % 41 <> 20 AND v % 97 <> 0 AND v % 29 <> 0,
        CASE WHEN v % 41 = 20 THEN 'Task load failed: The server db.example.org refuses connections (ECONNREFUSED).' END,
        ${at}, ${at}, v * 13 % 900000, ${at}, ${at} FROM n;
    ${numbers} INSERT INTO users (username, username_key, display_name, email, role, disabled, totp_enabled, search_text, last_login_at, created_at)
      SELECT 'person.' || printf('%05d', v), 'person.' || printf('%05d', v), 'Person ' || v, 'person.' || v || '@example.org',
        CASE WHEN v % 50 = 0 THEN 'admin' WHEN v % 3 = 0 THEN 'editor' ELSE 'viewer' END, v % 37 = 0, v % 4 = 0, 'person',
        CASE WHEN v % 5 THEN ${at} END, ${at} FROM n;
    ${numbers} INSERT INTO api_keys (user_id, name, prefix, key_hash, role, scopes, expires_at, last_used_at, revoked_at, created_at)
      SELECT 1, 'loader ' || printf('%05d', v), 'hgk_' || printf('%05d', v), 'hash ' || v, CASE WHEN v % 3 THEN 'viewer' ELSE 'editor' END, '["read"]',
        CASE WHEN v % 7 THEN strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+' || v || ' minutes') END, CASE WHEN v % 5 THEN ${at} END,
        CASE WHEN v % 31 = 0 THEN ${at} END, ${at} FROM n;
    ${numbers} INSERT INTO connectors (name, type, description, config, secret_names, environment, viewer_raw, archived, last_test, last_test_at, search_text, revision, created_at, updated_at)
      SELECT 'shop ' || printf('%05d', v), CASE v % 3 WHEN 0 THEN 'postgres' WHEN 1 THEN 'mysql' ELSE 'mongodb' END, 'Orders of shop ' || v,
        json_object('host', 'db' || v || '.example.org', 'database', 'shop', 'user', 'reader'), '[]',
        CASE WHEN v % 4 THEN 'production' ELSE 'staging' END, 0, 0, NULL, NULL, 'shop', 1, ${at}, ${at} FROM n;
    ${numbers} INSERT INTO triggers (job_id, type, cron_expression, timezone, enabled, misfire_policy, jitter_seconds, on_overlap, next_fire_at, due_at, revision, created_at, updated_at)
      SELECT v, 'cron', (v % 60) || ' ' || (v / 60 % 24) || ' * * *', 'Europe/Berlin', v % 13 <> 0, 'fire_once', 0, NULL,
        CASE WHEN v % 13 THEN strftime('%Y-%m-%dT%H:%M:00.000Z', 'now', '+' || (30 + v % 1440) || ' minutes') END,
        CASE WHEN v % 13 THEN strftime('%Y-%m-%dT%H:%M:00.000Z', 'now', '+' || (30 + v % 1440) || ' minutes') END, 1, ${at}, ${at} FROM n;
    ${numbers} INSERT INTO event_triggers (job_id, name, type, config, enabled, token_hash, looked, last_triggered_at, revision, created_at, updated_at)
      SELECT v, 'order ' || printf('%05d', v), 'webhook', '{}', 1, 'event hash ' || v, 0, ${at}, 1, ${at}, ${at} FROM n;
    ${numbers} INSERT INTO executors (name, version, protocol, instance, credential_hash, status, capabilities, labels, slots, address, last_heartbeat_at, created_at)
      SELECT 'worker-' || printf('%05d', v), '1.0.0', 1, 'instance ' || v, 'hash ' || v, CASE WHEN v % 2 THEN 'lost' ELSE 'offline' END, '[]', json_object('zone', 'zone-' || v % 9), 4, '10.0.0.1',
        strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-10 days'), ${at} FROM n;
    ${numbers} INSERT INTO dashboard_templates (name, description, current_version, tags, search_text, revision, created_at, updated_at, job_template_name, widget_count)
      SELECT 'shops.sales_' || printf('%05d', v), 'Sales of shop ' || v, 1, '["shops"]', 'shops', 1, ${at}, ${at}, 'warehouse.load_' || printf('%05d', v), v % 9 FROM n;
    ${numbers} INSERT INTO dashboards (job_id, dashboard_template_id, template_version, name, description, yaml_content, widget_count, state, search_text, revision, removed, created_at, updated_at)
      SELECT v, v, 1, 'shops.sales_' || printf('%05d', v), 'Sales of shop ' || v, '', v % 9, '{}', 'shops', 1, 0, ${at}, ${at} FROM n;
    ${numbers} INSERT INTO audit_records (id, at, actor, user_id, username, role, operation, method, path, entity, entity_id, entity_name, outcome, status, hash)
      SELECT (SELECT max(id) FROM audit_records) + v, ${at}, 'session', 1, 'ada', 'superadmin', 'updateTask', 'PUT', '/api/tasks/' || v, 'task', v,
        'warehouse.table_' || printf('%05d', v), CASE WHEN v % 41 THEN 'ok' ELSE 'refused' END, CASE WHEN v % 41 THEN 200 ELSE 409 END, printf('%064x', v) FROM n;
    -- The server counts these runs after its start.
    UPDATE metric_settings SET uncounted_after = 0;
    COMMIT`)
  store.close()
}
