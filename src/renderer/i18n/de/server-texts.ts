import type { ServerTexts } from '../server-texts.ts'

/** Settings of the server and fields of connectors. `test/renderer/i18n/server-texts.test.ts` names what is missing. */
export const serverTexts: ServerTexts = {
  // Settings
  Address: 'Adresse',
  'Address that the server listens on. Addresses other than loopback expose the server to other machines.':
    'Adresse, an der der Server lauscht. Jede andere als eine Loopback-Adresse lässt andere Rechner herein: vorher bedenken.',
  Port: 'Port',
  '0 uses any free port.': '0 nimmt einen beliebigen freien.',
  'Additional host names': 'Weitere Hostnamen',
  'Host header values to accept in addition to loopback names, such as the name of a reverse proxy.':
    'Namen, die neben denen von Loopback im Host-Header stehen dürfen, etwa der eines vorgelagerten Proxys.',
  'Require two-factor authentication': 'Zweiten Faktor verlangen',
  'Sign-in requires a code from an authenticator app. Users without one enroll at the next sign-in.':
    'Zur Anmeldung gehört ein Code einer Authenticator-App; wer noch keine hat, richtet sie bei der nächsten Anmeldung ein.',
  'Automatic desktop sign-in': 'Desktop meldet sich selbst an',
  'The desktop app’s own window signs in without a password.':
    'Das eigene Fenster der Desktop-App meldet sich ohne Passwort an.',
  'Idle session timeout': 'Sitzung endet unbenutzt nach',
  'Sessions expire after this time without activity.': 'Eine Sitzung, die so lange nicht benutzt wurde, ist beendet.',
  hours: 'Stunden',
  'Maximum session length': 'Sitzung endet nach',
  'Sessions expire after this time even if active. Applies to new sessions.':
    'Wie viel sie auch benutzt wird. Gilt für Sitzungen, die nach der Änderung beginnen.',
  days: 'Tage',
  'Minimum password length': 'Kürzestes Passwort',
  'Applies to new passwords; existing ones stay valid.': 'Für neue Passwörter; bestehende bleiben.',
  characters: 'Zeichen',
  'Lock desktop after': 'Desktop sperren nach',
  'Desktop windows ask for the password after this time without input. 0: never.':
    'Ein Fenster der Desktop-App ohne Eingabe fragt nach dieser Zeit nach dem Passwort; 0 sperrt nie.',
  minutes: 'Minuten',
  'Executor key': 'Schlüssel der Executors',
  'Executors sign in with it. Random at each start unless set. Set it if executors run on other machines.':
    'Damit melden sich Executors an; ohne Angabe bei jedem Start ein zufälliger. Nötig, wenn Executors anderswo laufen.',
  'Local executor': 'Lokaler Executor',
  'Run an executor together with the server.': 'Einen Executor neben dem Server betreiben.',
  'Executor lease': 'Frist der Executors',
  'An executor counts as lost after this time without a heartbeat.':
    'Ein Executor, der so lange schweigt, gilt als verloren.',
  milliseconds: 'Millisekunden',
  'Executor heartbeat': 'Lebenszeichen der Executors',
  'How often executors send a heartbeat. At most half of the lease.':
    'Wie oft Executors ein Lebenszeichen geben; höchstens die halbe Frist.',
  'AI key': 'KI-Schlüssel',
  'API key of the AI provider. Without it, AI generation is off.':
    'Schlüssel des KI-Anbieters; ohne ihn ist alles aus, was eine KI fragt.',
  'AI provider': 'KI-Anbieter',
  '`compatible` is any server with the OpenAI API, such as Ollama. It needs a base URL.':
    '`compatible` ist jeder Server mit der OpenAI-API, etwa Ollama. Er braucht eine Basis-URL.',
  'AI base URL': 'KI-Basis-URL',
  'By default the provider’s own, such as `https://api.openai.com/v1`. The AI key is sent there.':
    'Ohne Angabe die des Anbieters, etwa `https://api.openai.com/v1`. Dorthin geht der KI-Schlüssel.',
  'AI model': 'KI-Modell',
  'Name of the model at the provider.': 'Name des Modells beim Anbieter.',
  'AI tokens per day': 'KI-Token je Tag',
  'Requests are refused once this many tokens were used since midnight UTC. 0: no limit.':
    'Sind seit Mitternacht UTC so viele Token verbraucht, wird nicht mehr gefragt. 0: keine Grenze.',
  tokens: 'Token',
  'Requests per second': 'Anfragen je Sekunde',
  'Average limit per caller.': 'Eines Aufrufers, im Durchschnitt.',
  'Request burst': 'Anfragen auf einmal',
  'Per caller, before the average limit applies.': 'Eines Aufrufers, bevor der Durchschnitt zählt.',
  'Back up every': 'Sichern alle',
  '0: no scheduled backups.': '0: nur auf Wunsch.',
  'Scheduled backups to keep': 'Aufzubewahrende geplante Sicherungen',
  'The oldest are deleted first.': 'Die ältesten werden zuerst gelöscht.',
  'Backup folder': 'Ordner der Sicherungen',
  'By default `backups` in the data folder. A folder on another disk survives the loss of this disk.':
    'Ohne Angabe `backups` im Datenordner. Ein anderer Datenträger übersteht den Verlust von diesem.',
  'Upload folder': 'Ordner hochgeladener Dateien',
  'Where files uploaded in a browser are stored. By default next to the data folder. It can’t be inside the data folder, where connectors can’t read.':
    'Wo Dateien liegen, die ein Browser übergibt. Ohne Angabe neben dem Datenordner; nicht darin, wo kein Konnektor lesen darf.',
  'Largest upload': 'Größte hochgeladene Datei',
  'Maximum size of one file.': 'Einer Datei.',
  'Name of this server': 'Name dieses Servers',
  'Namespace of jobs in OpenLineage, and service.namespace in OpenTelemetry.':
    'Namensraum der Jobs in OpenLineage und service.namespace in OpenTelemetry.',
  'OpenLineage endpoint': 'OpenLineage-Adresse',
  'Full address that events are sent to. Without it, none are sent.':
    'Vollständige Adresse, an die Ereignisse gehen. Ohne sie wird nichts gesendet.',
  'OpenLineage key': 'OpenLineage-Schlüssel',
  'Sent to the OpenLineage endpoint as a bearer token.': 'Geht als Bearer-Token an die OpenLineage-Adresse.',
  'OpenLineage folder': 'OpenLineage-Ordner',
  'Events are appended to a file per day in this folder. Without it, none are written.':
    'Ereignisse werden in diesem Ordner an eine Datei je Tag angehängt. Ohne ihn wird nichts geschrieben.',
  'OpenTelemetry endpoint': 'OpenTelemetry-Adresse',
  'Base address of an OTLP receiver over HTTP. Without it, no traces or metrics are sent.':
    'Grundadresse eines OTLP-Empfängers über HTTP. Ohne sie werden weder Spuren noch Messwerte gesendet.',
  'OpenTelemetry key': 'OpenTelemetry-Schlüssel',
  'Sent to the OpenTelemetry endpoint as a bearer token.': 'Geht als Bearer-Token an die OpenTelemetry-Adresse.',
  'Keep runs for': 'Läufe aufbewahren',
  'Ended runs and job runs with all their data, old notifications, and trigger history. The newest run of each task and job is kept. 0: forever.':
    'Beendete Läufe und Job-Läufe mit allem, was dazugehört, sowie alte Mitteilungen und Auslösungen. Die neuesten jeder Aufgabe und jedes Jobs bleiben. 0: für immer.',
  'Maximum runs': 'Höchstzahl der Läufe',
  'If more runs than this have ended, the oldest are removed, all runs of a job run together. 0: no limit.':
    'Haben mehr Läufe geendet, gehen die ältesten, die eines Job-Laufs zusammen. 0: unbegrenzt.',
  runs: 'Läufe',
  'Keep logs for': 'Protokolle aufbewahren',
  'Logs and rejected rows of ended runs; the runs are kept. 0: as long as the runs.':
    'Protokolle und abgewiesene Zeilen beendeter Läufe; die Läufe bleiben. 0: so lange wie die Läufe.',
  'Maximum log size': 'Höchstgröße der Protokolle',
  'If logs use more than this in the store, the oldest logs of ended runs are removed. 0: no limit.':
    'Nehmen Protokolle im Speicher mehr ein, gehen die ältesten beendeter Läufe. 0: unbegrenzt.',
  'Log level': 'Protokollstufe',
  'Minimum level of messages in the server’s own log.': 'Was das eigene Protokoll des Servers sagt.',
  // Connectors
  'Base URL': 'Basis-URL',
  'Service root': 'Wurzel des Dienstes',
  Endpoint: 'Endpunkt',
  'a mongodb:// or mongodb+srv:// address without user and password':
    'eine Adresse mit mongodb:// oder mongodb+srv://, ohne Benutzer und Passwort',
  'one line of Latin-1 characters': 'eine Zeile aus Latin-1-Zeichen',
  'an http:// or https:// address without user and password':
    'eine Adresse mit http:// oder https://, ohne Benutzer und Passwort',
  'a fingerprint as ssh shows it (SHA256:…), or `any` to trust whatever key the server shows':
    'ein Fingerabdruck, wie ssh ihn zeigt (SHA256:…), oder `any`, um jedem gezeigten Schlüssel zu vertrauen',
  'Files in a folder': 'Dateien in einem Ordner',
  'CSV, JSON Lines, JSON, Parquet, and Excel files in a folder on the executor’s machine.':
    'CSV-, JSON-Lines-, JSON-, Parquet- und Excel-Dateien unter einem Ordner auf dem Rechner des Executors.',
  Folder: 'Ordner',
  'Absolute path. Tasks can access only files in this folder.':
    'Absoluter Pfad. Aufgaben erreichen nur, was darunter liegt.',
  'A SQLite database file on the executor’s machine.': 'Eine SQLite-Datenbankdatei auf dem Rechner des Executors.',
  'A DuckDB database file on the executor’s machine.': 'Eine DuckDB-Datenbankdatei auf dem Rechner des Executors.',
  'Database file': 'Datenbankdatei',
  'Absolute path. Created when a task first writes to it.':
    'Absoluter Pfad. Entsteht, wenn eine Aufgabe zum ersten Mal hineinschreibt.',
  'Read only': 'Nur lesen',
  'Refuse all writes': 'Jedes Schreiben ablehnen',
  'A PostgreSQL database, version 12 or newer.': 'Eine PostgreSQL-Datenbank, Version 12 oder neuer.',
  Host: 'Host',
  Database: 'Datenbank',
  User: 'Benutzer',
  Password: 'Passwort',
  Schema: 'Schema',
  'Schema of tables that are named without one': 'Wo Tabellen ohne Schema gesucht werden',
  'Read tinyint(1) as': 'tinyint(1) lesen als',
  'As boolean, values other than 0 and 1 are refused': 'Als boolean werden andere Werte als 0 und 1 abgelehnt',
  'Read TIME as': 'TIME lesen als',
  'As time, durations outside 00:00:00–23:59:59 are refused':
    'Als time werden Dauern außerhalb von 00:00:00–23:59:59 abgelehnt',
  'verify-full also checks the certificate and the host name': 'verify-full prüft auch Zertifikat und Hostnamen',
  'MySQL or MariaDB': 'MySQL oder MariaDB',
  'A MySQL 8 or MariaDB 10.5 database, or newer.': 'Eine Datenbank mit MySQL 8, MariaDB 10.5 oder neuer.',
  'A MongoDB or MongoDB-compatible database.': 'Eine MongoDB-Datenbank oder eine, die ihr Protokoll spricht.',
  'mongodb:// or mongodb+srv://, with options but without user and password':
    'mongodb:// oder mongodb+srv://, mit Optionen, aber ohne Benutzer und Passwort',
  'Authentication database': 'Anmeldedatenbank',
  'Database that defines the user; admin by default': 'Wo der Benutzer geführt wird; ohne Angabe admin',
  'HTTP API': 'HTTP-API',
  'A JSON web API.': 'Eine Web-API, die JSON spricht.',
  'An OData v4 service.': 'Ein Dienst mit OData v4.',
  'Files in a bucket of Amazon S3 or S3-compatible storage.':
    'Dateien in einem Bucket von Amazon S3 oder einem Speicher, der dessen Protokoll spricht.',
  Bucket: 'Bucket',
  Prefix: 'Präfix',
  'Acts as a folder: tasks can access only objects in it':
    'Aufgaben erreichen nur, was darunter liegt, als wäre es ein Ordner',
  Region: 'Region',
  'Bucket in the path': 'Bucket im Pfad',
  'Required by MinIO and most S3-compatible storage':
    'Wie MinIO und die meisten Speicher außer dem von Amazon es wollen',
  'Access key': 'Zugriffsschlüssel',
  'Secret key': 'Geheimer Schlüssel',
  'Session token': 'Sitzungstoken',
  'Files on a server over SSH.': 'Dateien auf einem Server über SSH.',
  'Tasks can access only files in this folder; by default the server’s start folder':
    'Aufgaben erreichen nur, was darunter liegt; ohne Angabe der Ordner, den der Server öffnet',
  'Host key': 'Hostschlüssel',
  'Fingerprint of the server’s key, as ssh shows it. Test the connection to see it.':
    'Fingerabdruck des Serverschlüssels, wie ssh ihn zeigt. Der Verbindungstest nennt ihn.',
  'Private key': 'Privater Schlüssel',
  'Key passphrase': 'Passphrase des Schlüssels',
  'Sign in with': 'Anmelden mit',
  'oauth2: client credentials': 'oauth2: Client Credentials',
  'Key header or parameter name': 'Name der Kopfzeile oder des Parameters für den Schlüssel',
  'Send key in': 'Schlüssel steht in',
  'Token URL': 'Token-URL',
  Client: 'Client',
  Scope: 'Scope',
  Headers: 'Kopfzeilen',
  'Sent with every request. Don’t put credentials here: enter them as secrets.':
    'Gehen mit jeder Anfrage mit. Nicht für Zugangsdaten: Die gehören zu den Geheimnissen.',
  'Requests a second': 'Anfragen je Sekunde',
  'Upper limit': 'Höchstens',
  'Time for one request, in seconds': 'Zeit für eine Anfrage, in Sekunden',
  'Allow private addresses': 'Private Adressen erlauben',
  'This machine and the local network. Addresses that serve cloud credentials are never allowed.':
    'Dieser Rechner und das lokale Netz. Adressen, die Zugangsdaten einer Cloud herausgeben, sind nie erlaubt.',
  'Bearer token': 'Bearer-Token',
  Key: 'Schlüssel',
  'Client secret': 'Client Secret',
}
