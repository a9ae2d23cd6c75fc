const scripts: [language: string, pattern: RegExp][] = [
  ['ja', /[\u3040-\u30ff]/],
  ['ko', /[\uac00-\ud7a3]/],
  ['zh', /[\u4e00-\u9fff]/],
  ['hi', /[\u0900-\u097f]/],
  ['ar', /[\u0600-\u06ff]/],
  ['uk', /[іїєґ]/i],
  ['ru', /[\u0400-\u04ff]/],
];

const smallWords: [language: string, words: string][] = [
  ['en', 'the of and to in is for what how write with this that are a my me you can it from do please'],
  [
    'de',
    'der die das und ist nicht ein eine für mit wie ich den schreibe zu auf im dem von kannst was mir bitte',
  ],
  ['fr', 'le la les des une est pour avec dans que qui du et comment je mon écris ce sur moi en au'],
  ['es', 'el los las una para con por que es como mi escribe del y un cómo qué me se lo al en'],
  ['pt', 'o os as um uma para com por que é como meu não escreva do da e me em ao você qual'],
  ['it', 'il lo gli una per con che è come mio scrivi del della e un di mi nel cosa sono'],
  ['nl', 'de het een en is niet voor met hoe ik van schrijf wat mijn dat op te zijn'],
  ['pl', 'w i na do jest się nie z jak napisz co dla mi czy to o że'],
  ['tr', 've bir bu için ile nasıl ne yaz mi mı da de bana olan çok'],
];

/** Guesses a prompt's language for reports: by script, or by the most common short words. */
export function guessLanguage(text: string): string {
  const start = text.slice(0, 600);
  const ofScript = scripts.find(
    ([, pattern]) => (start.match(new RegExp(pattern, 'gi'))?.length ?? 0) * 5 > start.length,
  );
  if (ofScript) return ofScript[0];
  const words = start.toLowerCase().split(/[^\p{L}]+/u);
  let [best, most] = ['en', 0];
  for (const [language, list] of smallWords) {
    const known = new Set(list.split(' '));
    const count = words.filter((word) => known.has(word)).length;
    if (count > most) [best, most] = [language, count];
  }
  return best;
}
