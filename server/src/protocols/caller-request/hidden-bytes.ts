const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;
const blankMax = 0x20;

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
  let count = 0;
  let isInString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === quote) isInString = !isInString;
    else if (byte === backslash) {
      index++;
      if (bytes[index] === letterU) {
        count += countEncodedBytes(Number.parseInt(bytes.toString('latin1', index + 1, index + 5), 16)) - 1;
        index += 4;
      }
    } else if (!isInString && byte <= blankMax) continue;
    count++;
  }
  return count;
}

// Two halves of a pair are four bytes together.
function countEncodedBytes(unit: number): number {
  if (unit < 0x80) return 1;
  return unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
}
