/** Backups, settings, secrets, branding and uploads. */
export const server = {
  cannot_restart: 'This server can’t restart itself.',
  would_not_start: 'The server wouldn’t start with this: <reason>',
  backup_under_way: 'A backup is already running. Wait until it has finished.',
  scheduled_backup_under_way: 'A scheduled backup is running. Wait until it has finished.',
  restore_under_way: 'A backup is being restored. Wait until this has finished.',
  backup_unusable: 'This backup can’t be used.',
  no_backup: 'There is no backup <name>.',
  backup_damaged: 'The backup <name> is damaged: its content doesn’t match its checksum.',
  backup_foreign: '<name> is not a backup of a Headgate store, or its schema was changed.',
  backup_linked: '<name> is a hard link and can’t be downloaded. Copy the file instead of linking it.',
  backup_newer:
    'The backup <name> was created by a newer version of Headgate (schema <schema>). Update Headgate first.',
  backup_no_room:
    'There isn’t enough space for a backup in <folder>, so none was kept. Free up disk space, or set backup.folder.',
  restore_no_room:
    'There isn’t enough space in <folder> to restore the backup, so nothing was changed. Free up disk space.',
  backup_folder_unwritable:
    'The folder <folder> can’t be written (<code>). Correct its permissions, or set backup.folder.',
  store_damaged: 'The store itself is damaged and can’t be copied completely. Restore a good backup.',
  config_unreadable: '<path> can’t be read (<reason>). Correct its permissions.',
  config_unwritable: '<path> can’t be written (<reason>). Nothing was changed.',
  config_changed: 'config.yaml was changed at the same time. Read it again, then repeat your change.',
  config_anchors:
    '<path> uses anchors, so changing one setting would change others. Edit it by hand. Nothing was written.',
  uses_anchors: 'uses anchors, so changing one setting would change others. Edit it by hand',
  key_in_keychain:
    'Their key is in the keychain of the desktop app: start the desktop app on this data folder, or enter them again.',
  key_refused:
    'The keychain of this system does not give their key: unlock it or sign in to the account that had it and start Headgate again, or enter them again.',
  key_in_file: 'Put the key back on its own line in <file> and start Headgate again, or enter them again.',
  config_mistake:
    '<path> was edited by hand and has an error in line <line>, column <column>. Correct it there first. Nothing was written.',
  config_mistake_is: '<problem>',
  fixed_by_argument:
    'is set by a command-line argument of the server. Start it without that argument to change it here',
  fixed_by_variable: 'is set by the environment variable <variable>. Start the server without it to change it here',
  setting_invalid: '<reason>; <fix>',
  settings_conflict: '<key>: <reason>; <fix>',
  setting_superadmin: 'Only a superadmin can change <key>. No setting was changed.',
  setting_unknown: 'is not a setting. GET /api/server/config lists them all',
  setting_unknown_near: 'is not a setting; did you mean <near>?',
  key_not_written: 'The new key couldn’t be written. All secrets can still be read. Check the disk and try again.',
  secrets_lost:
    '<secrets> of the <kind> <name> can’t be read because the key they were encrypted with is missing. Enter them again.',
  secret_lost: 'can’t be read anymore. Enter it again, or use null to remove it',
  branding_name: 'must not be empty, and must not begin or end with spaces',
  branding_message: 'must not contain control characters other than line breaks and tabs',
  branding_link: 'must be an address that begins with https://, http:// or mailto:',
  branding_mailto: 'must include an address: mailto:help@example.com',
  branding_credentials: 'must not contain a username or password, because everyone can see it',
  logo_url: 'must be a data: URL of a picture: data:image/png;base64,… (or jpeg, webp, svg+xml)',
  logo_base64: 'is not valid base64',
  logo_large: 'is <kib> KiB. The maximum is 256 KiB',
  logo_content: 'is declared as <kind>, but its content is not',
  logo_svg: 'is an SVG that contains <part>. Export it as a plain image',
  upload_large: 'The file is larger than <most> MiB, the limit set by uploads.max_mb',
  no_upload: 'There is no uploaded file <name>.',
  upload_of_other: '<name> was uploaded by someone else. Ask them or an administrator to delete it.',
  upload_used:
    '<name> is the source of these tasks: <tasks>. Change the tasks first, or delete the file anyway with force=true.',
  upload_not_deleted: '<name> can’t be deleted (<code>). Check the permissions of <folder>.',
  uploads_under_way: '<most> uploads are already running. Try again when one has finished.',
  uploads_of_user: 'You already have <most> uploads running. Try again when one has finished.',
  upload_names_used: 'There are already <most> files named <name>. Rename the file.',
  uploads_unwritable:
    'The uploads folder <folder> can’t be written (<code>). Correct its permissions, or set uploads.folder.',
  uploads_within_ours:
    'The uploads folder <folder> is inside Headgate’s own folders, where no connector can read. Choose another one with uploads.folder.',
  uploads_no_room: 'There isn’t enough space for the file in <folder>. Free up disk space, or set uploads.folder.',
} as const
