/** With or without separators; the longest IBAN has 34 characters. */
const candidate = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ \u00a0-]?[A-Za-z0-9]){11,30}/g;
const lengthMin = 15;

/** Replaces IBANs with valid check digits (ISO 13616), but not the words after them. */
export function replaceIbans(text: string): string {
  return text.replace(candidate, (run) => {
    const end = findIbanEnd(run);
    return end === null ? run : `[iban]${run.slice(end)}`;
  });
}

/** Returns the end of the longest IBAN at the start of a run. */
function findIbanEnd(run: string): number | null {
  const head = run.slice(0, 4).toUpperCase();
  let remainder = 0;
  let length = 4;
  let end: number | null = null;
  for (let at = 4; at < run.length; at++) {
    const character = run[at]?.toUpperCase() ?? '';
    if (!/[A-Z0-9]/.test(character)) continue;
    remainder = addTo(remainder, character);
    length += 1;
    const isWhole = !/[A-Za-z0-9]/.test(run[at + 1] ?? '') || at + 1 - run.length === 0;
    if (length >= lengthMin && isWhole && [...head].reduce(addTo, remainder) === 1) end = at + 1;
  }
  return end;
}

/** Updates the remainder modulo 97 with one more character; letters count from 10. */
function addTo(remainder: number, character: string): number {
  const value = Number.parseInt(character, 36);
  return (remainder * (value > 9 ? 100 : 10) + value) % 97;
}
