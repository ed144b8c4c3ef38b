import type { Phrases } from '../../phrases.ts'

/** What the server refuses when somebody signs in, or changes users and keys. */
export const signInRefusals: Phrases = {
  'The user name or the password is wrong.': 'Benutzername oder Passwort ist falsch.',
  'Too many failed sign-ins. Try again in <time>.':
    'Zu viele fehlgeschlagene Anmeldungen. In <time> noch einmal versuchen.',
  'Too many sign-ins at once. Try again in a moment.': 'Zu viele Anmeldungen auf einmal. Gleich noch einmal versuchen.',
  'Too many failed TOTP attempts. Try again later.': 'Zu viele falsche Codes. Später noch einmal versuchen.',
  'Sign-in is not complete: verify your TOTP code.': 'Die Anmeldung ist nicht abgeschlossen: Es fehlt der Code.',
  'Change your password first.': 'Zuerst das Passwort ändern.',
  'The first account exists already. Sign in with it.': 'Das erste Konto gibt es schon. Damit anmelden.',
  'There is no account yet: create the first one.': 'Noch gibt es kein Konto: das erste anlegen.',
  'Signing in from the desktop is turned off (auth.desktop_sign_in).':
    'Die Anmeldung durch die Desktop-App ist ausgeschaltet (auth.desktop_sign_in).',
  'No superadmin is enabled: sign in with a password.': 'Kein Hauptadministrator ist aktiv: mit Passwort anmelden.',
  'The desktop is locked: sign in with your password.': 'Der Desktop ist gesperrt: mit dem Passwort anmelden.',
  'This launch token is used up or too old. Open the window anew.':
    'Dieses Starttoken ist verbraucht oder zu alt. Das Fenster neu öffnen.',
  'This account has no password, so nothing could unlock the desktop again: give it one first.':
    'Dieses Konto hat kein Passwort, also könnte nichts den Desktop wieder entsperren: ihm zuerst eines geben.',
  "This is not the desktop's own window: sign out instead.":
    'Das ist nicht das eigene Fenster der Desktop-App: stattdessen abmelden.',
  'The current password is wrong.': 'Das jetzige Passwort ist falsch.',
  'This takes a session: sign in. API keys may not.':
    'Dazu braucht es eine Sitzung: anmelden. Mit API-Schlüsseln geht es nicht.',
  'A second factor is required here (auth.totp_required): it stays.':
    'Hier ist ein zweiter Faktor Pflicht (auth.totp_required): Er bleibt.',
  'An authenticator app is enrolled already. Whoever lost it signs in with a recovery code, or asks an admin to reset it.':
    'Eine Authenticator-App ist schon eingerichtet. Wer sie verloren hat, meldet sich mit einem Wiederherstellungscode an oder lässt sie von einem Administrator zurücksetzen.',
  'An enrolment was begun and not verified yet: verify it, or restart it.':
    'Eine Einrichtung ist begonnen und noch nicht bestätigt: bestätigen oder neu beginnen.',
  'No enrolment was begun: there is nothing to restart.':
    'Keine Einrichtung ist begonnen: Neu zu beginnen gibt es nichts.',
  'No second factor is enrolled.': 'Kein zweiter Faktor ist eingerichtet.',
  'The code is not right. Wait for the next one, and see that the clock of your device is right.':
    'Der Code stimmt nicht. Auf den nächsten warten und die Uhr des Geräts prüfen.',
  'The enrolment has changed meanwhile. Try again.':
    'Die Einrichtung hat sich inzwischen geändert. Noch einmal versuchen.',
  'The secret of your authenticator app cannot be read: the key that it was encrypted with is missing. Use a recovery code, or ask an admin to reset your second factor.':
    'Das Geheimnis der Authenticator-App lässt sich nicht lesen: Der Schlüssel dazu fehlt. Einen Wiederherstellungscode verwenden oder den zweiten Faktor von einem Administrator zurücksetzen lassen.',
  'The enrolment that was begun cannot be read: the key that it was encrypted with is missing. Restart it.':
    'Die begonnene Einrichtung lässt sich nicht lesen: Der Schlüssel dazu fehlt. Neu beginnen.',
  'This API key lacks the scope <scope>.': 'Diesem API-Schlüssel fehlt die Berechtigung <scope>.',
  'Your role <role> does not allow this: it takes <wanted>.':
    'Ihre Rolle (<role>) erlaubt das nicht: Nötig ist <wanted>.',
  'Keys of a <role> are not yours to revoke.': 'Schlüssel der Rolle <role> können Sie nicht widerrufen.',
  'This is the last superadmin that is enabled: make somebody else one first.':
    'Das ist der letzte aktive Hauptadministrator: zuerst jemand anderen dazu machen.',
  'Nobody changes his own role: another superadmin can.':
    'Niemand ändert die eigene Rolle: Ein anderer Hauptadministrator kann es.',
  'Nobody disables himself.': 'Niemand schaltet sich selbst aus.',
  'Nobody removes himself.': 'Niemand löscht sich selbst.',
  'Users of the role <role> are not yours to change: it takes a higher role than theirs, or a superadmin.':
    'Benutzer der Rolle <role> können Sie nicht ändern: Dazu braucht es eine höhere Rolle oder einen Hauptadministrator.',
  'Whether your own password is to be changed is for others to say.':
    'Ob das eigene Passwort zu ändern ist, bestimmen andere.',
  'The name <name> is taken.': 'Der Name <name> ist vergeben.',
  'Your access has changed meanwhile. Ask again.': 'Ihre Rechte haben sich inzwischen geändert. Noch einmal versuchen.',
}
