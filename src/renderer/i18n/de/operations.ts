import { jobOperationTexts } from './job-operations.ts'

/** What was done, as the audit log names and describes it, by the operation. */
export const operationTexts: Readonly<Record<string, { name: string; summary?: string }>> = {
  bootstrap: {
    name: 'Erstes Konto erstellen',
    summary: 'Das erste Konto, einen Hauptadministrator, erstellen und anmelden',
  },
  login: { name: 'Anmelden', summary: 'Das Passwort prüfen und ein Sitzungs-Cookie setzen' },
  launch: {
    name: 'Desktop-Fenster anmelden',
    summary: 'Das eigene Fenster der Desktop-App mit einem einmaligen Starttoken anmelden',
  },
  logout: { name: 'Abmelden', summary: 'Diese Sitzung beenden' },
  setupTotp: { name: 'Zweiten Faktor einrichten', summary: 'Mit dem Einrichten einer Authenticator-App beginnen' },
  restartTotpSetup: {
    name: 'Einrichtung des zweiten Faktors neu beginnen',
    summary: 'Eine unbestätigte Einrichtung verwerfen und neu beginnen',
  },
  verifyTotp: { name: 'Code prüfen', summary: 'Eine Anmeldung oder Einrichtung mit einem Code abschließen' },
  disableTotp: { name: 'Zweiten Faktor entfernen', summary: 'Den eigenen zweiten Faktor entfernen' },
  renewRecoveryCodes: {
    name: 'Wiederherstellungscodes erneuern',
    summary: 'Neue Wiederherstellungscodes machen; die alten gelten nicht mehr',
  },
  endSession: { name: 'Sitzung beenden', summary: 'Eine Sitzung sofort beenden, offene Verbindungen eingeschlossen' },
  endOtherSessions: { name: 'Andere Sitzungen beenden', summary: 'Alle eigenen Sitzungen außer dieser beenden' },
  lockDesktop: {
    name: 'Desktop sperren',
    summary: 'Das eigene Fenster der Desktop-App sperren: Die Sitzung endet, und nur ein Passwort meldet wieder an',
  },
  createUser: { name: 'Benutzer erstellen', summary: 'Einen Benutzer erstellen' },
  updateOwnUser: { name: 'Eigenes Konto ändern', summary: 'Das eigene Konto ändern' },
  changeOwnPassword: {
    name: 'Eigenes Passwort ändern',
    summary: 'Das eigene Passwort ändern; andere Sitzungen enden, diese wird ersetzt',
  },
  updateUser: { name: 'Benutzer ändern', summary: 'Einen Benutzer ändern' },
  deleteUser: { name: 'Benutzer löschen', summary: 'Einen Benutzer entfernen' },
  resetUserTotp: {
    name: 'Zweiten Faktor zurücksetzen',
    summary:
      'Den zweiten Faktor eines Benutzers entfernen, damit er einen neuen einrichten kann; seine Sitzungen enden',
  },
  exportAudit: {
    name: 'Prüfprotokoll exportieren',
    summary: 'Alle Einträge der Filter, die ältesten zuerst, je Zeile ein JSON-Objekt',
  },
  exportBundle: { name: 'Bündel exportieren', summary: 'Aufgaben und Job-Vorlagen als Bündel' },
  importBundle: { name: 'Bündel importieren', summary: 'Aufgaben und Job-Vorlagen aus einem Bündel importieren' },
  uploadFile: { name: 'Datei hochladen', summary: 'Eine Datei in den Ordner hochgeladener Dateien legen' },
  deleteUpload: {
    name: 'Hochgeladene Datei löschen',
    summary: 'Eine Datei aus dem Ordner hochgeladener Dateien löschen',
  },
  createExplorerPreset: { name: 'Explorer-Preset erstellen', summary: 'Ein Explorer-Preset erstellen' },
  updateExplorerPreset: { name: 'Explorer-Preset ändern', summary: 'Ein Explorer-Preset ändern' },
  deleteExplorerPreset: { name: 'Explorer-Preset löschen', summary: 'Ein Explorer-Preset löschen' },
  createApiKey: {
    name: 'API-Schlüssel erstellen',
    summary: 'Einen API-Schlüssel erstellen; nur die Antwort enthält ihn',
  },
  revokeApiKey: {
    name: 'API-Schlüssel widerrufen',
    summary: 'Einen API-Schlüssel sofort widerrufen, offene Verbindungen eingeschlossen',
  },
  createTask: {
    name: 'Aufgabe erstellen',
    summary: 'Eine Aufgabe erstellen; Name und Beschreibung kommen aus dem YAML',
  },
  updateTask: {
    name: 'Aufgabe speichern',
    summary: 'Eine Aufgabe speichern; eine Änderung macht eine neue Version, keine Änderung macht keine',
  },
  tagTask: {
    name: 'Schlagwörter einer Aufgabe ändern',
    summary:
      'Schlagwörter einer Aufgabe hinzufügen und entfernen; die anderen bleiben, und es entsteht keine neue Version',
  },
  archiveTask: { name: 'Aufgabe archivieren', summary: 'Eine Aufgabe archivieren' },
  restoreTask: { name: 'Aufgabe wiederherstellen', summary: 'Eine archivierte Aufgabe wiederherstellen' },
  restoreTaskVersion: {
    name: 'Version einer Aufgabe wiederherstellen',
    summary: 'Eine frühere Version als neue Version wieder gelten lassen',
  },
  deleteTaskState: {
    name: 'Stand einer Aufgabe vergessen',
    summary: 'Vergessen, wie weit inkrementelle Läufe sind: Der nächste liest von Anfang an',
  },
  resolveTaskState: {
    name: 'Unbekannten Ausgang klären',
    summary: 'Sagen, ob ein Lauf mit unbekanntem Ausgang seine Zeilen geschrieben hat',
  },
  createConnector: { name: 'Konnektor erstellen', summary: 'Einen Konnektor erstellen' },
  updateConnector: {
    name: 'Konnektor speichern',
    summary: 'Einen Konnektor speichern; weggelassene Geheimnisse bleiben',
  },
  archiveConnector: { name: 'Konnektor archivieren', summary: 'Einen Konnektor archivieren' },
  restoreConnector: { name: 'Konnektor wiederherstellen', summary: 'Einen archivierten Konnektor wiederherstellen' },
  testConnectorById: {
    name: 'Konnektor testen',
    summary: 'Die Prüfungen seines Typs mit der gespeicherten Konfiguration ausführen',
  },
  queryConnector: {
    name: 'Konnektor abfragen',
    summary: 'Eine Abfrage ausführen, die nur liest; ihre ersten Zeilen holen',
  },
  explainQuery: { name: 'Abfrage erklären', summary: 'Den Plan einer Abfrage holen' },
  cancelQuery: { name: 'Abfrage abbrechen', summary: 'Eine Abfrage beenden und was das System für sie tut' },
  exportQuery: {
    name: 'Abfrage exportieren',
    summary: 'Die Abfrage noch einmal ausführen und ihr vollständiges Ergebnis herunterladen',
  },
  triggerRun: { name: 'Lauf starten', summary: 'Einen Lauf der Aufgabe erstellen und starten' },
  cancelRun: { name: 'Lauf abbrechen', summary: 'Einen wartenden oder laufenden Lauf abbrechen' },
  retryRun: {
    name: 'Lauf wiederholen',
    summary: 'Einen neuen Lauf mit Argumenten, Konnektoren und Version eines beendeten starten',
  },
  rerunRejects: {
    name: 'Abgewiesene Zeilen verarbeiten',
    summary: 'Abgewiesene Zeilen, korrigiert oder unverändert, in einem neuen Lauf verarbeiten',
  },
  getRejectsRerun: {
    name: 'Verarbeitung abgewiesener Zeilen',
    summary: 'Wie sich abgewiesene Zeilen eines Laufs verarbeiten lassen und welche Läufe das getan haben',
  },
  createDashboardTemplate: {
    name: 'Dashboard-Vorlage erstellen',
    summary: 'Eine Dashboard-Vorlage erstellen; Name und Beschreibung stehen im YAML',
  },
  updateDashboardTemplate: {
    name: 'Dashboard-Vorlage speichern',
    summary: 'Eine Dashboard-Vorlage speichern; eine Änderung erstellt eine neue Version',
  },
  tagDashboardTemplate: {
    name: 'Schlagwörter einer Dashboard-Vorlage ändern',
    summary:
      'Schlagwörter einer Dashboard-Vorlage hinzufügen und entfernen; die anderen bleiben, und es entsteht keine neue Version',
  },
  archiveDashboardTemplate: {
    name: 'Dashboard-Vorlage archivieren',
    summary: 'Eine Dashboard-Vorlage archivieren; neue Jobs bekommen kein Dashboard daraus',
  },
  restoreDashboardTemplate: {
    name: 'Dashboard-Vorlage wiederherstellen',
    summary: 'Eine archivierte Dashboard-Vorlage wiederherstellen',
  },
  restoreDashboardTemplateVersion: {
    name: 'Version der Dashboard-Vorlage wiederherstellen',
    summary: 'Eine frühere Version als neue Version wiederherstellen',
  },
  updateDashboard: {
    name: 'Eingaben eines Dashboards speichern',
    summary: 'Speichern, was in Formularen und Feldzuordnungen eingegeben wurde',
  },
  previewDashboardOptions: {
    name: 'Auswahl einer Dashboard-Vorlage zeigen',
    summary: 'Die Auswahl eines Filters oder Widgets eines YAML holen, das nicht gespeichert ist',
  },
  exportWidgetRows: {
    name: 'Zeilen eines Widgets exportieren',
    summary: 'Alle Zeilen eines Diagramms oder einer Tabelle herunterladen',
  },
  submitWidget: {
    name: 'Job aus einem Dashboard starten',
    summary: 'Den Job mit den Werten eines Formulars und der Feldzuordnungen starten',
  },
  createDashboardShare: {
    name: 'Öffentlichen Link erstellen',
    summary: 'Einen öffentlichen Link erstellen; sein Token wird nur einmal gezeigt',
  },
  deleteDashboardShare: {
    name: 'Öffentlichen Link widerrufen',
    summary: 'Einen öffentlichen Link mit sofortiger Wirkung widerrufen',
  },
  ...jobOperationTexts,
  updateScheduler: { name: 'Zeitplanung ändern', summary: 'Alle Auslöser pausieren oder fortsetzen' },
  setPool: {
    name: 'Pool setzen',
    summary: 'Einen Pool erstellen oder seine Plätze ändern; laufende Läufe behalten ihre',
  },
  deletePool: { name: 'Pool löschen', summary: 'Einen Pool entfernen: Seine Aufgaben begrenzt er nicht mehr' },
  createTrigger: { name: 'Auslöser erstellen', summary: 'Einen Auslöser eines Jobs erstellen' },
  updateTrigger: { name: 'Auslöser ändern', summary: 'Einen Auslöser ändern; Weggelassenes bleibt' },
  deleteTrigger: { name: 'Auslöser löschen', summary: 'Einen Auslöser löschen; was er gestartet hat, bleibt' },
  createEventTrigger: {
    name: 'Ereignisauslöser erstellen',
    summary: 'Einen Job durch einen Webhook, ankommende Dateien oder nach einem anderen Job starten',
  },
  updateEventTrigger: {
    name: 'Ereignisauslöser ändern',
    summary: 'Einen Ereignisauslöser ändern; Weggelassenes bleibt',
  },
  deleteEventTrigger: {
    name: 'Ereignisauslöser löschen',
    summary: 'Einen Ereignisauslöser löschen; was er gestartet hat, bleibt',
  },
  rotateEventTriggerToken: {
    name: 'Webhook-Token erneuern',
    summary: 'Ein neues Token für einen Webhook; das alte endet sofort',
  },
  callHook: { name: 'Webhook aufrufen', summary: 'Den Job hinter einem Webhook starten' },
  createNotification: { name: 'Kanal erstellen', summary: 'Einen Benachrichtigungskanal erstellen' },
  updateNotification: {
    name: 'Kanal ändern',
    summary: 'Einen Benachrichtigungskanal ändern; Weggelassenes bleibt, auch ein Geheimnis',
  },
  deleteNotification: {
    name: 'Kanal löschen',
    summary: 'Einen Benachrichtigungskanal mit seinen Zustellungen löschen',
  },
  testNotification: { name: 'Testnachricht senden', summary: 'Jetzt eine Testnachricht senden und sagen, wie es ging' },
  retryNotificationDelivery: {
    name: 'Zustellung wiederholen',
    summary: 'Eine fehlgeschlagene Zustellung noch einmal senden',
  },
  drainExecutor: {
    name: 'Executor stilllegen',
    summary: 'Einen Executor beenden lassen, was er ausführt, und nichts Neues nehmen lassen',
  },
  updateServerConfig: {
    name: 'Servereinstellungen ändern',
    summary:
      'Einstellungen ändern; sie stehen in config.yaml, deren Kommentare bleiben, Geheimnisse verschlüsselt im Speicher',
  },
  restartServer: {
    name: 'Server neu starten',
    summary: 'Den Server mit den geschriebenen Einstellungen neu starten; Läufe gehen bei ihren Executors weiter',
  },
  rotateSecretsKey: {
    name: 'Schlüssel der Geheimnisse ersetzen',
    summary: 'Einen neuen Schlüssel machen und jedes Geheimnis damit neu verschlüsseln',
  },
  createBackup: {
    name: 'Sicherung erstellen',
    summary: 'Den Speicher, wie er in einem Augenblick ist, im Betrieb kopieren und die Kopie prüfen',
  },
  downloadBackup: { name: 'Sicherung herunterladen', summary: 'Eine Sicherung als Datei' },
  deleteBackup: { name: 'Sicherung löschen', summary: 'Eine Sicherung entfernen' },
  restoreBackup: {
    name: 'Sicherung wiederherstellen',
    summary:
      'Zu einer Sicherung zurückkehren: Sie wird geprüft, der jetzige Speicher aufgehoben, dann startet der Server neu',
  },
  cleanStore: { name: 'Speicher aufräumen', summary: 'Jetzt entfernen, was nicht mehr aufzubewahren ist' },
  vacuumStore: {
    name: 'Speicherplatz zurückgeben',
    summary: 'Ungenutzten Platz in kleinen Schritten im Betrieb an den Datenträger zurückgeben',
  },
  updateBranding: {
    name: 'Branding ändern',
    summary: 'Das Branding ändern; Weggelassenes bleibt, null ist die Vorgabe',
  },
  registerExecutor: { name: 'Executor anmelden', summary: 'Anmelden oder unter demselben Namen zurückkehren' },
  heartbeatExecutor: {
    name: 'Lebenszeichen eines Executors',
    summary: 'Sagen, dass er lebt und was er ausführt; hören, was anzuhalten ist',
  },
  claimWork: {
    name: 'Arbeit holen',
    summary:
      'Auf Arbeit warten: bis zu `slots` Läufe und `call_slots` Aufrufe; auch Ergebnissitzungen und Abbrüche kommen hier an',
  },
  beginRuns: { name: 'Läufe beginnen', summary: 'Im Voraus geholte Läufe beginnen oder zurückgeben' },
  postRunState: {
    name: 'Stand eines Laufs melden',
    summary: 'Der Code der Aufgabe hat begonnen, möchte festschreiben, oder ihr Ziel hat festgeschrieben',
  },
  postRunLogs: { name: 'Protokoll eines Laufs melden', summary: 'Ein Stapel Protokollzeilen' },
  postRunProgress: { name: 'Fortschritt eines Laufs melden', summary: 'Wie weit die Schritte sind' },
  postRunRejects: { name: 'Abweisungen eines Laufs melden', summary: 'Ein Stapel abgewiesener Zeilen' },
  completeRun: { name: 'Lauf abschließen', summary: 'Der Versuch ist vorbei; die letzten Protokollzeilen kommen mit' },
  postCallResult: { name: 'Ergebnis eines Aufrufs melden', summary: 'Die Antwort auf einen Aufruf' },
  postResultChunk: { name: 'Ergebnisteil liefern', summary: 'Die nächsten Zeilen einer Ergebnissitzung liefern' },
  attendResult: { name: 'Ergebnis begleiten', summary: 'Warten, bis Zeilen einer Ergebnissitzung gelesen wurden' },
  restoredBackup: { name: 'Sicherung wiederhergestellt' },
  scheduledBackup: { name: 'Sicherung nach Plan' },
  importBundleApplied: { name: 'Bündel angewandt' },
  importBundleStopped: { name: 'Import angehalten' },
  listMetrics: { name: 'Metriken auflisten', summary: 'Die Metriken auflisten, die abgefragt werden können' },
  queryMetrics: { name: 'Metriken abfragen', summary: 'Eine Metrik über die Zeit abfragen' },
  scrapeMetrics: { name: 'Metriken für Prometheus', summary: 'Die Metriken im Textformat von Prometheus holen' },
  getMetricsConfig: { name: 'Einstellungen der Metriken', summary: 'Die Einstellungen der Metriken holen' },
  updateMetricsConfig: {
    name: 'Einstellungen der Metriken ändern',
    summary: 'Die Einstellungen der Metriken ändern; was fehlt, bleibt',
  },
  testMetricQuery: {
    name: 'Abfrage einer Metrik testen',
    summary: 'Die Abfrage einer eigenen Metrik einmal ausführen; nichts wird gespeichert',
  },
  explainRun: {
    name: 'Fehler eines Laufs erklären lassen',
    summary: 'Von einer KI erklären lassen, warum ein Lauf fehlgeschlagen ist',
  },
  generateTask: {
    name: 'Aufgabe vorschlagen lassen',
    summary: 'Eine KI aus einer Anfrage eine Aufgabe vorschlagen lassen',
  },
  generateJobTemplate: {
    name: 'Job-Vorlage vorschlagen lassen',
    summary: 'Eine KI aus einer Anfrage eine Job-Vorlage vorschlagen lassen',
  },
  generateDashboardTemplate: {
    name: 'Dashboard-Vorlage vorschlagen lassen',
    summary: 'Eine KI aus einer Anfrage eine Dashboard-Vorlage vorschlagen lassen',
  },
  generateQuery: {
    name: 'Abfrage vorschlagen lassen',
    summary: 'Eine KI aus einer Frage eine Abfrage für einen Konnektor vorschlagen lassen',
  },
  testAi: { name: 'KI-Anbieter testen', summary: 'Den KI-Anbieter mit einer kurzen Anfrage testen' },
  profileColumn: {
    name: 'Spalte auswerten',
    summary: 'Die Werte einer Spalte über das ganze Ergebnis zählen',
  },
  deleteQueryHistoryEntry: {
    name: 'Eintrag des Abfrageverlaufs löschen',
    summary: 'Einen Eintrag des eigenen Abfrageverlaufs löschen',
  },
  clearQueryHistory: { name: 'Abfrageverlauf leeren', summary: 'Den eigenen Abfrageverlauf eines Konnektors löschen' },
  changeConnectorData: {
    name: 'Daten eines Konnektors ändern',
    summary: 'Änderungen von Daten prüfen, dann senden',
  },
  createAiReference: { name: 'KI-Referenz erstellen', summary: 'Ein Referenzdokument für die KI erstellen' },
  updateAiReference: { name: 'KI-Referenz speichern', summary: 'Ein Referenzdokument für die KI speichern' },
  deleteAiReference: { name: 'KI-Referenz löschen', summary: 'Ein Referenzdokument für die KI löschen' },
  aiRequest: { name: 'Anfrage an den KI-Anbieter' },
  sendingChanges: { name: 'Änderungen gesendet' },
}
