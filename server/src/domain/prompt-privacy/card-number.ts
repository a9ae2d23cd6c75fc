const candidate = /(?<!\d)\d{3,}(?:[ \-.\u00a0]\d{3,})*/g;
const lengthMin = 13;
const lengthMax = 19;

/** Replaces card numbers that pass the Luhn check, written with or without separators. */
export function replaceCardNumbers(text: string): string {
  return text.replace(candidate, (run) => (countDigits(run) < lengthMin ? run : replaceInRun(run)));
}

/** A card number consists of complete groups of the run. */
function replaceInRun(run: string): string {
  const parts = run.split(/([ \-.\u00a0])/);
  let redacted = '';
  for (let at = 0; at < parts.length; ) {
    const end = findCardEnd(parts, at);
    redacted += end === null ? `${parts[at]}${parts[at + 1] ?? ''}` : `[card]${parts[end] ?? ''}`;
    at = end === null ? at + 2 : end + 1;
  }
  return redacted;
}

/** Returns the index of the separator after a card number that begins here; groups have even indexes. */
function findCardEnd(parts: readonly string[], begin: number): number | null {
  // The networks' numbers begin with these digits.
  const first = parts[begin]?.[0] ?? '';
  if (first < '2' || first > '6') return null;
  let number = '';
  for (let at = begin; at < parts.length && number.length <= lengthMax; at += 2) {
    number += parts[at];
    if (number.length >= lengthMin && number.length <= lengthMax && isCardNumber(number)) return at + 1;
  }
  return null;
}

/** Whether the number has a valid Luhn check digit (ISO/IEC 7812-1). */
function isCardNumber(number: string): boolean {
  let sum = 0;
  for (let fromEnd = 0; fromEnd < number.length; fromEnd++) {
    const digit = number.charCodeAt(number.length - 1 - fromEnd) - zero;
    const doubled = digit * 2;
    sum += fromEnd % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const zero = '0'.charCodeAt(0);

function countDigits(run: string): number {
  return run.replace(/\D/g, '').length;
}
