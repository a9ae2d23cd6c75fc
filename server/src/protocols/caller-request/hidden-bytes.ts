const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;
const blankMax = 0x20;
const zero = 0x30;
const eight = 0x38;
const letterD = 0x64;
const lowerCase = 0x20;

/** So much more than was seen of a body may be punctuation, blanks and escapes. */
const slackBytes = 1_024;
const slackShare = 3;

/**
 * How many bytes of a JSON text its parsed value has lost: an object that names a field twice keeps the last one only,
 * and a provider may read the first. `seenBytes`: how much of it the value is known to hold.
 */
export function countHiddenBytes(bytes: Buffer, value: object, seenBytes: number): number {
  if (bytes.length - seenBytes <= Math.max(slackBytes, bytes.length / slackShare)) return 0;
  return Math.max(0, countPlainBytes(bytes) - countPlainBytes(Buffer.from(JSON.stringify(value))));
}

/** The length of a JSON text without blanks and with nothing escaped, so that one value has one length. */
function countPlainBytes(bytes: Buffer): number {
  const { length } = bytes;
  let count = 0;
  let isInString = false;
  for (let index = 0; index < length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === backslash) {
      index++;
      if (bytes[index] === letterU) {
        count += countEncodedBytes(bytes, index + 1) - 1;
        index += 4;
      }
    } else if (byte === quote) isInString = !isInString;
    else if (byte <= blankMax && !isInString) continue;
    count++;
  }
  return count;
}

// By the first three of the four digits; two halves of a pair are four bytes together.
function countEncodedBytes(bytes: Buffer, digits: number): number {
  if (bytes[digits] !== zero) return isHalfOfPair(bytes, digits) ? 2 : 3;
  const second = bytes[digits + 1] ?? 0;
  if (second !== zero) return second < eight ? 2 : 3;
  return (bytes[digits + 2] ?? 0) < eight ? 1 : 2;
}

function isHalfOfPair(bytes: Buffer, digits: number): boolean {
  const second = bytes[digits + 1] ?? 0;
  return ((bytes[digits] ?? 0) | lowerCase) === letterD && second >= eight;
}
