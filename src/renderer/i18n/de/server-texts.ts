import type { ServerTexts } from '../server-texts.ts'

/** Settings of the server and fields of connectors. `test/renderer/i18n/server-texts.test.ts` names what is missing. */
export const serverTexts: ServerTexts = {
  // Settings
  Address: 'Adresse',
  'Address that the server listens on. Any but a loopback address lets other machines in: think first.':
    'Adresse, an der der Server lauscht. Jede andere als eine Loopback-Adresse lässt andere Rechner herein: vorher bedenken.',
  Port: 'Port',
  '0 takes any free one.': '0 nimmt einen beliebigen freien.',
  'Further host names': 'Weitere Hostnamen',
  'Names beside the loopback ones that the Host header may carry, such as that of a proxy in front.':
    'Namen, die neben denen von Loopback im Host-Header stehen dürfen, etwa der eines vorgelagerten Proxys.',
  'Require a second factor': 'Zweiten Faktor verlangen',
  'Signing in takes a code of an authenticator app; whoever has none yet enrols at the next sign-in.':
    'Zur Anmeldung gehört ein Code einer Authenticator-App; wer noch keine hat, richtet sie bei der nächsten Anmeldung ein.',
  'Desktop signs in by itself': 'Desktop meldet sich selbst an',
  'The desktop’s own window signs in without a password.':
    'Das eigene Fenster der Desktop-App meldet sich ohne Passwort an.',
  'Session ends unused after': 'Sitzung endet unbenutzt nach',
  'A session that was not used for so long has ended.': 'Eine Sitzung, die so lange nicht benutzt wurde, ist beendet.',
  hours: 'Stunden',
  'Session ends after': 'Sitzung endet nach',
  'However much it is used. Holds for sessions that begin after the change.':
    'Wie viel sie auch benutzt wird. Gilt für Sitzungen, die nach der Änderung beginnen.',
  days: 'Tage',
  'Shortest password': 'Kürzestes Passwort',
  'Of new passwords; those that exist stay.': 'Für neue Passwörter; bestehende bleiben.',
  characters: 'Zeichen',
  'Lock the desktop after': 'Desktop sperren nach',
  'A window of the desktop without input for so long asks for the password; 0 never locks.':
    'Ein Fenster der Desktop-App ohne Eingabe fragt nach dieser Zeit nach dem Passwort; 0 sperrt nie.',
  minutes: 'Minuten',
  'Executor key': 'Schlüssel der Executors',
  'Executors sign in with it; random at each start unless set. Set it when executors run elsewhere.':
    'Damit melden sich Executors an; ohne Angabe bei jedem Start ein zufälliger. Nötig, wenn Executors anderswo laufen.',
  'Local executor': 'Lokaler Executor',
  'Run an executor beside the server.': 'Einen Executor neben dem Server betreiben.',
  'Executor lease': 'Frist der Executors',
  'An executor that is silent for so long counts as lost.': 'Ein Executor, der so lange schweigt, gilt als verloren.',
  milliseconds: 'Millisekunden',
  'Executor heartbeat': 'Lebenszeichen der Executors',
  'How often executors give a sign of life; at most half of the lease.':
    'Wie oft Executors ein Lebenszeichen geben; höchstens die halbe Frist.',
  'AI key': 'KI-Schlüssel',
  'Key of the AI provider; without it everything that asks an AI is off.':
    'Schlüssel des KI-Anbieters; ohne ihn ist alles aus, was eine KI fragt.',
  'Requests per second': 'Anfragen je Sekunde',
  'Of one caller, on the average.': 'Eines Aufrufers, im Durchschnitt.',
  'Requests at once': 'Anfragen auf einmal',
  'Of one caller, before the average counts.': 'Eines Aufrufers, bevor der Durchschnitt zählt.',
  'Back up every': 'Sichern alle',
  '0: only when asked for.': '0: nur auf Wunsch.',
  'Backups to keep': 'Aufzubewahrende Sicherungen',
  'Of the scheduled ones; the oldest go first.': 'Von denen nach Zeitplan; die ältesten gehen zuerst.',
  'Folder of backups': 'Ordner der Sicherungen',
  '`backups` in the data folder unless given. Another disk survives the loss of this one.':
    'Ohne Angabe `backups` im Datenordner. Ein anderer Datenträger übersteht den Verlust von diesem.',
  'Folder of uploads': 'Ordner hochgeladener Dateien',
  'Where files are kept that a browser hands over. Beside the data folder unless given; not inside of it, where no connector may read.':
    'Wo Dateien liegen, die ein Browser übergibt. Ohne Angabe neben dem Datenordner; nicht darin, wo kein Konnektor lesen darf.',
  'Largest upload': 'Größte hochgeladene Datei',
  'Of one file.': 'Einer Datei.',
  'Keep runs for': 'Läufe aufbewahren',
  'Runs and job runs that have ended, with all that belongs to them, and old news and firings. The newest of each task and job stay. 0: for ever.':
    'Beendete Läufe und Job-Läufe mit allem, was dazugehört, sowie alte Mitteilungen und Auslösungen. Die neuesten jeder Aufgabe und jedes Jobs bleiben. 0: für immer.',
  'Most runs': 'Höchstzahl der Läufe',
  'When more runs than this have ended, the oldest go, those of a job run together. 0: no limit.':
    'Haben mehr Läufe geendet, gehen die ältesten, die eines Job-Laufs zusammen. 0: unbegrenzt.',
  runs: 'Läufe',
  'Keep logs for': 'Protokolle aufbewahren',
  'Logs and rejected rows of runs that have ended; the runs stay. 0: as long as the runs.':
    'Protokolle und abgewiesene Zeilen beendeter Läufe; die Läufe bleiben. 0: so lange wie die Läufe.',
  'Most log': 'Höchstgröße der Protokolle',
  'When logs take more than this in the store, the oldest of runs that have ended go. 0: no limit.':
    'Nehmen Protokolle im Speicher mehr ein, gehen die ältesten beendeter Läufe. 0: unbegrenzt.',
  'Log level': 'Protokollstufe',
  'What the server’s own log tells.': 'Was das eigene Protokoll des Servers sagt.',
  // Connectors
  'Base URL': 'Basis-URL',
  'Service root': 'Wurzel des Dienstes',
  Endpoint: 'Endpunkt',
  'a mongodb:// or mongodb+srv:// address without user and password':
    'eine Adresse mit mongodb:// oder mongodb+srv://, ohne Benutzer und Passwort',
  'an http:// or https:// address without user and password':
    'eine Adresse mit http:// oder https://, ohne Benutzer und Passwort',
  'a fingerprint as ssh shows it (SHA256:…), or `any` to trust whatever key the server shows':
    'ein Fingerabdruck, wie ssh ihn zeigt (SHA256:…), oder `any`, um jedem gezeigten Schlüssel zu vertrauen',
  'Files in a folder': 'Dateien in einem Ordner',
  'CSV, JSON Lines, JSON, Parquet and Excel files below one folder of the executor’s machine.':
    'CSV-, JSON-Lines-, JSON-, Parquet- und Excel-Dateien unter einem Ordner auf dem Rechner des Executors.',
  Folder: 'Ordner',
  'Absolute path. Tasks reach only what lies below it.': 'Absoluter Pfad. Aufgaben erreichen nur, was darunter liegt.',
  'A SQLite database file on the executor’s machine.': 'Eine SQLite-Datenbankdatei auf dem Rechner des Executors.',
  'A DuckDB database file on the executor’s machine.': 'Eine DuckDB-Datenbankdatei auf dem Rechner des Executors.',
  'Database file': 'Datenbankdatei',
  'Absolute path. Made when a task first writes to it.':
    'Absoluter Pfad. Entsteht, wenn eine Aufgabe zum ersten Mal hineinschreibt.',
  'Read only': 'Nur lesen',
  'Refuse every write': 'Jedes Schreiben ablehnen',
  'A PostgreSQL database, version 12 or newer.': 'Eine PostgreSQL-Datenbank, Version 12 oder neuer.',
  Host: 'Host',
  Database: 'Datenbank',
  User: 'Benutzer',
  Password: 'Passwort',
  Schema: 'Schema',
  'Where tables without a schema are looked up': 'Wo Tabellen ohne Schema gesucht werden',
  'Read tinyint(1) as': 'tinyint(1) lesen als',
  'As boolean, values other than 0 and 1 are refused': 'Als boolean werden andere Werte als 0 und 1 abgelehnt',
  'Read TIME as': 'TIME lesen als',
  'As time, durations outside 00:00:00–23:59:59 are refused':
    'Als time werden Dauern außerhalb von 00:00:00–23:59:59 abgelehnt',
  'verify-full also checks the certificate and the host name': 'verify-full prüft auch Zertifikat und Hostnamen',
  'MySQL or MariaDB': 'MySQL oder MariaDB',
  'A MySQL 8 or MariaDB 10.5 database, or newer.': 'Eine Datenbank mit MySQL 8, MariaDB 10.5 oder neuer.',
  'A MongoDB database, or one that speaks its protocol.':
    'Eine MongoDB-Datenbank oder eine, die ihr Protokoll spricht.',
  'mongodb:// or mongodb+srv://, with options but without user and password':
    'mongodb:// oder mongodb+srv://, mit Optionen, aber ohne Benutzer und Passwort',
  'Authentication database': 'Anmeldedatenbank',
  'Where the user is kept; admin by default': 'Wo der Benutzer geführt wird; ohne Angabe admin',
  'HTTP API': 'HTTP-API',
  'A web API that speaks JSON.': 'Eine Web-API, die JSON spricht.',
  'An OData v4 service.': 'Ein Dienst mit OData v4.',
  'Files in a bucket of Amazon S3 or of a store that speaks its protocol.':
    'Dateien in einem Bucket von Amazon S3 oder einem Speicher, der dessen Protokoll spricht.',
  Bucket: 'Bucket',
  Prefix: 'Präfix',
  'Tasks reach only what lies below it, as if it were a folder':
    'Aufgaben erreichen nur, was darunter liegt, als wäre es ein Ordner',
  Region: 'Region',
  'Bucket in the path': 'Bucket im Pfad',
  'As MinIO and most stores other than Amazon’s want it':
    'Wie MinIO und die meisten Speicher außer dem von Amazon es wollen',
  'Access key': 'Zugriffsschlüssel',
  'Secret key': 'Geheimer Schlüssel',
  'Session token': 'Sitzungstoken',
  'Files on a server over SSH.': 'Dateien auf einem Server über SSH.',
  'Tasks reach only what lies below it; by default the folder that the server opens':
    'Aufgaben erreichen nur, was darunter liegt; ohne Angabe der Ordner, den der Server öffnet',
  'Host key': 'Hostschlüssel',
  'Fingerprint of the server’s key, as ssh shows it. Testing the connection tells it.':
    'Fingerabdruck des Serverschlüssels, wie ssh ihn zeigt. Der Verbindungstest nennt ihn.',
  'Private key': 'Privater Schlüssel',
  'Passphrase of the key': 'Passphrase des Schlüssels',
  'Sign in with': 'Anmelden mit',
  'oauth2: client credentials': 'oauth2: Client Credentials',
  'Name of the key’s header or parameter': 'Name der Kopfzeile oder des Parameters für den Schlüssel',
  'Key goes into': 'Schlüssel steht in',
  'Token URL': 'Token-URL',
  Client: 'Client',
  Scope: 'Scope',
  Headers: 'Kopfzeilen',
  'Sent with every request. Not for credentials: those are the secrets.':
    'Gehen mit jeder Anfrage mit. Nicht für Zugangsdaten: Die gehören zu den Geheimnissen.',
  'Requests a second': 'Anfragen je Sekunde',
  'At most': 'Höchstens',
  'Time for one request, in seconds': 'Zeit für eine Anfrage, in Sekunden',
  'Allow private addresses': 'Private Adressen erlauben',
  'This machine and the local network. Addresses that give out a cloud’s credentials are never allowed.':
    'Dieser Rechner und das lokale Netz. Adressen, die Zugangsdaten einer Cloud herausgeben, sind nie erlaubt.',
  'Bearer token': 'Bearer-Token',
  Key: 'Schlüssel',
  'Client secret': 'Client Secret',
}
