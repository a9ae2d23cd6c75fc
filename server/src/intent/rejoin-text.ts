const shortLetters = 40;
const shortWords = 4;
/** Number of letters from which prose is longer than a short line even without punctuation. */
const proseLetters = 80;
/** Spaced-out text: single spaces separate letters, wider ones separate words. */
const spacedLetters = /^(?:\p{L}[^\p{L}\p{N}]+){11,}\p{L}[^\p{L}\p{N}]*$/u;
/** Maximum number of words in a candidate. More text after a request would hide the request. */
const candidateWords = 24;
const candidatesMax = 64;

/**
 * Rejoins words that are separated by line breaks, list marks, table cells, markup or signs instead of spaces.
 * Returns a text for each match of `starts`, and lines of code blocks. Omits other lines for which `isProse` returns
 * true. Runs in linear time.
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
