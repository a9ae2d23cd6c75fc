/** Letters and digits without look-alikes. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
const groupCount = 4;
const groupLength = 5;

/** Returns a password of 116 random bits, in groups that are easy to read out: `Kf7wn-...`. */
export function generatePassword(): string {
  return Array.from({ length: groupCount }, pickGroup).join('-');
}

function pickGroup(): string {
  return Array.from({ length: groupLength }, pickCharacter).join('');
}

/** Discards bytes above the last multiple of the alphabet, which would favor its first characters. */
function pickCharacter(): string {
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
  const wholeAlphabets = 256 - (256 % alphabet.length);
  return byte < wholeAlphabets ? alphabet.charAt(byte % alphabet.length) : pickCharacter();
}
