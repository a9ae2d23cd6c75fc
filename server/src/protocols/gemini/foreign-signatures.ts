import { readModelTraits } from './model-traits.ts';
import { isForeignSignature, uncheckedSignature } from './signature.ts';
import type { Content, Part } from './wire.ts';

type Contents = readonly Content[];

/**
 * Removes what other providers signed in earlier turns, because Google would reject it: reasoning is dropped, calls are
 * kept. Returns `null` if nothing changes. `readExact` returns the contents with all digits of long numbers.
 */
export function dropForeignSignatures(
  contents: Contents,
  model: string,
  readExact: () => Contents,
): Contents | null {
  const mustBeSigned = readModelTraits(model).isThirdGeneration;
  const mustGo = ({ thoughtSignature: signature }: Part) =>
    typeof signature === 'string' &&
    isForeignSignature(signature) &&
    !(mustBeSigned && signature === uncheckedSignature);
  if (!contents.some(({ parts }) => parts?.some(mustGo))) return null;
  return readExact()
    .map((content) => ({
      ...content,
      parts: (content.parts ?? []).flatMap((part) =>
        mustGo(part) ? withoutSignature(part, mustBeSigned) : [part],
      ),
    }))
    .filter(({ parts }, index) => parts.length > 0 || contents[index]?.parts?.length === 0);
}

function withoutSignature({ thoughtSignature: _signature, ...part }: Part, mustBeSigned: boolean): Part[] {
  if (part.thought === true) return [];
  return [part.functionCall && mustBeSigned ? { ...part, thoughtSignature: uncheckedSignature } : part];
}
