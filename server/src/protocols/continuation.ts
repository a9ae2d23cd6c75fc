/** Longer texts are never mere continuations. */
const lettersMax = 200;

/** Words that agree, thank, or refer to earlier messages without asking for anything new. */
const words = new Set(
  `yes yeah yep yup sure ok okay k alright fine great good perfect cool nice thanks thank you please pls go on ahead continue
  proceed keep going carry with it that this them these those the a an one now then and so just do did it's that's as above
  below said asked before previous previously earlier same again more next further start begin finish complete rest remaining
  resume answer reply respond to my me i we let's lets want would like should could can will of from where left off stopped
  first last message question request task part parts in full fully all already of course absolutely definitely exactly right
  correct agreed come try retry still also be is are for up out get there here your mine text response
  ja bitte gerne gern weiter mach mache machen fahr fort damit jetzt nun genau das es so und danke los leg
  oui merci continue continuez vas y allez maintenant s'il te plaît plait ça cela
  sí si por favor sigue continúa continua adelante ahora eso gracias con
  sì prego grazie avanti vai sim favor continue obrigado isso
  да продолжай дальше пожалуйста 继续 请继续 好的 はい 続けて お願いします`.split(/\s+/),
);

/** Whether a text only asks to continue, for example "Yes please, continue with that now". */
export function isContinuation(text: string): boolean {
  if (text.length > lettersMax) return false;
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{M}']+/u)
    .every((word) => word === '' || words.has(word.replaceAll(/^'+|'+$/g, '')));
}
