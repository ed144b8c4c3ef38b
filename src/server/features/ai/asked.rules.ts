/** What a proposal has only if the prompt asks for it. Pure. */

/** Complete words: a subscription is no script, orders after May need no hook, and a column with e-mail addresses no notification. */
const words = (list: string) => new RegExp(`(?<![\\p{L}\\p{N}_])(?:${list})(?![\\p{L}\\p{N}_])`, 'iu')

const asking = {
  code: words('commands?|shell|bash|powershell|scripts?|javascript|befehle?|befehls|skripte?|skripts'),
  hooks: words(
    'hooks?|(?:before|after) (?:the |each |every )?(?:runs?|loads?|loading|writing|task)|before(?:hand| it)|afterwards?|vorher|nachher|(?:vor|nach) (?:dem|jedem) (?:lauf|laden|schreiben)',
  ),
  notify: words(
    'notify|notif(?:ies|ied|ications?)|alert(?:s|ed)?|inform|tell|let (?:me|us) know|(?:mail|e-?mail) (?:me|us|them|to)|send (?:an? |me an? |us an? )?e?-?mails?|benachrichtig\\p{L}*|meld(?:e|en|et|ung|ungen)|informier\\p{L}*',
  ),
}

export const asksFor = (what: keyof typeof asking, prompt: string): boolean => asking[what].test(prompt)
