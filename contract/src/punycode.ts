const base = 36;
const tMin = 1;
const tMax = 26;
const skew = 38;
const damp = 700;

/** Decodes the part of an `xn--` label after the prefix; returns `null` if it is malformed (RFC 3492, 6.2). */
export function decodePunycode(encoded: string): string | null {
  const delimiter = encoded.lastIndexOf('-');
  const output = [...encoded.slice(0, Math.max(delimiter, 0))].map((character) => character.charCodeAt(0));
  let [code, bias, index] = [128, 72, 0];
  for (let position = delimiter + 1; position < encoded.length; ) {
    const start = index;
    for (let weight = 1, k = base; ; k += base) {
      const digit = digitOf(encoded.charCodeAt(position++));
      if (digit === null) return null;
      index += digit * weight;
      const threshold = Math.min(Math.max(k - bias, tMin), tMax);
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    const length = output.length + 1;
    bias = adapt(index - start, length, start === 0);
    code += Math.floor(index / length);
    if (code > 0x10ffff) return null;
    index %= length;
    output.splice(index++, 0, code);
  }
  return String.fromCodePoint(...output);
}

/** Returns `null` for characters that are not digits, such as the NaN after the end of the text. */
function digitOf(character: number): number | null {
  if (character >= 97 && character <= 122) return character - 97;
  return character >= 48 && character <= 57 ? character - 22 : null;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? damp : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((base - tMin) * tMax) / 2; k += base) rest = Math.floor(rest / (base - tMin));
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + skew));
}
