/** Letters and digits that are not taken for one another. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
const groupCount = 4;
const groupLength = 5;

/** A password of 116 random bits, in groups so that it can be read out: `Kf7wn-...`. */
export function generatePassword(): string {
  return Array.from({ length: groupCount }, pickGroup).join('-');
}

function pickGroup(): string {
  return Array.from({ length: groupLength }, pickCharacter).join('');
}

/** Bytes above the last whole alphabet are thrown away, or the first characters would come up more often. */
function pickCharacter(): string {
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
  const wholeAlphabets = 256 - (256 % alphabet.length);
  return byte < wholeAlphabets ? alphabet.charAt(byte % alphabet.length) : pickCharacter();
}
