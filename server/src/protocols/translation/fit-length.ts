import { hash } from 'node:crypto';

/** OpenAI's limit for user ids, safety identifiers, cache keys and metadata keys. */
const openaiLengthMax = 64;

/**
 * Returns the text, or a hash of 64 characters if the text is longer than the limit. The hash is the same in every
 * request.
 */
export function fitLength(text: string, lengthMax = openaiLengthMax): string {
  return text.length <= lengthMax ? text : hash('sha256', text);
}

const metadataPairsMax = 16;
const metadataValueLengthMax = 512;

/** Fits metadata to OpenAI's limit of 16 text pairs. `warn` is called if pairs are omitted. */
export function fitMetadata(
  metadata: Readonly<Record<string, unknown>>,
  warn: (name: string) => void,
): Record<string, string> {
  const pairs = Object.entries(metadata).filter(([, value]) => value != null);
  if (pairs.length > metadataPairsMax) warn('metadata');
  return Object.fromEntries(
    pairs.slice(0, metadataPairsMax).map(([key, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return [fitLength(key), fitLength(text, metadataValueLengthMax)];
    }),
  );
}
