; Offers Headgate in "Open with" for bundles and YAML, and makes it the program for headgate:// links. Nothing that opens such
; files today is replaced: `OpenWithProgids` adds, the default value of an ending is left alone. After `--` nothing in a link or a
; name is a switch of the app.

!macro headgateOpenWith EXTENSION CLASS NAME
  WriteRegStr SHCTX "Software\Classes\${CLASS}" "" "${NAME}"
  WriteRegStr SHCTX "Software\Classes\${CLASS}\DefaultIcon" "" "$appExe,0"
  WriteRegStr SHCTX "Software\Classes\${CLASS}\shell\open\command" "" '"$appExe" -- "%1"'
  WriteRegStr SHCTX "Software\Classes\${EXTENSION}\OpenWithProgids" "${CLASS}" ""
!macroend

!macro customInstall
  !insertmacro headgateOpenWith ".ndjson" "Headgate.Bundle" "Headgate bundle"
  !insertmacro headgateOpenWith ".yaml" "Headgate.Document" "Headgate task or job template"
  !insertmacro headgateOpenWith ".yml" "Headgate.Document" "Headgate task or job template"
  WriteRegStr SHCTX "Software\Classes\headgate" "" "URL:Headgate"
  WriteRegStr SHCTX "Software\Classes\headgate" "URL Protocol" ""
  WriteRegStr SHCTX "Software\Classes\headgate\shell\open\command" "" '"$appExe" -- "%1"'
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

!macro customUnInstall
  DeleteRegValue SHCTX "Software\Classes\.ndjson\OpenWithProgids" "Headgate.Bundle"
  DeleteRegValue SHCTX "Software\Classes\.yaml\OpenWithProgids" "Headgate.Document"
  DeleteRegValue SHCTX "Software\Classes\.yml\OpenWithProgids" "Headgate.Document"
  DeleteRegKey SHCTX "Software\Classes\Headgate.Bundle"
  DeleteRegKey SHCTX "Software\Classes\Headgate.Document"
  DeleteRegKey SHCTX "Software\Classes\headgate"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend
