import type { ServerTexts } from '../server-texts.ts'

/** Settings of the server, by their keys. */
const settings: ServerTexts['settings'] = {
  'server.host': {
    title: 'Adresse',
    description:
      'Adresse, unter der der Server Verbindungen annimmt. Andere als Loopback-Adressen machen ihn für andere Computer erreichbar.',
  },
  'server.port': { title: 'Port', description: '0: ein beliebiger freier Port.' },
  'server.allowed_hosts': {
    title: 'Weitere Hostnamen',
    description:
      'Namen, die neben denen von Loopback im Host-Header stehen dürfen, etwa der eines vorgelagerten Proxys.',
  },
  'server.public_url': {
    title: 'Öffentliche Adresse',
    description:
      'Adresse, unter der dieser Server im Browser geöffnet wird, für Links in der Telemetrie. Ohne sie gilt die Adresse, unter der er Verbindungen annimmt.',
  },
  'auth.totp_required': {
    title: 'Zweiten Faktor verlangen',
    description:
      'Zur Anmeldung gehört ein Code einer Authenticator-App; wer noch keine hat, richtet sie bei der nächsten Anmeldung ein.',
  },
  'auth.desktop_sign_in': {
    title: 'Desktop meldet sich selbst an',
    description: 'Das eigene Fenster der Desktop-App meldet sich ohne Passwort an.',
  },
  'auth.session_idle_hours': {
    title: 'Sitzung endet unbenutzt nach',
    description: 'Eine Sitzung, die so lange nicht benutzt wurde, ist beendet.',
  },
  'auth.session_max_days': {
    title: 'Sitzung endet nach',
    description: 'Wie viel sie auch benutzt wird. Gilt für Sitzungen, die nach der Änderung beginnen.',
  },
  'auth.password_min_length': { title: 'Kürzestes Passwort', description: 'Für neue Passwörter; bestehende bleiben.' },
  'auth.desktop_lock_minutes': {
    title: 'Desktop sperren nach',
    description: 'Ein Fenster der Desktop-App ohne Eingabe fragt nach dieser Zeit nach dem Passwort; 0 sperrt nie.',
  },
  'executors.key': {
    title: 'Schlüssel der Executors',
    description:
      'Damit melden sich Executors an; ohne Angabe bei jedem Start ein zufälliger. Nötig, wenn Executors anderswo laufen.',
  },
  'executors.local': { title: 'Lokaler Executor', description: 'Einen Executor neben dem Server betreiben.' },
  'executors.lease_ms': {
    title: 'Frist der Executors',
    description: 'Ein Executor, der so lange schweigt, gilt als verloren.',
  },
  'executors.heartbeat_ms': {
    title: 'Lebenszeichen der Executors',
    description: 'Wie oft Executors ein Lebenszeichen geben; höchstens die halbe Frist.',
  },
  'ai.api_key': {
    title: 'KI-Schlüssel',
    description: 'Schlüssel des KI-Anbieters; ohne ihn ist alles aus, was eine KI fragt.',
  },
  'ai.provider': {
    title: 'KI-Anbieter',
    description: '`compatible` ist jeder Server mit der OpenAI-API, etwa Ollama. Er braucht eine Basis-URL.',
  },
  'ai.base_url': {
    title: 'KI-Basis-URL',
    description: 'Ohne Angabe die des Anbieters, etwa `https://api.openai.com/v1`. Dorthin geht der KI-Schlüssel.',
  },
  'ai.model': { title: 'KI-Modell', description: 'Name des Modells beim Anbieter.' },
  'ai.rows': {
    title: 'Zeilen für die KI',
    description: '`ask`: Wer bearbeiten darf, kann mit einer Anfrage einige Zeilen senden, nachdem er sie gesehen hat.',
  },
  'ai.daily_tokens': {
    title: 'KI-Token je Tag',
    description: 'Sind seit Mitternacht UTC so viele Token verbraucht, wird nicht mehr gefragt. 0 hebt die Grenze auf.',
  },
  'ai.prices': {
    title: 'KI-Preise',
    description:
      'Modell, Preis der Eingabe und Preis der Ausgabe je Million Token, etwa `gpt-5-mini 0.25 2`. Ohne Preise werden keine Kosten gezeigt.',
  },
  'ai.currency': { title: 'KI-Währung', description: 'Währung der Preise, etwa `EUR`.' },
  'mcp.enabled': {
    title: 'MCP-Server',
    description: 'Agenten mit einem API-Schlüssel können die Werkzeuge unter `/api/mcp` benutzen.',
  },
  'telemetry.namespace': {
    title: 'Name dieses Servers',
    description: 'Namensraum der Jobs in OpenLineage und service.namespace in OpenTelemetry.',
  },
  'telemetry.openlineage_url': {
    title: 'OpenLineage-Adresse',
    description: 'Vollständige Adresse, an die Ereignisse gehen. Ohne sie wird nichts gesendet.',
  },
  'telemetry.openlineage_key': {
    title: 'OpenLineage-Schlüssel',
    description: 'Geht als Bearer-Token an die OpenLineage-Adresse.',
  },
  'telemetry.openlineage_folder': {
    title: 'OpenLineage-Ordner',
    description: 'Ereignisse werden in diesem Ordner an eine Datei je Tag angehängt. Ohne ihn wird nichts geschrieben.',
  },
  'telemetry.otlp_endpoint': {
    title: 'OpenTelemetry-Adresse',
    description: 'Grundadresse eines OTLP-Empfängers über HTTP. Ohne sie werden weder Spuren noch Messwerte gesendet.',
  },
  'telemetry.otlp_key': {
    title: 'OpenTelemetry-Schlüssel',
    description: 'Geht als Bearer-Token an die OpenTelemetry-Adresse.',
  },
  'telemetry.otlp_headers': {
    title: 'OpenTelemetry-Header',
    description: 'Header für die OpenTelemetry-Adresse: Paare name=wert, durch Kommas getrennt, Werte prozentkodiert.',
  },
  'limits.requests_per_second': { title: 'Anfragen je Sekunde', description: 'Eines Aufrufers, im Durchschnitt.' },
  'limits.burst': { title: 'Anfragen auf einmal', description: 'Eines Aufrufers, bevor der Durchschnitt zählt.' },
  'backup.every_hours': { title: 'Sicherungsintervall', description: '0 schaltet geplante Sicherungen aus.' },
  'backup.keep': { title: 'Aufzubewahrende geplante Sicherungen', description: 'Die ältesten werden zuerst gelöscht.' },
  'backup.folder': {
    title: 'Sicherungsordner',
    description:
      'Standard ist der Ordner `backups` im Datenordner. Ein anderer Datenträger schützt die Sicherungen, falls der mit dem Datenordner ausfällt.',
  },
  'uploads.folder': {
    title: 'Ordner hochgeladener Dateien',
    description:
      'Wo Dateien liegen, die ein Browser übergibt. Ohne Angabe neben dem Datenordner; nicht darin, wo kein Konnektor lesen darf.',
  },
  'uploads.max_mb': { title: 'Größte hochgeladene Datei', description: 'Einer Datei.' },
  'retention.runs_days': {
    title: 'Läufe aufbewahren',
    description:
      'Löscht ältere beendete Läufe mit ihren Daten, außer dem neuesten jeder Aufgabe und jedes Jobs. Bei 0 bleiben alle.',
  },
  'retention.runs_max': {
    title: 'Höchstzahl der Läufe',
    description: 'Löscht darüber die ältesten beendeten Läufe. 0 hebt die Grenze auf.',
  },
  'retention.logs_days': {
    title: 'Protokolle aufbewahren',
    description:
      'Löscht ältere Protokolle und abgewiesene Zeilen beendeter Läufe. Bei 0 bleiben sie so lange wie die Läufe.',
  },
  'retention.logs_mb': {
    title: 'Höchstgröße der Protokolle',
    description: 'Löscht darüber die ältesten Protokolle beendeter Läufe. 0 hebt die Grenze auf.',
  },
  'retention.queries_days': {
    title: 'Abfrageverlauf aufbewahren',
    description: 'Löscht ältere Abfragen und Änderungen aus dem Verlauf im Explorer. Bei 0 bleiben alle.',
  },
  'retention.queries_max': {
    title: 'Höchstzahl im Abfrageverlauf',
    description: 'Löscht darüber die ältesten Einträge im Verlauf eines Benutzers. 0 hebt die Grenze auf.',
  },
  'log.level': { title: 'Protokollstufe', description: 'Was das eigene Protokoll des Servers sagt.' },
}

const units: ServerTexts['units'] = {
  hours: 'Stunden',
  days: 'Tage',
  characters: 'Zeichen',
  minutes: 'Minuten',
  milliseconds: 'Millisekunden',
  runs: 'Läufe',
  entries: 'Einträge',
  tokens: 'Token',
}

/** Types of connectors, and fields that mean something else there than in others. */
const connectorTypes: ServerTexts['connectorTypes'] = {
  file: {
    title: 'Dateien in einem Ordner',
    description:
      'CSV-, JSON-Lines-, JSON-, Parquet- und Excel-Dateien unter einem Ordner auf dem Computer des Executors.',
  },
  sqlite: { description: 'Eine SQLite-Datenbankdatei auf dem Computer des Executors.' },
  postgres: { description: 'Eine PostgreSQL-Datenbank, Version 12 oder neuer.' },
  mysql: { title: 'MySQL oder MariaDB', description: 'MySQL 8, MariaDB 10.5 oder neuer.' },
  duckdb: { description: 'Eine DuckDB-Datenbankdatei auf dem Computer des Executors.' },
  mongodb: { description: 'Eine MongoDB-Datenbank oder eine kompatible.' },
  http: { title: 'HTTP-API', description: 'Eine Web-API, die JSON spricht.' },
  odata: {
    description: 'Ein Dienst mit OData v4.',
    fields: {
      base_url: { title: 'Wurzel des Dienstes' },
    },
  },
  s3: { description: 'Dateien in einem Bucket von Amazon S3 oder einem S3-kompatiblen Speicher.' },
  sftp: {
    description: 'Dateien auf einem Server über SSH.',
    fields: {
      root: {
        description: 'Aufgaben erreichen nur, was darunter liegt; ohne Angabe der Ordner, den der Server öffnet',
      },
    },
  },
}

/** Fields of connectors, by their names. */
const fields: ServerTexts['fields'] = {
  root: { title: 'Ordner', description: 'Absoluter Pfad. Aufgaben erreichen nur, was darunter liegt.' },
  path: {
    title: 'Datenbankdatei',
    description: 'Absoluter Pfad. Entsteht, wenn eine Aufgabe zum ersten Mal hineinschreibt.',
  },
  read_only: { title: 'Nur lesen', description: 'Aufgaben, die hineinschreiben, schlagen fehl.' },
  host: { title: 'Host' },
  port: { title: 'Port' },
  database: { title: 'Datenbank' },
  user: { title: 'Benutzer' },
  ssl: { description: 'Die volle Prüfung umfasst auch Zertifikat und Hostnamen.' },
  schema: { title: 'Schema', description: 'Standardschema für Tabellennamen ohne Schema.' },
  password: { title: 'Passwort' },
  tinyint1: { title: 'tinyint(1) lesen als', description: 'Als boolean werden andere Werte als 0 und 1 abgelehnt.' },
  time: { title: 'TIME lesen als', description: 'Als time werden Dauern außerhalb von 00:00:00–23:59:59 abgelehnt.' },
  uri: {
    title: 'Adresse',
    description: 'mongodb:// oder mongodb+srv://, mit Optionen, aber ohne Benutzer und Passwort.',
    'x-wanted': 'eine Adresse mit mongodb:// oder mongodb+srv://, ohne Benutzer und Passwort',
  },
  auth_source: { title: 'Anmeldedatenbank', description: 'Wo der Benutzer geführt wird; ohne Angabe admin.' },
  base_url: { title: 'Basis-URL', 'x-wanted': 'eine Adresse mit http:// oder https://, ohne Benutzer und Passwort' },
  auth: { title: 'Anmelden mit' },
  api_key_name: { title: 'Name der Kopfzeile oder des Parameters für den Schlüssel' },
  api_key_in: { title: 'Schlüssel steht in' },
  token_url: { title: 'Token-URL', 'x-wanted': 'eine Adresse mit http:// oder https://, ohne Benutzer und Passwort' },
  client_id: { title: 'Client' },
  scope: { title: 'Scope' },
  headers: {
    title: 'Kopfzeilen',
    description: 'Gehen mit jeder Anfrage mit. Nicht für Zugangsdaten: Die gehören zu den Geheimnissen.',
  },
  requests_per_second: { title: 'Anfragen je Sekunde', description: 'Obergrenze.' },
  timeout_seconds: { title: 'Zeit für eine Anfrage, in Sekunden' },
  allow_private: {
    title: 'Private Adressen erlauben',
    description:
      'Für Hosts dieses Konnektors auf diesem Computer und im lokalen Netz. Weiterleitungen zu anderen Hosts dort werden abgelehnt, und Adressen, die Zugangsdaten einer Cloud herausgeben, sind nie erlaubt.',
  },
  token: { title: 'Bearer-Token' },
  api_key: { title: 'Schlüssel' },
  client_secret: { title: 'Client Secret' },
  bucket: { title: 'Bucket' },
  prefix: { title: 'Präfix', description: 'Aufgaben erreichen nur, was darunter liegt, als wäre es ein Ordner.' },
  region: { title: 'Region' },
  endpoint: { title: 'Endpunkt', 'x-wanted': 'eine Adresse mit http:// oder https://, ohne Benutzer und Passwort' },
  path_style: {
    title: 'Bucket im Pfad',
    description: 'Wie MinIO und die meisten Speicher außer dem von Amazon es wollen.',
  },
  access_key_id: { title: 'Zugriffsschlüssel' },
  secret_access_key: { title: 'Geheimer Schlüssel' },
  session_token: { title: 'Sitzungstoken' },
  host_key: {
    title: 'Hostschlüssel',
    description: 'Fingerabdruck des Serverschlüssels, wie ssh ihn zeigt. Der Verbindungstest nennt ihn.',
    'x-wanted':
      'ein Fingerabdruck, wie ssh ihn zeigt (SHA256:…), oder `any`, um jedem gezeigten Schlüssel zu vertrauen',
  },
  private_key: { title: 'Privater Schlüssel' },
  passphrase: { title: 'Passphrase des Schlüssels' },
}

/** `test/renderer/i18n/server-texts.test.ts` names what is missing. */
export const serverTexts: ServerTexts = { settings, units, connectorTypes, fields }
