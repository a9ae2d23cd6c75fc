/** Maximum length of a line in a list of words. */
const shortLetters = 40;
const shortWords = 4;
/** Prose with more letters than this is longer than a short line even without its signs. */
const proseLetters = 80;
/** Spaced letters: letters between single spaces, words between wider ones. */
const spacedLetters = /^(?:\p{L}[^\p{L}\p{N}]+){11,}\p{L}[^\p{L}\p{N}]*$/u;
/** Maximum words of a candidate, since text after a request would hide it. */
const candidateWords = 24;
const candidatesMax = 64;

/**
 * Returns texts whose words are separated by line breaks, list marks, cells, markup or signs instead of spaces,
 * beginning at each match of `starts`, and lines of code blocks. Omits other lines for which `isProse` returns true.
 * Takes time linear in the text.
 */
export function rejoinText(text: string, starts: RegExp, isProse: (line: string) => boolean): string[] {
  const found: string[] = [];
  let run: string[] = [];
  const end = () => {
    if (run.length > 0) found.push(...listCandidates(run.join(' '), starts, candidatesMax - found.length));
    run = [];
  };
  let isCode = false;
  for (const line of text.split(/[\r\n]+/)) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    if (!/\p{L}/u.test(line)) continue;
    const isSpaced = spacedLetters.test(line.trim());
    if (!isCode && !isSpaced && line.length > proseLetters && !/[<&]/.test(line) && isProse(line)) {
      end();
      continue;
    }
    const words = isSpaced ? joinLetters(line) : readWords(line);
    if (words === '') continue;
    const isShort = words.length <= shortLetters && words.split(' ').length <= shortWords;
    if (!isShort) end();
    if (isShort || isCode || isSpaced || !isProse(line)) run.push(words);
    if (!isShort) end();
  }
  end();
  return found;
}

function joinLetters(line: string): string {
  const isSigned = /\p{L}[^\p{L}\s]\p{L}/u.test(line);
  const words = line.trim().split(isSigned ? /\s+/ : /\s{2,}|\s*[|/]\s*/);
  return words.map((word) => word.replaceAll(/[^\p{L}\p{M}]/gu, '')).join(' ');
}

/** Returns the words of a line without list marks, comment marks, tags, entities and signs; splits glued names. */
function readWords(line: string): string {
  return line
    .replaceAll(/<[^<>]{1,200}>/g, '')
    .replaceAll(/&[a-z]{2,8};/gi, ' ')
    .replaceAll(/\p{Ll}(?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})/gu, '$& ')
    .replaceAll(/[^\p{L}\p{M}']+/gu, ' ')
    .trim();
}

function listCandidates(run: string, starts: RegExp, most: number): string[] {
  const found: string[] = [];
  for (const { index } of run.matchAll(starts)) {
    if (found.length >= most) break;
    found.push(
      run
        .slice(index, index + 400)
        .split(' ', candidateWords)
        .join(' '),
    );
  }
  return found;
}
